import { Subscription, filter, firstValueFrom, fromEvent, map, merge, of, type Observable } from 'rxjs';
import packageJson from '../../../package.json' with { type: 'json' };
import { systemChance } from '../../adapters/chance.ts';
import { clockSetBack } from '../../adapters/clock-set-back.ts';
import { kubeEvents } from '../../adapters/events/kube-events.ts';
import { AddressUnusable } from '../../adapters/http/address-unusable.ts';
import { createLog, type Log } from '../../adapters/log/log.ts';
import { scaledClock } from '../../adapters/scaled-clock.ts';
import type { WritePermission } from '../../adapters/seed/write-permission.ts';
import { systemClock as clock } from '../../adapters/system-clock.ts';
import { seconds } from '../../adapters/words/quantity-words.ts';
import type { CommandIo } from '../command.ts';
import { warningSentence } from '../config-report.ts';
import { campaign } from './campaign.ts';
import { observeRole, type Observed } from './observe-role.ts';
import { openServers, type Listening } from './open-servers.ts';
import { readRoleOrders, type RoleOrders } from './role-orders.ts';
import type { Role } from './role.ts';
import { seedClients } from './seed-clients.ts';

const { version } = packageJson;
const noLimit = { qps: -1, burst: -1 };

/** Of the 5 s that Gardener grants to end in; the Lease runs out by itself after that. */
const releaseWithin = 3_000;

/** Runs a role on a seed until it is told to end, loses the lead, or finds its clock set back (SPEC 1.2 to 1.4, 8, 9). Resolves to the exit code. */
export async function runRole<Config>(role: Role<Config>, args: readonly string[], io: CommandIo): Promise<number> {
  // Heard from here on: one that came before its listener would end the process without a word, and a container's
  // first process would never get it.
  const signal = firstValueFrom(merge(signalled('SIGTERM'), signalled('SIGINT')));
  const orders = await readRoleOrders(role, args, io);
  if (typeof orders === 'number') return orders;
  const { flags, config, credentials } = orders;

  const log = createLog({ level: flags.logLevel, clock });
  const observed = observeRole(role, { clock, config, log, version, journalDir: flags.journalDir });
  let listening: Listening;
  try {
    listening = await openServers(flags, { ...observed, log });
  } catch (error) {
    if (!(error instanceof AddressUnusable)) throw error;
    io.err(`dependency-watchdog ${role.name}: ${error.message}`);
    return 1;
  }
  log.info(`the ${role.name} starts`, { version, seed: credentials.origin, ports: listening.ports, config });
  for (const notice of flags.notices) log.warn(notice);
  for (const warning of orders.warnings) log.warn(`the configuration: ${warningSentence(warning)}`);

  // The one fault that no supervision holds; the journal has what led to it.
  process.once('uncaughtException', (error) => {
    log.error(`the ${role.name} ends by a bug`, { error });
    observed.journal.close();
    process.exit(1);
  });

  const acting = actOnSeed(role, orders, observed, log);
  const why = await firstValueFrom(merge(signal, acting.lost$, setBack$));
  log.info(`the ${role.name} ends`, { why });
  await acting.end();
  await listening.close();
  observed.journal.close();
  return why.startsWith('SIG') ? 0 : 1;
}

type Acting = Readonly<{
  /** Says so once the lead is lost. */
  lost$: Observable<string>;
  /** From here on no write starts, what waits for the rate limit is never sent, and the Lease is let go (SPEC 1.4). */
  end(): Promise<void>;
}>;

/** Follows the seed, acts while this process leads, and tells the turns. */
function actOnSeed<Config>(
  role: Role<Config>,
  { flags, config, credentials }: RoleOrders<Config>,
  observed: Observed,
  log: Log,
): Acting {
  const { told, metrics, health } = observed;
  const component = `dependency-watchdog-${role.name}`;
  const parts = { clock, credentials, userAgent: `${component}/${version}`, told };
  const election = flags.leaderElection && campaign(role.name, flags.leaderElection, parts, log);
  const ending = new AbortController();
  const permission: WritePermission = {
    granted: () => !ending.signal.aborted && (election?.granted() ?? true),
    ended: election === undefined ? ending.signal : AbortSignal.any([ending.signal, election.ended]),
  };
  const client = seedClients({ ...parts, rate: flags.rateLimit ?? noLimit })(permission);
  const assembled = role.assemble({ clock, chance: systemChance, config, client, told });
  const events = kubeEvents({ client, clock, component, ...observed.events });

  const running = new Subscription();
  running.add(
    assembled.synced$.pipe(filter((synced) => synced)).subscribe(() => {
      health.ready();
      log.info('the first lists of the seed are in');
    }),
  );
  const leadership$ = election?.leadership$ ?? of('leading' as const);
  const leads$ = leadership$.pipe(map((leadership) => leadership === 'leading'));
  running.add(leads$.subscribe(metrics.onLeader));
  running.add(leadership$.subscribe((leadership) => log.info('leadership', { leadership })));
  running.add(assembled.turns(leads$).subscribe(observed.observer({ events: events.observe })));
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
