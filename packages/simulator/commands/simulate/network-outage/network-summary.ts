import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { jsonLengths, jsonSeconds, spreads, type Spreads } from '../story/figures.ts';
import type { Quiet } from '../story/story.ts';
import type { RunOptions } from '../story/story-run.ts';
import { isAsBefore, type NetworkModel, type ProbeCost, type ObservedShoot } from './network-model.ts';

/** What happened to one shoot. */
export type ShootSummary = Readonly<{
  shoot: ShootNamespace;
  cutOff: boolean;
  /** In simulated time; what did not happen has none. */
  lengths: Readonly<Partial<Record<keyof typeof figures, Millis>>>;
  nodesMarked: number;
  machinesReplaced: number;
  replicas: Readonly<Record<DependantKey, Readonly<{ before: number; least: number; after: number }>>>;
  /** Its internal path failed for a while, before anything else did; and something was scaled down then. */
  unasked: boolean;
  scaledUnasked: boolean;
  /** The outage healed before a node could be marked, and the watchdog had nothing to do. */
  wasBrief: boolean;
  /** If it was cut off, it was scaled down before a node was marked; if not, it was left alone. */
  isProtected: boolean;
  /** How long after a node could have been marked it was done; 0 where it was in time. */
  tooLateBy: Millis;
  /** Everything is as it was, and nothing of ours is left on it. */
  hasReturned: boolean;
  bugs: number;
}>;

export type NetworkSummary = Readonly<{
  ok: boolean;
  shoots: readonly ShootSummary[];
  /** Over the shoots that were cut off. */
  spread: Spreads<keyof typeof figures>;
  healthyProbes: Readonly<{ count: number; spread: Spreads<keyof ProbeCost> }>;
  quiet: Quiet | null;
  nodesMarked: number;
  machinesReplaced: number;
  /** What came of the one that nobody watched; null where there was none. */
  twin: Readonly<{ nodesMarked: number; machinesReplaced: number }> | null;
  /** What should have happened and did not, one sentence each. */
  missed: readonly string[];
  /** How late this machine was at worst. Each figure may be wrong by so much. */
  latest: Millis;
  length: Millis;
  /** The number of the outage, from 1. */
  outage: number;
}>;

/** Of any kind: the embedded seed knows it by its name, too. */
export function isControllerManager(key: DependantKey): boolean {
  return key.endsWith('/kube-controller-manager');
}

/** The figures of a shoot that are summed up over all shoots, and which end of each is the worst. */
const figures = {
  /** From the threshold to the command to scale the first thing down. */
  decisionDelay: 'greatest',
  /** From the threshold until nothing is left of any dependant. */
  downDelay: 'greatest',
  /** The same for the kube-controller-manager, if it is a dependant. */
  controllerManagerDelay: 'greatest',
  /**
   * How long before a node could have been marked the kube-controller-manager was gone; below 0 it may have been too
   * late. Where it is no dependant: how long before that everything was gone.
   */
  margin: 'least',
} as const;

/** Sums up a story that is over. */
export function networkSummary(model: NetworkModel): NetworkSummary {
  const rows = [...model.rows.values()];
  const shoots = rows.map((row) => shootSummary(row, model.healedAt));
  const costs = rows.flatMap(({ healthyProbes }) => healthyProbes);
  return {
    ok: model.missed.length === 0 && !shoots.some((one) => isWrong(one, model.latest)),
    shoots,
    spread: spreads(
      figures,
      shoots.map(({ lengths }) => lengths),
    ),
    healthyProbes: {
      count: costs.length,
      spread: spreads({ connections: 'greatest', shootRequests: 'greatest', seedRequests: 'greatest' }, costs),
    },
    quiet: model.quiet,
    nodesMarked: shoots.reduce((sum, { nodesMarked }) => sum + nodesMarked, 0),
    machinesReplaced: shoots.reduce((sum, { machinesReplaced }) => sum + machinesReplaced, 0),
    twin: model.twin && {
      nodesMarked: model.twin.nodesMarked,
      machinesReplaced: model.twin.machinesReplaced,
    },
    missed: model.missed,
    latest: model.latest,
    length: model.phaseAt - model.beganAt,
    outage: model.outage,
  };
}

/** It makes the story fail. What this machine was late itself, `latest`, is no fault of the watchdog. */
export function isWrong({ isProtected, tooLateBy, hasReturned, bugs }: ShootSummary, latest: Millis): boolean {
  return !isProtected || tooLateBy > latest || !hasReturned || bugs > 0;
}

function shootSummary(row: ObservedShoot, healedAt: Instant | null): ShootSummary {
  const { shoot, threat, decidedAt, downAt, nodesMarked, machinesReplaced, unasked, scaledUnasked, bugs } = row;
  const dependants = [...row.dependants];
  const wasLeftAlone = dependants.every(([, { before, least }]) => least === before);
  const own = dependants.find(([key]) => isControllerManager(key))?.[1];
  // Where nobody is to stop it, it marks what it likes, and everything else is what counts.
  const harmlessAt = own === undefined ? downAt : own.downAt;
  const wasBrief = threat !== null && healedAt !== null && healedAt < threat.firstMarkAt;
  const isUnharmed = own === undefined || nodesMarked === 0;
  const margin = threat && harmlessAt !== null ? threat.firstMarkAt - harmlessAt : undefined;
  return {
    shoot,
    cutOff: threat !== null,
    lengths: {
      ...(threat && decidedAt !== null && { decisionDelay: decidedAt - threat.crossedAt }),
      ...(threat && downAt !== null && { downDelay: downAt - threat.crossedAt }),
      ...(threat && own && own.downAt !== null && { controllerManagerDelay: own.downAt - threat.crossedAt }),
      ...(margin !== undefined && { margin }),
    },
    nodesMarked,
    machinesReplaced,
    replicas: Object.fromEntries(
      dependants.map(([key, { before, least, now }]) => [key, { before, least, after: now.replicas }]),
    ),
    isProtected: threat === null ? wasLeftAlone && nodesMarked === 0 : isUnharmed && (downAt !== null || wasBrief),
    unasked,
    scaledUnasked,
    wasBrief: wasBrief && decidedAt === null,
    tooLateBy: Math.max(0, -(margin ?? 0)),
    hasReturned: isAsBefore(row),
    bugs,
  };
}

/** The summary with its lengths in seconds, and names that say so. */
export function summaryJson(summary: NetworkSummary, { speed, seedNumber }: RunOptions): object {
  const { shoots, spread, quiet, latest, length, ...others } = summary;
  return {
    ...others,
    seconds: jsonSeconds(length),
    ...jsonLengths(spread, 'Seconds'),
    quiet: quiet && { seedRequests: quiet.seedRequests, seconds: jsonSeconds(quiet.length) },
    latestTickSeconds: jsonSeconds(latest),
    shoots: shoots.map(({ lengths, ...one }) => ({ ...one, ...jsonLengths(lengths, 'Seconds') })),
    speed,
    seed: seedNumber,
  };
}
