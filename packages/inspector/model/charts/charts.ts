import drawn from './drawn-charts.json' with { type: 'json' };
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import { shootMachine } from 'dependency-watchdog/machines/shoot.ts';
import { weederMachine } from 'dependency-watchdog/machines/weeder.ts';
import { explainers } from '../explanation/explain-turn.ts';
import type { AskedGuard, GuardWords, TakenTransition, TransitionName } from '../explanation/explanation.ts';
import { chartModel, type Arrow, type Region, type Stay, type DrawnChart } from './chart-model.ts';

/** The charts of all machines. */
export const chartModels: Readonly<Record<keyof Languages, readonly Region[]>> = {
  shoot: chartModel(shootMachine),
  weeder: chartModel(weederMachine),
};

/** All charts with the coordinates that `npm run docs` gave them. A test fails when they are not the machines'. */
export const drawnCharts = drawn as unknown as Readonly<Record<keyof Languages, DrawnChart>>;

/** What a region shows of one turn. */
export type LitRegion = Readonly<{
  /** The active state; undefined where nothing tells. */
  active: string | undefined;
  /** The arrows of the turn, in the order in which they were taken. */
  arrows: readonly Arrow[];
  /** Those whose guards were asked in the turn, and said no. */
  refused: readonly Arrow[];
  /** What was done without a change of state. */
  stays: readonly Stay[];
  /** The same for a reader who does not see the picture, a sentence each; without transitions, where the region is. */
  words: readonly string[];
}>;

/** What a region is called where somebody reads it; "shield" is the machine's own word. */
export function regionWords(region: string): string {
  return region === 'shield' ? 'scaling' : region;
}

/** A state without its region, whose names are told apart anyway: `probing` of `shield.probing`; empty for a region itself. */
export function bareState(state: string): string {
  return Object.values(chartModels).some((regions) => regions.some(({ name }) => name === state))
    ? ''
    : state.slice(state.indexOf('.') + 1);
}

/** `value`: the active states, as a snapshot has them. `asked`: the guards of the turn, with their answers. */
export function litRegion(
  region: Region,
  value: unknown,
  taken: readonly TakenTransition[],
  asked: readonly Pick<AskedGuard, keyof TransitionName | 'answer'>[] = [],
): LitRegion {
  const named = stateIn(region.name, value);
  const active = region.states.find((state) => state === named);
  const find = <One extends TransitionName>(all: readonly One[], those: readonly TransitionName[]) =>
    those.flatMap((one) => all.find((each) => transitionKey(each) === transitionKey(one)) ?? []);
  const [arrows, stays] = [find(region.arrows, taken), find(region.stays, taken)];
  const saidNo = new Set(asked.filter(({ answer }) => !answer).map(transitionKey));
  const refused = region.arrows.filter((arrow) => saidNo.has(transitionKey(arrow)) && !arrows.includes(arrow));
  const said = region.name === '' ? '' : `${regionWords(region.name)}: `;
  // A transition of all states says in which one it was taken only by where the turn began.
  const moves = arrows.map(({ from, to, ...one }) => `${said}${from ?? 'any state'} → ${to} by ${reason(one)}`);
  const kept = stays.map((one) => `${said}${active ?? 'the state'} stays, by ${reason(one)}`);
  const words = [...moves, ...kept];
  return { active, arrows, refused, stays, words: words.length === 0 ? [`${said}${active ?? 'unknown'}`] : words };
}

/** Names one transition of a machine. */
export function transitionKey({ state, event, index }: TransitionName): string {
  return `${state} ${event} ${index}`;
}

/** `verdict.reached, isCutOff`; a transition that is taken always has no event. */
function reason({ event, guard }: Pick<Stay, 'event' | 'guard'>): string {
  return [event, guard].filter((word) => word !== undefined && word !== '').join(', ');
}

/** Where a snapshot's value has a region; the value itself where the machine has none. */
export function stateIn(region: string, value: unknown): unknown {
  return region === '' || typeof value !== 'object' || value === null ? value : Reflect.get(value, region);
}

/** The question of a guard, and the rules that it carries out; undefined for none. */
export function guardAsks(kind: keyof Languages, guard: string | undefined): GuardWords<unknown, unknown> | undefined {
  return guard === undefined ? undefined : explainers[kind].guards[guard];
}

/** What an arrow stands for, and what it asks: `probing → leaseFailed by verdict.reached, isCutOff. Is the shoot cut off? Rules 5.1, 5.3` */
export function arrowWords(kind: keyof Languages, arrow: Arrow): string {
  const way = `${arrow.from ?? 'any state'} → ${arrow.to} by ${reason(arrow)}`;
  const asked = guardAsks(kind, arrow.guard);
  if (asked === undefined) return way;
  const { question, rules } = asked;
  const named = rules.length === 0 ? '' : ` ${rules.length === 1 ? 'Rule' : 'Rules'} ${rules.join(', ')}`;
  return `${way}. ${question}${named}`;
}
