import { firstValueFrom, fromEvent, map, merge, of, type Observable } from 'rxjs';
import packageJson from '../../package.json' with { type: 'json' };
import { systemChance } from '../adapters/chance.ts';
import { readConfigFile } from '../adapters/config-file.ts';
import { kubeEvents } from '../adapters/events/kube-events.ts';
import { AddressUnusable } from '../adapters/http/address-unusable.ts';
import type { HttpServer } from '../adapters/http/http-server.ts';
import { createLog } from '../adapters/log/log.ts';
import type { CredentialSource } from '../adapters/seed/credentials.ts';
import { findCredentials } from '../adapters/seed/find-credentials.ts';
import { systemClock as clock } from '../adapters/system-clock.ts';
import { readProberConfig } from '../domain/config/read-prober-config.ts';
import { refuse, type CommandIo } from './command.ts';
import { refusalReport, warningSentence } from './config-report.ts';
import { readProberFlags } from './prober-flags.ts';
import { assembleProber } from './prober/assemble-prober.ts';
import { observeProber } from './prober/observe-prober.ts';
import { openServers } from './prober/open-servers.ts';
import { seedClients } from './prober/seed-clients.ts';

const userAgent = `dependency-watchdog-prober/${packageJson.version}`;

/** `prober`: protects the shoots of a seed until it is told to end, or loses the lead (SPEC 1 to 6, 8, 9). */
export async function runProber(args: readonly string[], io: CommandIo): Promise<number> {
  const read = readProberFlags('prober', args);
  if (!read.ok) return refuse(read, io);
  const { flags } = read;
  const refused = (error: unknown) => {
    io.err(`dependency-watchdog prober: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  };

  // What is wrong is said before anything is touched (SPEC 1.3).
  const reading = await readConfigFile(flags.configFile, (written) => readProberConfig(written, { strict: false }));
  if (!reading.ok) {
    for (const line of refusalReport(flags.configFile, reading)) io.err(line);
    return 1;
  }
  const { config } = reading;
  let credentials: CredentialSource;
  try {
    credentials = findCredentials(flags.kubeconfig, io.env);
  } catch (error) {
    return refused(error);
  }

  const log = createLog({ level: flags.logLevel, clock });
  const observed = observeProber({ clock, config, log, version: packageJson.version, journalDir: flags.journalDir });
  let servers: readonly HttpServer[];
  try {
    servers = await openServers(flags, { ...observed, log });
  } catch (error) {
    if (!(error instanceof AddressUnusable)) throw error;
    return refused(error);
  }
  log.info('the prober starts', { version: packageJson.version, seed: credentials.origin, config });
  for (const notice of flags.notices) log.warn(notice);
  for (const warning of reading.warnings) log.warn(`the configuration: ${warningSentence(warning)}`);

  const ending = new AbortController();
  const clients = seedClients({
    clock,
    credentials,
    rate: flags.rateLimit ?? { qps: -1, burst: -1 },
    userAgent,
    told: observed.told,
  });
  const client = clients({ granted: () => !ending.signal.aborted, ended: ending.signal });
  const prober = assembleProber({ clock, chance: systemChance, config, client, told: observed.told });
  const ready = prober.seed.synced$.subscribe((synced) => {
    if (synced) observed.health.ready();
  });
  const events = kubeEvents({
    client,
    clock,
    component: 'dependency-watchdog-prober',
    say: (message) => log.info(message),
    onDropped: observed.metrics.onEventDropped,
  });
  const guarding = prober.guard(of(true)).subscribe({ next: observed.observer({ events: events.observe }) });

  const why = await firstValueFrom(merge(signalled('SIGTERM'), signalled('SIGINT')));
  log.info('the prober ends', { why });
  ending.abort();
  guarding.unsubscribe();
  events.close();
  ready.unsubscribe();
  observed.journal.close();
  await Promise.all(servers.map((server) => server.close()));
  return 0;
}

function signalled(signal: 'SIGTERM' | 'SIGINT'): Observable<string> {
  return fromEvent(process, signal).pipe(map(() => signal));
}
