import { initialTransition, transition, type SnapshotFrom } from 'xstate';
import type { Instant } from '../domain/time.ts';
import type { WeederCommand, WeederEvent, WeederInput, WeederNote, WeederState } from './weeder-language.ts';
import { sortedActions } from './sorted-actions.ts';
import { weederMachine } from './weeder.ts';
import { weederWakeAt } from './weeding.ts';

export type WeederSnapshot = SnapshotFrom<typeof weederMachine>;

type Effective = Exclude<WeederCommand, { type: 'note' }>;

/** Where one event took the machine, what it commands, and what it has to say. */
export type WeederOutcome = Readonly<{
  snapshot: WeederSnapshot;
  state: WeederState;
  commands: readonly Effective[];
  notes: readonly WeederNote[];
}>;

export function firstWeederTurn(input: WeederInput): WeederOutcome {
  const [snapshot, actions] = initialTransition(weederMachine, input);
  return outcome(snapshot, actions, undefined);
}

/** Takes one event whole. Pure: the same snapshot and event always give the same outcome (L3). */
export function takeWeederTurn(before: WeederSnapshot, event: WeederEvent): WeederOutcome {
  const [snapshot, actions] = transition(weederMachine, before, event);
  return outcome(snapshot, actions, event.type === 'woken' ? undefined : wakeAt(before));
}

export function weederStateOf({ value }: WeederSnapshot): WeederState {
  return value;
}

function wakeAt({ value, context }: WeederSnapshot): Instant | undefined {
  return weederWakeAt(context, value === 'recovering');
}

function outcome(
  snapshot: WeederSnapshot,
  actions: readonly { type: string }[],
  pending: Instant | undefined,
): WeederOutcome {
  const sorted = sortedActions<WeederCommand>(actions, wakeAt(snapshot), pending);
  return { snapshot, state: weederStateOf(snapshot), ...sorted };
}
