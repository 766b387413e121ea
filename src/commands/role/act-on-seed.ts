import { hostname } from 'node:os';
import { filter, map, of, Subscription, type Observable, firstValueFrom, merge } from 'rxjs';
import { whenAborted } from '../../adapters/clock/deadline.ts';
import { kubeEvents } from '../../adapters/record/events/kube-events.ts';
import { listedLater, SeedHistory } from '../../adapters/reflector/seed-history.ts';
import type { RequestSeen, WritePermission } from '../../adapters/kube/kube-client.ts';
import type { Log } from '../../adapters/record/log/log.ts';
import { seconds } from '../../adapters/words/plain-words.ts';
import { campaign } from './campaign.ts';
import type { Observed } from './observe-role.ts';
import type { RoleOrders } from './role-orders.ts';
import type { Role } from './role.ts';
import { leaseNameOf } from '../../adapters/election/lease-record.ts';
import type { Surroundings } from './surroundings.ts';
import { seedClients } from './seed-clients.ts';
import { clockSetBack } from '../../adapters/clock/wall-clock.ts';

/** Part of the 5 s that Gardener grants for ending. After that the Lease runs out by itself. */
const releaseWithin = 3_000;

type Acting = Readonly<{
  /** Emits once the lead is lost. */
  lost$: Observable<string>;
  /** From now on no write starts, waiting requests are never sent, and the Lease is released (SPEC 1.4). */
  end(): Promise<void>;
}>;

/** Follows the seed, acts while this process leads, and passes the turns on to the observers. */
function actOnSeed<Config>(
  role: Role<Config>,
  { flags, config, credentials }: RoleOrders<Config>,
  { observed, log, version }: Readonly<{ observed: Observed; log: Log; version: string }>,
  surroundings: Surroundings,
): Acting {
  const { clock, steady, chance, dial, connect, heap } = surroundings;
  const { hooks, metrics, health } = observed;
  const component = `dependency-watchdog-${role.name}`;
  const onSeedRequest = (seen: RequestSeen): void => {
    hooks.onSeedRequest(seen);
    // Nothing but a scale is patched.
    if (seen.verb === 'patch') heap?.works();
  };
  const requestHooks = { ...hooks, onSeedRequest };
  const parts = { clock, credentials, userAgent: `${component}/${version}`, hooks: requestHooks, dial };
  const server = () => credentials.server;
  // What one of them finds out is true for all.
  const history = new SeedHistory();
  const election =
    flags.leaderElection && campaign(role.name, flags.leaderElection, { ...parts, log, server, history }, surroundings);
  const ending = new AbortController();
  if (election) whenAborted(election.ended, () => ending.abort());
  const permission: WritePermission = {
    granted: () => !ending.signal.aborted && (election?.granted() ?? true),
    ended: ending.signal,
  };
  const client = seedClients({ ...parts, rate: flags.rate, slowed: observed.slowed })(permission);
  const assembled = role.assemble({ clock, steady, chance, config, client, hooks, history, connect });
  const events = kubeEvents({ client, clock, component, ...observed.events });

  const running = new Subscription();
  running.add(
    assembled.synced$.pipe(filter((synced) => synced)).subscribe(() => {
      health.ready();
      log.info('the first lists of the seed are in', { server: credentials.server });
      if (!permission.granted()) heap?.standsBy();
    }),
  );
  const leadership$ = election?.leadership$ ?? of('leading' as const);
  const leads$ = leadership$.pipe(map((leadership) => leadership === 'leading'));
  const taken$ = leads$.pipe(filter((leads) => leads));
  running.add(listedLater(history, clock, election ? taken$ : history.suspected$).subscribe());
  // Without an election nobody takes the lead from a process that cannot read the seed. It must not look as if it led.
  const elects = election !== undefined;
  const unelected = { identity: surroundings.identity ?? hostname(), how: 'noElection' } as const;
  running.add(
    taken$.subscribe(() => {
      const taken = election === undefined ? unelected : { identity: election.identity, ...election.taken };
      observed.journal.lead({ ...taken, tookAt: clock.now() });
    }),
  );
  running.add((elects ? leads$ : observed.streams.someLive$).subscribe((leads) => observed.onLead({ leads, elects })));
  if (election) running.add(leads$.subscribe((leads) => metrics.onElected(leaseNameOf(role.name), leads)));
  if (election === undefined) log.info('leads: the election is off', { line: 'leadership', leadership: 'leading' });
  running.add(leads$.subscribe(observed.roll.onLead));
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
      const failure = await election?.release(releaseWithin);
      if (failure === undefined || flags.leaderElection === undefined) return;
      const { namespace, leaseDuration } = flags.leaderElection;
      const runsOut = `it runs out by itself within ${seconds(leaseDuration)}`;
      const what = `the Lease ${namespace}/${leaseNameOf(role.name)} on ${server()}`;
      log.warn(`cannot release ${what}, ${runsOut}: ${failure.why}`, { line: 'cannot release the Lease' });
    },
  };
}

/** Acts on the seed until a signal comes, the lead is lost, or the clock is set back (SPEC 1.4, 8). Resolves to why, once no write is under way any more. */
export async function actUntil<Config>(
  role: Role<Config>,
  orders: RoleOrders<Config>,
  {
    observed,
    log,
    version,
    signal,
  }: Readonly<{ observed: Observed; log: Log; version: string; signal: Observable<string> | Promise<string> }>,
  surroundings: Surroundings,
): Promise<string> {
  const acting = actOnSeed(role, orders, { observed, log, version }, surroundings);
  // Everything that is planned would come too late by as much. A fresh start plans anew, and loses nothing (SPEC 1.4, 6.10).
  const setBack$ = clockSetBack(surroundings.clock, surroundings.steady).pipe(
    map((by) => `the clock was set back by ${seconds(by)}`),
  );
  const why = await firstValueFrom(merge(signal, acting.lost$, setBack$));
  observed.flush();
  log.info(`the ${role.name} ends: ${why}`, { line: `the ${role.name} ends`, why });
  observed.roll.end();
  await acting.end();
  observed.journal.leadEnded(why);
  return why;
}
