import { initialTransition, type AnyStateMachine, type SnapshotFrom } from 'xstate';
import type { Instant } from '../domain/time.ts';
import { keptTransition } from './kept-scope.ts';
import { sortedActions } from './sorted-actions.ts';

/** What one kind of machine is called, hears, says and remembers. `Subject` names the one thing that a machine is there for. */
export type Language = Readonly<{
  Kind: string;
  Subject: string;
  Input: unknown;
  Event: Readonly<{ type: string; at: Instant }>;
  State: string;
  Context: unknown;
  Command: Readonly<{ type: string; params: unknown }>;
  Note: Readonly<{ kind: string }>;
}>;

/** A machine as plain data: `restore` brings it back. */
export type PlainOf<Spoken extends Language> = Readonly<{ value: unknown; context: Spoken['Context'] }>;

/** What one turn comes to: where it took the machine, what it commands, and what it has to say. */
export type OutcomeOf<Spoken extends Language, Snapshot = PlainOf<Spoken>> = Readonly<{
  snapshot: Snapshot;
  state: Spoken['State'];
  commands: readonly Spoken['Command'][];
  notes: readonly Spoken['Note'][];
}>;

/** A statechart as a pair of pure functions. Whoever only runs machines need not know what their snapshots are. */
export type PureMachine<Spoken extends Language, Snapshot extends PlainOf<Spoken> = PlainOf<Spoken>> = Readonly<{
  first(input: Spoken['Input']): OutcomeOf<Spoken, Snapshot>;
  /** Takes one event whole. The same snapshot and event always give the same outcome (L3). */
  take(before: Snapshot, event: Spoken['Event']): OutcomeOf<Spoken, Snapshot>;
  stateOf(snapshot: Snapshot): Spoken['State'];
  plain(snapshot: Snapshot): PlainOf<Spoken>;
  /** Throws where the state is none of this machine's. */
  restore(plain: PlainOf<Spoken>): Snapshot;
}>;

/** `wakeAt`: the next instant at which time alone changes anything; undefined where only news can. */
export function pureMachine<Spoken extends Language, Machine extends AnyStateMachine>(
  machine: Machine,
  {
    wakeAt,
    stateOf,
  }: Readonly<{
    wakeAt(snapshot: SnapshotFrom<Machine>): Instant | undefined;
    stateOf(snapshot: SnapshotFrom<Machine>): Spoken['State'];
  }>,
): PureMachine<Spoken, SnapshotFrom<Machine> & PlainOf<Spoken>> {
  type Snapshot = SnapshotFrom<Machine> & PlainOf<Spoken>;
  const transition = keptTransition(machine);

  function outcome(
    snapshot: Snapshot,
    actions: readonly Readonly<{ type: string }>[],
    pending: Instant | undefined,
  ): OutcomeOf<Spoken, Snapshot> {
    const sorted = sortedActions<Spoken['Command'], Spoken['Note']>(actions, wakeAt(snapshot), pending);
    return { snapshot, state: stateOf(snapshot), ...sorted };
  }

  return {
    first(input) {
      const [snapshot, actions] = initialTransition(machine, input as never);
      return outcome(snapshot, actions, undefined);
    },
    take(before, event) {
      const [snapshot, actions] = transition(before, event);
      return outcome(snapshot as Snapshot, actions, event.type === 'woken' ? undefined : wakeAt(before));
    },
    stateOf,
    plain: ({ value, context }) => ({ value, context }),
    restore: ({ value, context }) => machine.resolveState({ value, context } as never) as Snapshot,
  };
}
