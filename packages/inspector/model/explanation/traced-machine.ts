import { createMachine, getMicrosteps, type AnyMachineSnapshot, type AnyStateMachine, type EventObject } from 'xstate';
import type { Language, PlainOf } from 'dependency-watchdog/machines/pure-machine.ts';
import type { TakenTransition, TransitionName } from './explanation.ts';

/** A guard that the chart asked, with what it was given. `heard`: the event, or what was raised within the turn. */
export type Asked = TransitionName &
  Readonly<{ guard: string; answer: boolean; context: unknown; heard: EventObject; to?: string }>;

/** `taken`: the transitions that were enabled, in order. `after`: where they lead. */
export type Trace<Spoken extends Language> = Readonly<{
  asked: readonly Asked[];
  taken: readonly TakenTransition[];
  after: PlainOf<Spoken>;
}>;

type GuardArgs = Readonly<{ context: unknown; event: EventObject }>;
type Transition = Readonly<{ target?: string; guard?: string; actions?: unknown }>;
type Node = Readonly<{
  on?: Readonly<Record<string, Transition | readonly Transition[] | string>>;
  always?: Transition | readonly Transition[];
  states?: Readonly<Record<string, Node>>;
}>;

/**
 * The same statechart, which tells of each transition that it considers: what its guard was given and answered. It is for those who
 * explain a turn; the machine that decides knows nothing of it. Each transition gets a guard of its own, so that none is taken for another.
 */
export function tracedMachine<Spoken extends Language>(
  machine: AnyStateMachine,
): (before: PlainOf<Spoken>, event: Spoken['Event']) => Trace<Spoken> {
  let asked: Asked[] = [];
  let taken: TakenTransition[] = [];
  const guards = machine.implementations.guards as Readonly<Record<string, (args: GuardArgs) => boolean>>;

  function traced(node: Node, path: string): Node {
    const { on, always, states } = node;
    const each = (of: Transition | readonly Transition[] | string, event: string) =>
      (Array.isArray(of) ? (of as readonly Transition[]) : [of as Transition | string]).map((one, index) =>
        told(typeof one === 'string' ? { target: one } : one, { state: path, event, index }),
      );
    return {
      ...node,
      ...(on === undefined ? {} : { on: mapped(on, each) }),
      ...(always === undefined ? {} : { always: each(always, '') }),
      ...(states === undefined
        ? {}
        : { states: mapped(states, (child, name) => traced(child, path === '' ? name : `${path}.${name}`)) }),
    };
  }

  function told(transition: Transition, name: TransitionName): Transition {
    const { guard, target } = transition;
    const to = target === undefined ? {} : { to: absolute(target, name.state) };
    const own = (args: GuardArgs): boolean => {
      const answer = guard === undefined || guards[guard]?.(args) === true;
      if (guard !== undefined) asked.push({ ...name, ...to, guard, answer, context: args.context, heard: args.event });
      if (answer) taken.push({ ...name, ...to });
      return answer;
    };
    return { ...transition, guard: own as never };
  }

  const twin = createMachine(
    traced(machine.config as Node, '') as never,
    machine.implementations as never,
  ) as AnyStateMachine;

  return (before, event) => {
    [asked, taken] = [[], []];
    const { value, context } = before;
    const snapshot = twin.resolveState({ value, context } as never) as AnyMachineSnapshot;
    const [last] = getMicrosteps(twin, snapshot, event).at(-1) ?? [snapshot];
    return { asked, taken, after: { value: last.value, context: last.context as Spoken['Context'] } };
  };
}

/** `probing` or `.idle`, as the chart has it, with its region. */
function absolute(target: string, state: string): string {
  const region = state.split('.')[0] ?? '';
  if (target.startsWith('.')) return state === '' ? target.slice(1) : `${state}${target}`;
  return state.includes('.') ? `${region}.${target}` : target;
}

function mapped<Value, Result>(
  of: Readonly<Record<string, Value>>,
  each: (value: Value, name: string) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, each(value, name)]));
}
