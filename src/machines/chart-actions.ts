/** An action that the machine only names. The runtime carries it out. */
export function command<Params extends object>(): (args: unknown, params: Params) => void {
  return () => undefined;
}

/** For decisions about one type of event, where the chart guarantees that no other type comes. */
export function decisionOn<Context, Event extends Readonly<{ type: string }>, Decision>() {
  return <Type extends Event['type']>(
    type: Type,
    decide: (context: Context, event: Extract<Event, { type: Type }>) => Decision,
  ) =>
    (context: Context, event: Event): Decision => {
      if (event.type !== type) throw new Error(`the chart took ${event.type} for ${type}`);
      return decide(context, event as Extract<Event, { type: Type }>);
    };
}

/**
 * How a machine's context begins. Where XState needs an actor only to take transitions, it begins one without an input
 * (`pure-machine.ts`). Nobody looks at what that actor remembers, and it must not throw.
 */
export function beginsWith<Input, Context>(first: (input: Input) => Context) {
  return ({ input }: { input: Input | undefined }): Context => (input === undefined ? ({} as Context) : first(input));
}

/** A guard, and the action that it lets through, ask for the same of one context and event: it is computed once. */
export function computedOnce<Context extends object, Event extends object, Value>(
  compute: (context: Context, event: Event) => Value,
): (context: Context, event: Event) => Value {
  let last: Readonly<{ context: Context; event: Event; value: Value }> | undefined;
  return (context, event) => {
    if (last?.context !== context || last.event !== event) last = { context, event, value: compute(context, event) };
    return last.value;
  };
}
