import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { readConfigFile } from 'dependency-watchdog/adapters/config/config-file.ts';
import { readProberConfig } from 'dependency-watchdog/domain/config/read-prober-config.ts';
import { hasTwoPaths, type ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { MachinePrograms } from '../real/machine-controller-manager.ts';
import type { Ground } from '../real/ground.ts';
import type { Chance } from 'dependency-watchdog/effects/ports.ts';
import { oneOfOption } from '../options/read-options.ts';

const generations = ['leases', 'two-paths'] as const;
/** By what shoots are judged: the leases of their nodes, or the two paths to their API server (SPEC 4.9). */
export type Generation = (typeof generations)[number];

/** Where a meltdown takes place, and with which programs and configuration. */
export type Place = Ground &
  Readonly<{
    /** For the prober's journal and log, where those are not wanted in `directory`. */
    journalDirectory?: string | undefined;
    logDirectory?: string | undefined;
    /** Where the prober reaches the servers, if it has a network of its own. */
    address?: string | undefined;
    /** By how much the kubelets' clocks are ahead of the time, in ms; below 0: behind. */
    kubeletsAhead?: number;
    /** The program of the hollow kubelets; without it, kubelets are played. */
    hollowKubelet?: string | undefined;
    /** Of real Machines; without them, Machines are played: nobody replaces one. */
    machinePrograms?: MachinePrograms | undefined;
    /** API servers are silent for a while: the prober goes through a load balancer of its own, and controller-managers have to hold their Leases. */
    silences?: boolean;
    configFile: string;
    config: ProberConfig;
    /** A stream of chance for each purpose, the same in each run of one number. */
    chance: (purpose: string) => Chance;
  }>;

const configFiles: Readonly<Record<Generation, string>> = {
  leases: join(import.meta.dirname, '../../../deploy/base/prober/dep-config.yaml'),
  'two-paths': join(import.meta.dirname, 'two-paths.yaml'),
};

export function generationOf({ config }: Pick<Place, 'config'>): Generation {
  return hasTwoPaths(config) ? 'two-paths' : 'leases';
}

/** A generation, for the configuration that Gardener has in it, or would have; or the configuration's file. */
export type Configured = Generation | Readonly<{ file: string }>;

/** `seed`: the number that all phases come from. Rejects with a sentence where the configuration cannot be used. */
export async function preparePlace(
  given: Omit<Place, 'configFile' | 'config' | 'chance'>,
  seed: number,
  configured: Configured = 'leases',
): Promise<Place> {
  const configFile = typeof configured === 'string' ? configFiles[configured] : configured.file;
  const strict = typeof configured === 'string';
  const read = await readConfigFile(configFile, (written) => readProberConfig(written, { strict }));
  if (!read.ok) throw new Error(`${configFile} cannot be used; dependency-watchdog validate says why`);
  const chance = (purpose: string) =>
    seededChance(createHash('sha256').update(`${seed} ${purpose}`).digest().readUInt32BE());
  return { ...given, configFile, config: read.config, chance };
}

/** The options by which an operator picks the prober's configuration, for `parseArgs`. */
export const configuredOptions = { generation: { type: 'string' }, 'config-file': { type: 'string' } } as const;

/** What they pick; Gardener's configuration where there is neither. Throws a sentence where they do not fit. */
export function configuredBy({
  generation,
  'config-file': file,
}: Readonly<{ generation?: string | undefined; 'config-file'?: string | undefined }>): Configured {
  if (generation !== undefined && file !== undefined)
    throw new Error('--generation and --config-file do not go together: the file says of which generation it is');
  if (file !== undefined) return { file };
  return generation === undefined ? 'leases' : oneOfOption('generation', generation, generations);
}
