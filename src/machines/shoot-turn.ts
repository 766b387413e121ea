import { initialTransition, transition, type SnapshotFrom } from 'xstate';
import { flowWakeAt } from '../domain/prober/scale-flow.ts';
import type { Instant } from '../domain/time.ts';
import { probeDueAt, probeLostAt } from './probing.ts';
import { recheckAt } from './rechecking.ts';
import { flowScope } from './shoot-context.ts';
import type { Note, ShootCommand, ShootEvent, ShootInput, ShootState } from './shoot-language.ts';
import { shootMachine } from './shoot.ts';
import { sortedActions } from './sorted-actions.ts';

export type ShootSnapshot = SnapshotFrom<typeof shootMachine>;

type Effective = Exclude<ShootCommand, { type: 'note' }>;

/** Where one event took the machine, what it commands, and what it has to say. */
export type Outcome = Readonly<{
  snapshot: ShootSnapshot;
  state: ShootState;
  commands: readonly Effective[];
  notes: readonly Note[];
}>;

export function firstTurn(input: ShootInput): Outcome {
  const [snapshot, actions] = initialTransition(shootMachine, input);
  return outcome(snapshot, actions, undefined);
}

/** Takes one event whole. Pure: the same snapshot and event always give the same outcome (L3). */
export function takeTurn(before: ShootSnapshot, event: ShootEvent): Outcome {
  const [snapshot, actions] = transition(shootMachine, before, event);
  return outcome(snapshot, actions, event.type === 'woken' ? undefined : wakeAt(before));
}

export function stateOf(snapshot: ShootSnapshot): ShootState {
  return snapshot.value.shield;
}

/** The next instant at which time alone changes anything; undefined where only news can. */
export function wakeAt({ value, context }: ShootSnapshot): Instant | undefined {
  const probe =
    value.probe === 'off' ? undefined : value.probe === 'resting' ? probeDueAt(context) : probeLostAt(context);
  const flow = context.flow === null ? undefined : flowWakeAt(context.flow, flowScope(context));
  const isDown = value.shield === 'scalingDown' || value.shield === 'scaledDown';
  const instants = [probe, flow, isDown ? recheckAt(context) : undefined].filter((at) => at !== undefined);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

function outcome(snapshot: ShootSnapshot, actions: readonly { type: string }[], pending: Instant | undefined): Outcome {
  return { snapshot, state: stateOf(snapshot), ...sortedActions<ShootCommand>(actions, wakeAt(snapshot), pending) };
}
