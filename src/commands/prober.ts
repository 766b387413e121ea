import { Subscription, filter, firstValueFrom, fromEvent, map, merge, of, type Observable } from 'rxjs';
import packageJson from '../../package.json' with { type: 'json' };
import { systemChance } from '../adapters/chance.ts';
import { kubeEvents } from '../adapters/events/kube-events.ts';
import { clockSetBack } from '../adapters/clock-set-back.ts';
import { AddressUnusable } from '../adapters/http/address-unusable.ts';
import { createLog, type Log } from '../adapters/log/log.ts';
import { scaledClock } from '../adapters/scaled-clock.ts';
import type { WritePermission } from '../adapters/seed/write-permission.ts';
import { systemClock as clock } from '../adapters/system-clock.ts';
import { seconds } from '../adapters/words/quantity-words.ts';
import type { CommandIo } from './command.ts';
import { warningSentence } from './config-report.ts';
import { assembleProber } from './prober/assemble-prober.ts';
import { campaign } from './prober/campaign.ts';
import { observeProber, type Observed } from './prober/observe-prober.ts';
import { openServers, type Listening } from './prober/open-servers.ts';
import { readProberOrders, type ProberOrders } from './prober/prober-orders.ts';
import { seedClients } from './prober/seed-clients.ts';

const { version } = packageJson;
const noLimit = { qps: -1, burst: -1 };

/** Of the 5 s that Gardener grants to end in; the Lease runs out by itself after that. */
const releaseWithin = 3_000;

/** `prober`: protects the shoots of a seed until it is told to end, loses the lead, or finds its clock set back (SPEC 1 to 6, 8, 9). */
export async function runProber(args: readonly string[], io: CommandIo): Promise<number> {
  // Heard from here on: one that came before its listener would end the process without a word, and a container's
  // first process would never get it.
  const signal = firstValueFrom(merge(signalled('SIGTERM'), signalled('SIGINT')));
  const orders = await readProberOrders(args, io);
  if (typeof orders === 'number') return orders;
  const { flags, config, credentials } = orders;

  const log = createLog({ level: flags.logLevel, clock });
  const observed = observeProber({ clock, config, log, version, journalDir: flags.journalDir });
  let listening: Listening;
  try {
    listening = await openServers(flags, { ...observed, log });
  } catch (error) {
    if (!(error instanceof AddressUnusable)) throw error;
    io.err(`dependency-watchdog prober: ${error.message}`);
    return 1;
  }
  log.info('the prober starts', { version, seed: credentials.origin, ports: listening.ports, config });
  for (const notice of flags.notices) log.warn(notice);
  for (const warning of orders.warnings) log.warn(`the configuration: ${warningSentence(warning)}`);

  // The one fault that no supervision holds; the journal has what led to it.
  process.once('uncaughtException', (error) => {
    log.error('the prober ends by a bug', { error });
    observed.journal.close();
    process.exit(1);
  });

  const guarding = guardSeed(orders, observed, log);
  const why = await firstValueFrom(merge(signal, guarding.lost$, setBack$));
  log.info('the prober ends', { why });
  await guarding.end();
  await listening.close();
  observed.journal.close();
  return why.startsWith('SIG') ? 0 : 1;
}

type Guarding = Readonly<{
  /** Says so once the lead is lost. */
  lost$: Observable<string>;
  /** From here on no write starts, what waits for the rate limit is never sent, and the Lease is let go (SPEC 1.4). */
  end(): Promise<void>;
}>;

/** Follows the seed, guards its shoots while this process leads, and tells the turns. */
function guardSeed({ flags, config, credentials }: ProberOrders, observed: Observed, log: Log): Guarding {
  const { told, metrics, health } = observed;
  const parts = { clock, credentials, userAgent: `dependency-watchdog-prober/${version}`, told };
  const election = flags.leaderElection && campaign(flags.leaderElection, parts, log);
  const ending = new AbortController();
  const permission: WritePermission = {
    granted: () => !ending.signal.aborted && (election?.granted() ?? true),
    ended: election === undefined ? ending.signal : AbortSignal.any([ending.signal, election.ended]),
  };
  const client = seedClients({ ...parts, rate: flags.rateLimit ?? noLimit })(permission);
  const prober = assembleProber({ clock, chance: systemChance, config, client, told });
  const events = kubeEvents({
    client,
    clock,
    component: 'dependency-watchdog-prober',
    say: (message) => log.info(message),
    onDropped: metrics.onEventDropped,
  });

  const running = new Subscription();
  running.add(
    prober.seed.synced$.pipe(filter((synced) => synced)).subscribe(() => {
      health.ready();
      log.info('the first lists of the seed are in');
    }),
  );
  const leadership$ = election?.leadership$ ?? of('leading' as const);
  const leads$ = leadership$.pipe(map((leadership) => leadership === 'leading'));
  running.add(leads$.subscribe(metrics.onLeader));
  running.add(leadership$.subscribe((leadership) => log.info('leadership', { leadership })));
  running.add(prober.guard(leads$).subscribe(observed.observer({ events: events.observe })));
  election?.start();

  return {
    lost$: leadership$.pipe(
      filter((leadership) => leadership === 'lost'),
      map(() => 'the lead is lost'),
    ),
    async end() {
      ending.abort();
      running.unsubscribe();
      events.close();
      await election?.release(releaseWithin);
    },
  };
}

/** All that is planned would come as much too late. A fresh start plans anew, and loses nothing (SPEC 1.4, 6.10). */
const setBack$ = clockSetBack(clock, scaledClock(1)).pipe(map((by) => `the clock was set back by ${seconds(by)}`));

function signalled(signal: 'SIGTERM' | 'SIGINT'): Observable<string> {
  return fromEvent(process, signal).pipe(map(() => signal));
}
