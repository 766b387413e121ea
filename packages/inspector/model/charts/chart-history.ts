import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { TakenTransition } from '../explanation/explanation.ts';
import type { ReplayedTurn } from '../replayed-turn.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Arrow } from './chart-model.ts';
import { transitionKey, stateIn } from './charts.ts';

type Turn = ReplayedTurn<Languages[keyof Languages]>;

/** One stay in a state: the turn that led there, by its place, and when the next one led away; `leftAt` is null where it goes on. */
export type StayThere = Readonly<{ index: number; enteredAt: Instant; leftAt: Instant | null }>;

/** When the machine was last in a state of a region, as seen from the turn at `selected`; undefined where it was not. */
export function lastStay(
  turns: readonly Turn[],
  selected: number,
  region: string,
  state: string,
): StayThere | undefined {
  const isThere = (index: number) => stateIn(region, turns[index]?.after?.value) === state;
  let last = selected;
  while (last >= 0 && !isThere(last)) last -= 1;
  if (last < 0) return undefined;
  let index = last;
  while (index > 0 && isThere(index - 1)) index -= 1;
  const entered = turns[index];
  if (entered === undefined) return undefined;
  return { index, enteredAt: entered.turn.at, leftAt: last === selected ? null : (turns[last + 1]?.turn.at ?? null) };
}

/** To know what a turn took it is played again: of a machine that never takes a transition no more turns than these are. */
const mostPlayed = 500;

/**
 * The place of the last turn that took a transition, as seen from the turn at `selected`; undefined where none did, of those that were looked into.
 * Only a turn that left its state can have taken it.
 */
export function lastTaken(
  turns: readonly Turn[],
  selected: number,
  region: string,
  arrow: Arrow,
  takenBy: (turn: Turn) => readonly TakenTransition[],
): number | undefined {
  const key = transitionKey(arrow);
  let played = 0;
  for (let index = selected; index >= 0 && played < mostPlayed; index--) {
    const turn = turns[index];
    if (turn?.after === undefined) continue;
    if (index !== selected && stateIn(region, turn.before?.value) === stateIn(region, turn.after.value)) continue;
    played += 1;
    if (takenBy(turn).some((one) => transitionKey(one) === key)) return index;
  }
  return undefined;
}
