import {
  initialTransition,
  type AnyStateMachine,
  type SnapshotFrom,
  transition,
  type ActorLogic,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type EventObject,
  type Snapshot,
} from 'xstate';
import type { Instant } from '../domain/time.ts';

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

type Named = Readonly<{ type: string; params: unknown }>;
type Wake = Readonly<{ type: 'wake'; params: Readonly<{ at: Instant }> }>;

/**
 * Sorts a machine's actions into commands and notes. The one wake is read off the snapshot (`wakeAt`) rather than
 * commanded by each transition, so that no path can forget it; it is repeated only where it moved from `pending`, or was
 * just used up.
 */
function sortedActions<Command extends Named, Note>(
  actions: readonly Readonly<{ type: string }>[],
  wakeAt: Instant | undefined,
  pending: Instant | undefined,
): Readonly<{ commands: readonly Command[]; notes: readonly Note[] }> {
  const commands: Named[] = [];
  const notes: unknown[] = [];
  for (const { type, params } of actions as readonly Named[]) {
    if (type === 'note') notes.push(params);
    // XState also lists what it did itself: a raised verdict, which was carried out within the turn.
    else if (!type.startsWith('xstate.')) commands.push({ type, params });
  }
  if (wakeAt !== undefined && wakeAt !== pending)
    commands.push({ type: 'wake', params: { at: wakeAt } } satisfies Wake);
  // The machine's own declaration says which actions it has, and with which parameters.
  return { commands: commands as unknown as readonly Command[], notes: notes as readonly Note[] };
}

type Executed = Readonly<{ type: string }>;

/**
 * The same as XState's `transition(machine, …)`: one event taken whole, and the actions that it lists, not carried out. That one
 * makes a scope of its own at each call, with an actor and its first snapshot, at which nobody looks: more than half of what a turn
 * costs the machine, and much of its garbage. Here one scope serves all turns of a machine. Nothing of a turn stays in it, since our
 * machines invoke and spawn nothing.
 */
export function keptTransition(
  machine: AnyStateMachine,
): (before: AnyMachineSnapshot, event: EventObject) => readonly [AnyMachineSnapshot, readonly Executed[]] {
  const inert = inertScope();
  return (before, event) => {
    const executed: Executed[] = [];
    const scope: AnyActorScope = { ...inert, actionExecutor: (action) => void executed.push(action) };
    return [machine.transition(before, event, scope), executed];
  };
}

/** The scope in which XState takes a transition without carrying anything out. It lends it only to a logic that it calls. */
function inertScope(): AnyActorScope {
  const lent: AnyActorScope[] = [];
  const idle: Snapshot<undefined> = { status: 'active', output: undefined, error: undefined };
  const borrower: ActorLogic<typeof idle, EventObject> = {
    transition: (snapshot, _, scope) => {
      lent.push(scope);
      return snapshot;
    },
    getInitialSnapshot: () => idle,
    getPersistedSnapshot: (snapshot) => snapshot,
  };
  transition(borrower, idle, { type: 'lend' });
  const [scope] = lent;
  if (scope === undefined) throw new Error('XState called the logic without a scope');
  return scope;
}
