import { systemClock } from '../../adapters/clock/wall-clock.ts';
import { readConfigFile } from '../../adapters/config/config-file.ts';
import { knowServer, type KnownServer } from '../../adapters/credentials/credentials.ts';
import { findCredentials } from '../../adapters/credentials/find-credentials.ts';
import { journalDirectoryProblem } from '../../adapters/record/journal/journal-directory.ts';
import { errorWords } from '../../adapters/words/plain-words.ts';
import type { ConfigWarning } from '../../domain/config/config-remark.ts';
import type { CommandIo } from '../command.ts';
import { refusalReport } from '../config-report.ts';
import type { RoleFlags } from './role-flags.ts';
import type { Role } from './role.ts';

/** The operator's orders, as far as they can be checked before anything is touched. */
export type RoleOrders<Config> = Readonly<{
  flags: RoleFlags;
  config: Config;
  warnings: readonly ConfigWarning[];
  /** Sentences about the kubeconfig, and about what else says how the seed is reached. */
  credentialWarnings: readonly string[];
  credentials: KnownServer;
}>;

/** Reads configuration and credentials. If something is wrong, prints it and returns the exit code (SPEC 1.2, 1.3). */
export async function readRoleOrders<Config>(
  { name, readConfig }: Pick<Role<Config>, 'name' | 'readConfig'>,
  flags: RoleFlags,
  io: CommandIo,
): Promise<RoleOrders<Config> | number> {
  const reading = await readConfigFile(flags.configFile, readConfig);
  if (!reading.ok) {
    for (const line of refusalReport(flags.configFile, reading)) io.err(line);
    return 1;
  }
  try {
    const credentials = knowServer(findCredentials(flags.kubeconfig, io.env));
    // A kubeconfig that cannot be used is the operator's error too. Later the same error would be reported again and again.
    const { warnings = [] } = await credentials.read(false);
    const problem =
      flags.journalDir === undefined ? undefined : await journalDirectoryProblem(flags.journalDir, systemClock);
    if (problem !== undefined) {
      io.err(`dependency-watchdog ${name}: ${problem}`);
      return 1;
    }
    const credentialWarnings = [
      ...warnings.map((warning) => `${credentials.origin}: ${warning}`),
      ...proxyWarning(io.env),
    ];
    return { flags, config: reading.config, warnings: reading.warnings, credentials, credentialWarnings };
  } catch (error) {
    io.err(`dependency-watchdog ${name}: ${errorWords(error)}`);
    return 1;
  }
}

/** Go's watchdog would go through it. Whoever relies on that must not wonder why the seed cannot be reached. */
function proxyWarning(env: NodeJS.ProcessEnv): readonly string[] {
  const name = ['HTTPS_PROXY', 'https_proxy'].find((one) => env[one]);
  return name === undefined ? [] : [`$${name} has no effect: the seed and the shoots are reached without a proxy`];
}
