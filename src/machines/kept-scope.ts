import {
  transition,
  type ActorLogic,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
  type Snapshot,
} from 'xstate';

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
