import { seededChance } from '../../../adapters/clock/chance.ts';
import { readYamlConfig } from '../../../adapters/config/yaml-config.ts';
import { readProberConfig } from '../../../domain/config/read-prober-config.ts';
import type { Chance, Clock } from '../../../effects/ports.ts';
import type { Authorize } from '../../../simulator/api/access.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import { gardenerControlPlane, type PodGroup } from '../../../simulator/workloads/pod-group.ts';
import { gardenerProberConfig } from '../story/story-config.ts';

export const weederUser = 'dependency-watchdog-weeder';

/** What Gardener grants the weeder in the seed. */
const granted: Readonly<Record<string, readonly string[]>> = {
  pods: ['get', 'list', 'watch', 'delete'],
  endpointslices: ['get', 'list', 'watch'],
};

/** Permits the weeder what Gardener grants it, and everybody else everything. */
export const weederGrants: Authorize = ({ user, verb, resource }) =>
  user !== weederUser || granted[resource]?.includes(verb) === true;

/** A seed with nothing but control planes. Two with one seed number are equal. */
export async function startControlPlanes(clock: Clock, seedNumber: number, count: number): Promise<EmbeddedSeed> {
  const config = readYamlConfig(gardenerProberConfig, (written) => readProberConfig(written));
  if (!config.ok) throw new Error('the built-in configuration of the prober cannot be read');
  const chance = seededChance(seedNumber);
  const seed = await startEmbeddedSeed({
    clock,
    chance,
    config: config.config,
    shoots: 0,
    nodes: 0,
    authorize: weederGrants,
  });
  const times = seededChance(seedNumber + 1);
  const width = Math.max(2, String(count).length);
  for (let number = 1; number <= count; number += 1)
    seed.addControlPlane(`shoot--demo--${String(number).padStart(width, '0')}`, variedGroups(times));
  return seed;
}

/**
 * A control plane's pods. Each group has times of its own, from half as long to half as long again. With equal times all pods
 * would leave their back-offs at the same instant, which happens on no real seed.
 */
function variedGroups(chance: Chance): readonly PodGroup[] {
  const varied = (length: number): number => Math.round(length * (0.5 + chance()));
  return gardenerControlPlane.map((group) => ({
    ...group,
    startTime: varied(group.startTime),
    failsAfter: varied(group.failsAfter ?? 1_000),
    toleratesFor: varied(group.toleratesFor),
  }));
}
