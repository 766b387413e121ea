import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { jsonLengths, jsonSeconds, spreads, type Spread, type Spreads } from '../story/figures.ts';
import type { EtcdOptions } from './etcd-words.ts';
import {
  bySide,
  dependantStages,
  isAllWell,
  stages,
  type ControlPlaneModel,
  type DependantStage,
  type PlaneRow,
  type RequestCounts,
  type Side,
} from './control-plane-model.ts';

/** From etcd's return until the pods of a stage were ready and stayed so until the end; missing if they never were. */
type Recovery = Readonly<Partial<Record<DependantStage, Millis>>>;

/** What happened to one control plane. Lengths of time are simulated. */
export type PlaneSummary = Readonly<{
  shoot: ShootNamespace;
  recovery: Readonly<Record<Side, Recovery>>;
  /** Pods that the weeder deleted. */
  deleted: number;
  hasRecovered: boolean;
  /** Pods that the weeder deleted against S8, one sentence each. */
  faults: readonly string[];
  bugs: number;
}>;

export type EtcdSummary = Readonly<{
  ok: boolean;
  planes: readonly PlaneSummary[];
  recovery: Readonly<Record<Side, Spreads<DependantStage>>>;
  /** From a service's return, or from the moment a pod began to wait if that was later, to the first deletion. */
  reaction: Spread | undefined;
  deleted: number;
  /** With the weeder each stage took, at worst, no more than half as long as without it. */
  isFaster: boolean;
  requests: RequestCounts;
  /** What should have happened and did not, one sentence each. */
  missed: readonly string[];
  /** How late this machine was at worst while the weeder worked. Each of its figures may be wrong by so much. */
  latest: Millis;
  length: Millis;
  /** The number of the outage, from 1. */
  outage: number;
}>;

/** A weeder that saves less than half of the time has missed something. Chance alone saves less. */
const mostOfUnaided = 0.5;

/** Sums up a story that is over. */
export function etcdSummary(model: ControlPlaneModel): EtcdSummary {
  const rows = [...model.rows.values()];
  const planes = rows.map((row) => planeSummary(row, model));
  const recovery = bySide((side) =>
    spreads(
      { apiServers: 'greatest', controllers: 'greatest' },
      planes.map((plane) => plane.recovery[side]),
    ),
  );
  const reactions = rows.flatMap(({ weeded }) => dependantStages.map((stage) => weeded[stage].reaction ?? undefined));
  const isFaster = dependantStages.every(
    (stage) => (recovery.weeded[stage]?.worst ?? Infinity) <= mostOfUnaided * (recovery.unaided[stage]?.worst ?? 0),
  );
  return {
    ok: model.missed.length === 0 && isFaster && !planes.some(isWrong),
    planes,
    recovery,
    reaction: spreads(
      { reaction: 'greatest' },
      reactions.map((reaction) => (reaction === undefined ? {} : { reaction })),
    ).reaction,
    deleted: planes.reduce((sum, { deleted }) => sum + deleted, 0),
    isFaster,
    requests: model.requests,
    missed: model.missed,
    latest: model.latest,
    length: model.phaseAt - model.beganAt,
    outage: model.outage,
  };
}

/** It makes the story fail. */
export function isWrong({ hasRecovered, faults, bugs }: PlaneSummary): boolean {
  return !hasRecovered || faults.length > 0 || bugs > 0;
}

function planeSummary(row: PlaneRow, { phase }: ControlPlaneModel): PlaneSummary {
  const { shoot, weeded, faults, bugs } = row;
  return {
    shoot,
    recovery: bySide((side) => recoveryOf(row[side])),
    deleted: stages.reduce((sum, stage) => sum + weeded[stage].deleted, 0),
    hasRecovered: phase === 'over' && isAllWell(row),
    faults,
    bugs,
  };
}

function recoveryOf(row: PlaneRow[Side]): Recovery {
  const { servingSince } = row.etcd;
  const recovery: { -readonly [Each in DependantStage]?: Millis } = {};
  for (const stage of dependantStages) {
    const { wellSince } = row[stage];
    // A stage that never went down did not recover.
    if (servingSince !== null && wellSince !== null && wellSince > servingSince)
      recovery[stage] = wellSince - servingSince;
  }
  return recovery;
}

/** The summary with its lengths in seconds, and names that say so. */
export function etcdSummaryJson(summary: EtcdSummary, { speed, slowSpeed, seedNumber }: EtcdOptions): object {
  const { planes, recovery, reaction, latest, length, ...others } = summary;
  return {
    ...others,
    seconds: jsonSeconds(length),
    ...jsonLengths({ recovery, reaction }, 'Seconds'),
    latestTickSeconds: jsonSeconds(latest),
    controlPlanes: planes.map(({ recovery: own, ...plane }) => ({ ...plane, recoverySeconds: jsonLengths(own) })),
    speed,
    slowSpeed,
    seed: seedNumber,
  };
}
