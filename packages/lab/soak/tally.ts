import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { watchCharts, type ChartSeen } from './coverage/chart-coverage.ts';
import { drawPlan } from './draw-plan.ts';
import type { BrokenLaw } from './law.ts';
import { laws } from './laws.ts';
import { live } from './life.ts';
import { tellTo, type Ears } from './observation.ts';

/** What was counted in one life, or in many. Plain data, since workers send it. */
export type Tally = {
  lives: number;
  /** Simulated ms of all lives, and the same times the shoots of each. */
  lengthMs: number;
  shootMs: number;
  turns: number;
  requests: number;
  /** By name. */
  faults: Record<string, number>;
  happenings: Record<string, number>;
  deeds: Record<string, number>;
  /** `probing → leaseFailed`. */
  transitions: Record<string, number>;
  /** Of the charts, by `coverage/chart-coverage.ts`. */
  charts: ChartSeen;
  /** Replicas that our processes wrote, `to 0` or `up`. */
  writes: Record<string, number>;
  marks: number;
  replaced: number;
  /** What laws had to judge, by what: a law that never judges holds nothing. */
  judged: Record<string, number>;
};

export function emptyTally(): Tally {
  return {
    lives: 0,
    lengthMs: 0,
    shootMs: 0,
    turns: 0,
    requests: 0,
    faults: {},
    happenings: {},
    deeds: {},
    transitions: {},
    charts: {},
    writes: {},
    marks: 0,
    replaced: 0,
    judged: {},
  };
}

/** Counts what is observed. */
function counting(tally: Tally): Ears {
  return {
    turn({ turn: { kind, from, to } }) {
      tally.turns += 1;
      if (from !== to) add(tally.transitions, `${kind}: ${from ?? 'none'} → ${to}`);
    },
    request: () => void (tally.requests += 1),
    fault: ({ name }) => add(tally.faults, name),
    happening: ({ happening }) => add(tally.happenings, happening.kind),
    process: ({ did }) => add(tally.deeds, did),
    blow: ({ did }) => add(tally.deeds, `${did} at a point`),
    marked: () => void (tally.marks += 1),
    replaced: () => void (tally.replaced += 1),
    dependant: ({ of, change }) => change.writer && add(tally.writes, of.kind),
  };
}

/** Adds one tally to another. */
export function addTally(all: Tally, one: Tally): void {
  for (const key of ['lives', 'lengthMs', 'shootMs', 'turns', 'requests', 'marks', 'replaced'] as const)
    all[key] += one[key];
  for (const key of ['faults', 'happenings', 'deeds', 'transitions', 'charts', 'writes', 'judged'] as const)
    for (const [name, count] of Object.entries(one[key])) add(all[key], name, count);
}

/** `began` and now, by the machine's clock. */
export function tallyLines(tally: Tally, tookMs: Instant, workers: number): readonly string[] {
  const year = 365 * 86_400_000;
  return [
    `lives: ${tally.lives}, ${(tally.lengthMs / 86_400_000).toFixed(1)} days of seeds, ${(tally.shootMs / year).toFixed(2)} shoot-years`,
    `speed: ${Math.round(tally.lengthMs / tookMs)} times real time, with ${workers} workers`,
    `turns: ${tally.turns}; requests: ${tally.requests}; nodes marked: ${tally.marks}; Machines replaced: ${tally.replaced}`,
    ...listed('writes of ours to dependants', tally.writes),
    ...listed('processes', tally.deeds),
    ...listed('what happened', tally.happenings),
    ...listed('faults that struck a request or a watch', tally.faults),
    ...listed('what the laws judged', tally.judged),
    ...listed('transitions', tally.transitions),
  ];
}

function add(counts: Record<string, number>, name: string, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((one, other) => one + other, 0);
}

function listed(title: string, counts: Readonly<Record<string, number>>): readonly string[] {
  return [
    `${title}: ${sum(counts)}`,
    ...Object.entries(counts)
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, count]) => `  ${String(count).padStart(10)}  ${name}`),
  ];
}

/** What a number came to. */
export type Lived = Readonly<{ number: number; broken: BrokenLaw | undefined; tally: Tally }>;

/** Lives the number that belongs to a plan. */
export async function liveNumber(number: number): Promise<Lived> {
  const plan = drawPlan(number);
  const tally = emptyTally();
  const count = counting(tally);
  const watch = watchCharts(tally.charts);
  const { broken, length, judged } = await live(plan, {
    laws,
    observe(seen) {
      tellTo(count, seen);
      watch(seen);
    },
  });
  return { number, broken, tally: { ...tally, judged, lives: 1, lengthMs: length, shootMs: length * plan.shoots } };
}
