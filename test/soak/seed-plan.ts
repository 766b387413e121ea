import type { Millis } from '../../src/domain/time.ts';
import type { Happening } from './happening.ts';
import type { LinkWeather } from './link-weather.ts';

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
