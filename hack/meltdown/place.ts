import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import { readConfigFile } from '../../src/adapters/config/config-file.ts';
import { readProberConfig } from '../../src/domain/config/read-prober-config.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { Chance } from '../../src/effects/ports.ts';

/** Where a meltdown takes place, and with which programs and configuration. */
export type Place = Readonly<{
  /** The directory of etcd, kube-apiserver and kube-controller-manager. */
  bin: string;
  /** For logs, journal and credentials. */
  directory: string;
  /** For the prober's journal and log, where those are not wanted in `directory`. */
  journalDirectory?: string | undefined;
  logDirectory?: string | undefined;
  /** The URL of an etcd. */
  etcd: string;
  /** Where the prober reaches the servers, if it has a network of its own. */
  address?: string | undefined;
  configFile: string;
  config: ProberConfig;
  /** A stream of chance for each purpose, the same in each run of one number. */
  chance: (purpose: string) => Chance;
}>;

/** `seed`: the number that all phases come from. */
export async function preparePlace(
  given: Pick<Place, 'bin' | 'directory' | 'etcd' | 'address' | 'journalDirectory' | 'logDirectory'>,
  seed: number,
): Promise<Place> {
  const configFile = join(import.meta.dirname, '../../deploy/base/prober/dep-config.yaml');
  const read = await readConfigFile(configFile, (written) => readProberConfig(written, { strict: true }));
  if (!read.ok) throw new Error(`${configFile} cannot be read`);
  const chance = (purpose: string) =>
    seededChance(createHash('sha256').update(`${seed} ${purpose}`).digest().readUInt32BE());
  return { ...given, configFile, config: read.config, chance };
}
