import { longestSilence } from '../../adapters/http/health.ts';
import { seedStreams } from '../../adapters/seed-watch/seed-informers.ts';
import { readProberConfig } from '../../domain/config/read-prober-config.ts';
import type { ProberConfig } from '../../domain/prober/prober-config.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { CommandIo } from '../command.ts';
import { assembleProber } from './assemble-prober.ts';
import type { RoleFlags } from './role-flags.ts';
import type { Role } from './role.ts';
import { runRole } from './run-role.ts';
import type { Surroundings } from './surroundings.ts';

export const prober: Role<ProberConfig, ShootTurn> = {
  name: 'prober',
  readConfig: (written) => readProberConfig(written),
  assemble: assembleProber,
  streams: seedStreams,
  longestSilence,
};

/** Runs the prober; everything that this takes is loaded with this file. */
export async function runProberRole(flags: RoleFlags, io: CommandIo, surroundings?: Surroundings): Promise<number> {
  return await runRole(prober, flags, io, surroundings);
}
