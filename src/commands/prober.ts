import { Subscription, filter, firstValueFrom, fromEvent, map, merge, of, type Observable } from 'rxjs';
import packageJson from '../../package.json' with { type: 'json' };
import { systemChance } from '../adapters/chance.ts';
import { readConfigFile } from '../adapters/config-file.ts';
import { kubeEvents } from '../adapters/events/kube-events.ts';
import { AddressUnusable } from '../adapters/http/address-unusable.ts';
import { createLog, type Log } from '../adapters/log/log.ts';
import type { CredentialSource } from '../adapters/seed/credentials.ts';
import { scaledClock } from '../adapters/scaled-clock.ts';
import { candidateIdentity } from '../adapters/seed/candidate-identity.ts';
import { findCredentials } from '../adapters/seed/find-credentials.ts';
import { LeaderElection } from '../adapters/seed/leader-election.ts';
import { systemClock as clock } from '../adapters/system-clock.ts';
import { readProberConfig } from '../domain/config/read-prober-config.ts';
import { refuse, type CommandIo } from './command.ts';
import { refusalReport, warningSentence } from './config-report.ts';
import { readProberFlags, type LeaderElectionFlags } from './prober-flags.ts';
import { assembleProber } from './prober/assemble-prober.ts';
import { observeProber } from './prober/observe-prober.ts';
import { openServers, type Listening } from './prober/open-servers.ts';
import { seedClients, type SeedClientParts } from './prober/seed-clients.ts';

const noLimit = { qps: -1, burst: -1 };

/** Of the 5 s that Gardener grants to end in; the Lease runs out by itself after that. */
const releaseWithin = 3_000;

const userAgent = `dependency-watchdog-prober/${packageJson.version}`;

/** `prober`: protects the shoots of a seed until it is told to end, or loses the lead (SPEC 1 to 6, 8, 9). */
export async function runProber(args: readonly string[], io: CommandIo): Promise<number> {
  const read = readProberFlags('prober', args);
  if (!read.ok) return refuse(read, io);
  const { flags } = read;
  // Heard from here on: one that came before its listener would end the process without a word, and a container's
  // first process would never get it.
  const signal = firstValueFrom(merge(signalled('SIGTERM'), signalled('SIGINT')));
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
    // A kubeconfig that cannot be used is the operator's error as well; later it would be said again and again.
    await credentials.read(false);
  } catch (error) {
    return refused(error);
  }

  const log = createLog({ level: flags.logLevel, clock });
  const observed = observeProber({ clock, config, log, version: packageJson.version, journalDir: flags.journalDir });
  let listening: Listening;
  try {
    listening = await openServers(flags, { ...observed, log });
  } catch (error) {
    if (!(error instanceof AddressUnusable)) throw error;
    return refused(error);
  }
  const { ports } = listening;
  log.info('the prober starts', { version: packageJson.version, seed: credentials.origin, ports, config });
  for (const notice of flags.notices) log.warn(notice);
  for (const warning of reading.warnings) log.warn(`the configuration: ${warningSentence(warning)}`);

  const ending = new AbortController();
  const { told } = observed;
  const parts = { clock, credentials, userAgent, told };
  const election = flags.leaderElection && campaign(flags.leaderElection, parts, log);
  const client = seedClients({ ...parts, rate: flags.rateLimit ?? noLimit })({
    granted: () => !ending.signal.aborted && (election?.granted() ?? true),
    ended: election === undefined ? ending.signal : AbortSignal.any([ending.signal, election.ended]),
  });
  const prober = assembleProber({ clock, chance: systemChance, config, client, told });
  const events = kubeEvents({
    client,
    clock,
    component: 'dependency-watchdog-prober',
    say: (message) => log.info(message),
    onDropped: observed.metrics.onEventDropped,
  });

  const running = new Subscription();
  running.add(
    prober.seed.synced$.pipe(filter((synced) => synced)).subscribe(() => {
      observed.health.ready();
      log.info('the first lists of the seed are in');
    }),
  );
  const leadership$ = election?.leadership$ ?? of('leading' as const);
  const leads$ = leadership$.pipe(map((leadership) => leadership === 'leading'));
  running.add(leads$.subscribe(observed.metrics.onLeader));
  running.add(leadership$.subscribe((leadership) => log.info('leadership', { leadership })));
  running.add(prober.guard(leads$).subscribe(observed.observer({ events: events.observe })));
  election?.start();

  const lost$ = leadership$.pipe(
    filter((leadership) => leadership === 'lost'),
    map(() => 'the lead is lost'),
  );
  const why = await firstValueFrom(merge(signal, lost$));
  log.info('the prober ends', { why });

  // From here on no write starts; what waits for the rate limit is never sent (SPEC 1.4).
  ending.abort();
  running.unsubscribe();
  events.close();
  await election?.release(releaseWithin);
  await listening.close();
  observed.journal.close();
  return why.startsWith('SIG') ? 0 : 1;
}

/**
 * The election writes before anybody leads, and has a limit of its own: a renewal that waited behind hundreds of
 * scale-ups would lose the lead by them.
 */
function campaign(flags: LeaderElectionFlags, parts: Omit<SeedClientParts, 'rate'>, log: Log): LeaderElection {
  return new LeaderElection({
    ...flags,
    client: seedClients({ ...parts, rate: { qps: 0, burst: 0 } })(),
    // Monotonic: a wall clock that is set back would make the lead seem to last.
    clock: scaledClock(1),
    chance: systemChance,
    name: 'dwd-prober-leader-election',
    identity: candidateIdentity(),
    onTrouble: (line) => log.error('the leader election has trouble', { problem: line }),
  });
}

function signalled(signal: 'SIGTERM' | 'SIGINT'): Observable<string> {
  return fromEvent(process, signal).pipe(map(() => signal));
}
