import { seedStreams } from '../../../src/adapters/seed-watch/seed-informers.ts';
import type { Law } from '../law.ts';
import type { Scene } from '../scene.ts';
import type { SimulatedProcess } from '../simulated-process.ts';
import type { Slot } from '../slot.ts';
import type { Bound, ProcessSeen } from './bound.ts';
import { BoundsAccount } from './bounds-account.ts';
import { boundsOfMemory } from './bounds-of-memory.ts';
import { boundsOfQueues } from './bounds-of-queues.ts';

/** Simulated seconds. What grows is seen at one look or at another, and each costs. */
const lookEvery = 10;

/** Whatever waits in a process, and whatever it keeps, is no more than what its machines, its streams and its commands are worth. */
export const bounds: Law = {
  name: '1.2 4.7 6.6 7.3 what waits and what is kept has a bound',
  begin(scene) {
    const accounts = new Map<string, BoundsAccount>();
    const judged = new Map<Bound, number>();
    const atBound = new Map<Bound, number>();
    let isSettled = false;
    let looks = 0;

    const accountOf = (process: string): BoundsAccount => {
      const account = accounts.get(process) ?? new BoundsAccount();
      accounts.set(process, account);
      return account;
    };

    const look = (): string | undefined => {
      for (const slot of scene.slots) {
        const { process } = slot;
        // What stands still has a queue before its gate, which is not its own.
        if (process === undefined || process.isPaused) continue;
        const seen = seenOf(scene, slot, process, accountOf(process.name), isSettled);
        for (const bound of [...boundsOfQueues, ...boundsOfMemory]) {
          for (const { is, most } of bound.figures(seen)) {
            judged.set(bound, (judged.get(bound) ?? 0) + 1);
            if (is === most) atBound.set(bound, (atBound.get(bound) ?? 0) + 1);
            if (is > most) return `${process.name} has ${is} ${bound.of}, and ${most} at most`;
          }
        }
      }
      return undefined;
    };

    return {
      hear(observation) {
        if (observation.kind === 'turn') accountOf(observation.process).hear(observation.turn, observation.at);
        if (observation.kind === 'throttled') accountOf(observation.process).throttled(observation.at);
        if (observation.kind !== 'process') return undefined;
        if (observation.did === 'resumed') accounts.get(observation.process)?.resumed(observation.at);
        if (observation.did === 'crashed' || observation.did === 'ended') accounts.delete(observation.process);
        return undefined;
      },
      look() {
        looks += 1;
        return looks % lookEvery === 0 ? look() : undefined;
      },
      settled() {
        isSettled = true;
        return undefined;
      },
      counts: () =>
        Object.fromEntries([
          ...[...judged].map(([bound, count]) => [`bounds of ${bound.of}`, count]),
          ...[...atBound].map(([bound, count]) => [`bounds of ${bound.of}: reached`, count]),
        ]),
    };
  },
};

function seenOf(
  scene: Scene,
  { role }: Slot,
  process: SimulatedProcess,
  account: BoundsAccount,
  isSettled: boolean,
): ProcessSeen {
  const { plan, config } = scene;
  const { watches, opening } = process.open;
  // One follows the services, and one the pods of each namespace with an open window (7.2).
  const streams = role === 'prober' ? seedStreams(config).length : 1 + account.openNamespaces();
  const ofLease = [...watches.keys()].some((path) => path.includes('/leases')) ? 1 : 0;
  return {
    now: scene.now(),
    role,
    process,
    account,
    streams,
    begun: Math.max(0, watches.size - ofLease - opening),
    isElecting: plan.election || plan.replicas[role] > 1,
    dependants: config.dependants.length,
    isSettled,
  };
}
