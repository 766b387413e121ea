import { longestWeederSilence } from '../../adapters/http/health.ts';
import { readWeederConfig } from '../../domain/config/read-weeder-config.ts';
import type { WeederConfig } from '../../domain/weeder/weeder-config.ts';
import type { WeederTurn } from '../../effects/turn.ts';
import type { CommandIo } from '../command.ts';
import { assembleWeeder, weederStreams } from './assemble-weeder.ts';
import type { RoleFlags } from './role-flags.ts';
import type { Role } from './role.ts';
import { runRole } from './run-role.ts';
import type { Surroundings } from './surroundings.ts';

export const weeder: Role<WeederConfig, WeederTurn> = {
  name: 'weeder',
  readConfig: (written) => readWeederConfig(written),
  assemble: assembleWeeder,
  streams: () => weederStreams,
  longestSilence: longestWeederSilence,
};

/** Runs the weeder; everything that this takes is loaded with this file. */
export async function runWeederRole(flags: RoleFlags, io: CommandIo, surroundings?: Surroundings): Promise<number> {
  return await runRole(weeder, flags, io, surroundings);
}
