import { longestWeederSilence } from '../adapters/http/health.ts';
import { readWeederConfig } from '../domain/config/read-weeder-config.ts';
import type { WeederConfig } from '../domain/weeder/weeder-config.ts';
import type { CommandIo } from './command.ts';
import { assembleWeeder, weederStreams } from './role/assemble-weeder.ts';
import type { Role, Surroundings } from './role/role.ts';
import { runRole } from './role/run-role.ts';

const weeder: Role<WeederConfig> = {
  name: 'weeder',
  readConfig: (written) => readWeederConfig(written),
  assemble: assembleWeeder,
  streams: () => weederStreams,
  longestSilence: longestWeederSilence,
};

/** `weeder`: restarts what crash-loops once its service is back (SPEC 1, 7, 8, 9). */
export async function runWeeder(args: readonly string[], io: CommandIo, surroundings?: Surroundings): Promise<number> {
  return await runRole(weeder, args, io, surroundings);
}
