import { readConfigFile } from '../../adapters/config/config-file.ts';
import type { CredentialSource } from '../../adapters/credentials/credentials.ts';
import { findCredentials } from '../../adapters/credentials/find-credentials.ts';
import { errorWords } from '../../adapters/words/plain-words.ts';
import type { ConfigWarning } from '../../domain/config/config-remark.ts';
import { refuse, type CommandIo } from '../command.ts';
import { refusalReport } from '../config-report.ts';
import { readRoleFlags, type RoleFlags } from './role-flags.ts';
import type { Role } from './role.ts';

/** What the operator wants, as far as it can be judged before anything is touched. */
export type RoleOrders<Config> = Readonly<{
  flags: RoleFlags;
  config: Config;
  warnings: readonly ConfigWarning[];
  credentials: CredentialSource;
}>;

/** Reads flags, configuration and credentials; what is wrong is said, and gives the exit code (SPEC 1.2, 1.3). */
export async function readRoleOrders<Config>(
  { name, readConfig }: Pick<Role<Config>, 'name' | 'readConfig'>,
  args: readonly string[],
  io: CommandIo,
): Promise<RoleOrders<Config> | number> {
  const read = readRoleFlags(name, args);
  if (!read.ok) return refuse(read, io);
  const { flags } = read;

  const reading = await readConfigFile(flags.configFile, readConfig);
  if (!reading.ok) {
    for (const line of refusalReport(flags.configFile, reading)) io.err(line);
    return 1;
  }
  try {
    const credentials = findCredentials(flags.kubeconfig, io.env);
    // A kubeconfig that cannot be used is the operator's error as well; later it would be said again and again.
    await credentials.read(false);
    return { flags, config: reading.config, warnings: reading.warnings, credentials };
  } catch (error) {
    io.err(`dependency-watchdog ${name}: ${errorWords(error)}`);
    return 1;
  }
}
