import type { RoleName } from '../../../src/commands/role/role.ts';
import { quietPlan } from '../quiet-plan.ts';
import type { Blow, Moment } from '../director.ts';
import type { Flow } from './flow.ts';
import type { SeedPlan } from '../seed-plan.ts';

export const electionStates = [
  'no election',
  'a leader with a standby',
  'a standby that takes over',
  'a standby that takes over from a paused leader',
] as const;
export type ElectionState = (typeof electionStates)[number];

/** What strikes the leader in the states in which its standby takes over. A pause is four times as long as the Lease lasts. */
const endsOfLeaders: Partial<Record<ElectionState, Blow>> = {
  'a standby that takes over': { kind: 'crash' },
  'a standby that takes over from a paused leader': { kind: 'pause', length: 60_000 },
};

/** A flow's opening in this state, where the leader is struck at that moment. */
export function openingOf(state: ElectionState, isAt: (moment: Moment) => boolean): Pick<Flow, 'opening'> {
  const blow = endsOfLeaders[state];
  return blow === undefined ? {} : { opening: { isAt, blow } };
}

/** A small seed in fair weather, in which nothing happens by itself. */
export function planOf(state: ElectionState, role: RoleName): SeedPlan {
  const replicas = state === 'no election' ? 1 : 2;
  return { ...quietPlan, nodes: 2, replicas: { prober: 0, weeder: 0, [role]: replicas } };
}
