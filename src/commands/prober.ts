import { longestSilence } from '../adapters/http/health.ts';
import { seedStreams } from '../adapters/seed-watch/seed-informers.ts';
import { readProberConfig } from '../domain/config/read-prober-config.ts';
import type { ProberConfig } from '../domain/prober/prober-config.ts';
import type { CommandIo } from './command.ts';
import { assembleProber } from './role/assemble-prober.ts';
import type { Role, Surroundings } from './role/role.ts';
import { runRole } from './role/run-role.ts';

const prober: Role<ProberConfig> = {
  name: 'prober',
  readConfig: (written) => readProberConfig(written),
  assemble: assembleProber,
  streams: seedStreams,
  longestSilence,
};

/** `prober`: protects the shoots of a seed (SPEC 1 to 6, 8, 9). */
export async function runProber(args: readonly string[], io: CommandIo, surroundings?: Surroundings): Promise<number> {
  return await runRole(prober, args, io, surroundings);
}
