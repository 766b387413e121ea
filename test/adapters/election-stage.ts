import { firstValueFrom } from 'rxjs';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import { LeaderElection, type ElectionOptions, type Leadership } from '../../src/adapters/election/leader-election.ts';
import type { KubeClient, KubeRequest } from '../../src/adapters/kube/kube-client.ts';
import type { Clock } from '../../src/effects/ports.ts';
import { LeaseServer } from '@dwd/testing/lease-server.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

export const name = 'dwd-prober-leader-election';
export const start = Date.UTC(2026, 10, 21, 20, 7, 57);

export function stage() {
  const clock = new VirtualClock(start);
  return { clock, server: new LeaseServer(clock) };
}

/** A candidate that has begun, and what it reports. */
export function candidate(server: LeaseServer, clock: Clock, identity: string, options: Partial<ElectionOptions> = {}) {
  const troubles: string[] = [];
  const holders: string[] = [];
  const unwatchable: string[] = [];
  const election = new LeaderElection({
    client: server.clientOf(identity),
    clock,
    chance: seededChance(identity.length),
    namespace: 'garden',
    name,
    identity,
    leaseDuration: 15_000,
    renewDeadline: 10_000,
    retryPeriod: 2_000,
    onTry: (failure) => failure && troubles.push(failure.why),
    onHolder: (holder) => holders.push(holder),
    onUnwatchable: ({ why }) => unwatchable.push(why),
    ...options,
  });
  const told: Leadership[] = [];
  election.leadership$.subscribe((state) => told.push(state));
  election.start();
  return { election, told, troubles, holders, unwatchable };
}

/** A line on which this happens between each answer and its reader. */
export function lateLine(
  client: KubeClient,
  meanwhile: (request: KubeRequest) => Promise<unknown> | undefined,
): KubeClient {
  return {
    ...client,
    lines: (request) => client.lines(request),
    request: async (request) => {
      const answer = await client.request(request);
      await meanwhile(request);
      return answer;
    },
  };
}

/** So many milliseconds from now. */
export const after = (clock: Clock, length: number) => firstValueFrom(clock.wakeAt(clock.now() + length));
