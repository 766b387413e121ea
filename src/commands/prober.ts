import { refuse, type CommandIo } from './command.ts';
import { readRoleFlags } from './role/role-flags.ts';
import type { Surroundings } from './role/surroundings.ts';
import { whileLoading } from './while-loading.ts';

/** `prober`: protects the shoots of a seed (SPEC 1 to 6, 8, 9). Its help, and what is wrong with a flag, are said before the rest is loaded. */
export async function runProber(args: readonly string[], io: CommandIo, surroundings?: Surroundings): Promise<number> {
  const read = readRoleFlags('prober', args);
  if (!read.ok) return refuse(read, io);
  const { runProberRole } = await whileLoading(() => import('./role/prober-role.ts'));
  return await runProberRole(read.flags, io, surroundings);
}
