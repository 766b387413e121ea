import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShootNamespace, RoleName } from 'dependency-watchdog/domain/names.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Happening } from './happening.ts';
import type { SlotName } from './observation.ts';

/** How bad the ways from a process to the servers are. Rates are of one request, or of one watch. */
export type LinkWeather = Readonly<{
  /** The least and the longest time of a request one way. */
  there: readonly [Millis, Millis];
  refused: number;
  lost: number;
  unanswered: number;
  doubled: number;
  /** 429, 500, 503, 504 from something on the way. */
  status: number;
  garbled: number;
  truncated: number;
  /** One in so many is slower by seconds. */
  slow: number;
  watchLag: readonly [Millis, Millis];
  watchSilent: number;
  watchCut: number;
  withoutBookmarks: number;
}>;

export const fairWeather: LinkWeather = {
  there: [1, 3],
  refused: 0,
  lost: 0,
  unanswered: 0,
  doubled: 0,
  status: 0,
  garbled: 0,
  truncated: 0,
  slow: 0,
  watchLag: [1, 3],
  watchSilent: 0,
  watchCut: 0,
  withoutBookmarks: 0,
};

/** What a seed and its processes are like, apart from what happens to them. */
export type SeedShape = Readonly<{
  /** The number that all of it was drawn from. */
  number: number;
  shoots: number;
  /** Shoots beside them that are hibernated all the time. */
  asleep: number;
  nodes: number;
  /** YAML. */
  proberConfig: string;
  /** Whether it is of the generation that asks by two paths. */
  twoPaths: boolean;
  /** Each dependant has one of these counts at first. */
  dependantReplicas: readonly number[];
  weederConfig: string;
  /** Whether control planes are larger than Gardener's smallest. */
  largeControlPlanes: boolean;
  /** How many replicas of each role; with more than one, or with `election`, they elect. */
  replicas: Readonly<{ prober: number; weeder: number }>;
  election: boolean;
  /** How long the weather lasts; calm comes after it. */
  weather: Millis;
  /** `--kube-api-qps`: Gardener's, or none at all. */
  qps: number;
  /** Whether its etcd may be restored from a backup. */
  restores: boolean;
  /** For how long a node must be Unknown until its Machine is replaced. */
  machineHealthTimeout: Millis;
  /** Whether processes write their journals to a disk, too. */
  journals: boolean;
  /** Whether the machines on which processes run fail them: their outputs, disks, descriptors, cores and clocks. */
  hostFails: boolean;
  /** How many API servers of the seed stand behind its address. */
  servers: number;
  /** The ways to the seed and to the shoots. */
  links: Readonly<{ seed: LinkWeather; shoot: LinkWeather }>;
  /** The processes' clocks: how far ahead at their start, and how fast they drift. */
  clocks: Readonly<{ ahead: Millis; drift: number }>;
}>;

/** A whole simulated life, drawn up front: it can be told and cut down without being lived. */
export type SeedPlan = SeedShape & Readonly<{ happenings: readonly Happening[] }>;

export function deployedConfig(role: RoleName): string {
  return readFileSync(join(import.meta.dirname, `../../../deploy/base/${role}/dep-config.yaml`), 'utf8');
}

/** A shoot of three nodes in fair weather, with Gardener's configuration and one prober; nothing happens by itself, and calm comes at once. */
export const quietPlan: SeedPlan = {
  number: 1,
  shoots: 1,
  asleep: 0,
  nodes: 3,
  proberConfig: deployedConfig('prober'),
  twoPaths: false,
  dependantReplicas: [2],
  weederConfig: deployedConfig('weeder'),
  largeControlPlanes: false,
  replicas: { prober: 1, weeder: 0 },
  election: false,
  weather: 0,
  qps: 20,
  restores: false,
  machineHealthTimeout: 600_000,
  journals: false,
  hostFails: false,
  servers: 1,
  links: { seed: fairWeather, shoot: fairWeather },
  clocks: { ahead: 0, drift: 0 },
  happenings: [],
};

export function shootNames(count: number): readonly ShootNamespace[] {
  return namesIn('shoot--demo', count);
}

/** Shoots that are hibernated for good. */
export function sleeperNames(count: number): readonly ShootNamespace[] {
  return namesIn('shoot--resting', count);
}

function namesIn(project: string, count: number): readonly ShootNamespace[] {
  return Array.from({ length: count }, (_, index) => `${project}--${String(index + 1).padStart(2, '0')}`);
}

/** The names of all processes' slots. */
export function slotNames({ replicas }: Pick<SeedShape, 'replicas'>): readonly SlotName[] {
  return (['prober', 'weeder'] as const).flatMap((role) =>
    Array.from({ length: replicas[role] }, (_, index): SlotName => `${role}-${index}`),
  );
}
