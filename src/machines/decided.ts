/** An action that a machine names and the runtime carries out; in the machine it does nothing. */
export function command<Params extends object>(): (args: unknown, params: Params) => void {
  return () => undefined;
}

/** For decisions about one kind of event, where the chart guarantees that no other comes. */
export function decidedBy<Context, Event extends Readonly<{ type: string }>, Decision>() {
  return <Type extends Event['type']>(
    type: Type,
    decide: (context: Context, event: Extract<Event, { type: Type }>) => Decision,
  ) =>
    (context: Context, event: Event): Decision => {
      if (event.type !== type) throw new Error(`the chart took ${event.type} for ${type}`);
      return decide(context, event as Extract<Event, { type: Type }>);
    };
}
