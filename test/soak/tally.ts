import type { ChartSeen } from './coverage/chart-coverage.ts';
import type { Instant } from '../../src/domain/time.ts';
import type { Observation } from './observation.ts';

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
export function counting(tally: Tally): (observation: Observation) => void {
  return (seen) => {
    switch (seen.kind) {
      case 'turn': {
        tally.turns += 1;
        const { kind, from, to } = seen.turn;
        if (from !== to) add(tally.transitions, `${kind}: ${from ?? 'none'} → ${to}`);
        return;
      }
      case 'request':
        tally.requests += 1;
        return;
      case 'fault':
        return add(tally.faults, seen.name);
      case 'happening':
        return add(tally.happenings, seen.happening.kind);
      case 'process':
        return add(tally.deeds, seen.did);
      case 'blow':
        return add(tally.deeds, `${seen.did} at a point`);
      case 'marked':
        tally.marks += 1;
        return;
      case 'replaced':
        tally.replaced += 1;
        return;
      case 'change': {
        if (seen.change.writer === undefined || seen.of.scale === undefined) return;
        return add(tally.writes, seen.of.kind);
      }
      case 'throttled':
      case 'calm':
      case 'bug':
        return;
      default:
        return seen satisfies never;
    }
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
