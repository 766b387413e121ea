import { readConfigFile } from '../../adapters/config-file.ts';
import type { CredentialSource } from '../../adapters/seed/credentials.ts';
import { findCredentials } from '../../adapters/seed/find-credentials.ts';
import { errorWords } from '../../adapters/words/error-words.ts';
import type { ConfigWarning } from '../../domain/config/config-remark.ts';
import { readProberConfig } from '../../domain/config/read-prober-config.ts';
import type { ProberConfig } from '../../domain/prober-config.ts';
import { refuse, type CommandIo } from '../command.ts';
import { refusalReport } from '../config-report.ts';
import { readProberFlags, type ProberFlags } from '../prober-flags.ts';

/** What the operator wants, as far as it can be judged before anything is touched. */
export type ProberOrders = Readonly<{
  flags: ProberFlags;
  config: ProberConfig;
  warnings: readonly ConfigWarning[];
  credentials: CredentialSource;
}>;

/** Reads flags, configuration and credentials; what is wrong is said, and gives the exit code (SPEC 1.2, 1.3). */
export async function readProberOrders(args: readonly string[], io: CommandIo): Promise<ProberOrders | number> {
  const read = readProberFlags('prober', args);
  if (!read.ok) return refuse(read, io);
  const { flags } = read;

  const reading = await readConfigFile(flags.configFile, (written) => readProberConfig(written, { strict: false }));
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
    io.err(`dependency-watchdog prober: ${errorWords(error)}`);
    return 1;
  }
}
