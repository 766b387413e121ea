import type { TakenTransition, TransitionName } from '../explanation.ts';
import type { Arrow, Region, Stay } from './chart-model.ts';

/** What a region shows of one turn. */
export type LitRegion = Readonly<{
  /** The active state; undefined where nothing tells. */
  active: string | undefined;
  /** The arrows of the turn, in the order in which they were taken. */
  arrows: readonly Arrow[];
  /** What was done without a change of state. */
  stays: readonly Stay[];
  /** The same for a reader who does not see the picture, a sentence each; without transitions, where the region is. */
  words: readonly string[];
}>;

/** `value`: the active states, as a snapshot has them. */
export function litRegion(region: Region, value: unknown, taken: readonly TakenTransition[]): LitRegion {
  const active = activeIn(region, value);
  const find = <One extends TransitionName>(all: readonly One[]) =>
    taken.flatMap((one) => all.find((each) => transitionKey(each) === transitionKey(one)) ?? []);
  const [arrows, stays] = [find(region.arrows), find(region.stays)];
  const said = region.name === '' ? '' : `${region.name}: `;
  // A transition of all states says in which one it was taken only by where the turn began.
  const moves = arrows.map(({ from, to, ...one }) => `${said}${from ?? 'any state'} → ${to} by ${reason(one)}`);
  const kept = stays.map((one) => `${said}${active ?? 'the state'} stays, by ${reason(one)}`);
  const words = [...moves, ...kept];
  return { active, arrows, stays, words: words.length === 0 ? [`${said}${active ?? 'unknown'}`] : words };
}

/** Names one transition of a machine. */
export function transitionKey({ state, event, index }: TransitionName): string {
  return `${state} ${event} ${index}`;
}

/** `verdict.reached, isCutOff`; a transition that is taken always has no event. */
export function reason({ event, guard }: Pick<Stay, 'event' | 'guard'>): string {
  return [event, guard].filter((word) => word !== undefined && word !== '').join(', ');
}

function activeIn({ name, states }: Region, value: unknown): string | undefined {
  const of = name === '' || typeof value !== 'object' || value === null ? value : Reflect.get(value, name);
  return states.find((state) => state === of);
}
