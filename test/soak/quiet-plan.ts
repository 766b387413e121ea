import { deployedConfig } from './draw-config.ts';
import { fairWeather } from './link-weather.ts';
import type { SeedPlan } from './seed-plan.ts';

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
