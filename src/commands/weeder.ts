import { refuse, type CommandIo } from './command.ts';
import { readRoleFlags } from './role/role-flags.ts';
import type { Surroundings } from './role/surroundings.ts';
import { whileLoading } from './while-loading.ts';

/** `weeder`: restarts what crash-loops once its service is back (SPEC 1, 7, 8, 9). Its help, and what is wrong with a flag, are said before the rest is loaded. */
export async function runWeeder(args: readonly string[], io: CommandIo, surroundings?: Surroundings): Promise<number> {
  const read = readRoleFlags('weeder', args);
  if (!read.ok) return refuse(read, io);
  const { runWeederRole } = await whileLoading(() => import('./role/weeder-role.ts'));
  return await runWeederRole(read.flags, io, surroundings);
}
