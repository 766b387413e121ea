import type { Law } from '../law.ts';

/** A machine takes some turns for each probe, and one for each piece of news; at a start all news comes at once. In 50 lives there were 28 at most. */
const mostTurns = 100;
/** After a pause the news of 20 pods comes at once, which have crashed again and again meanwhile. */
const mostOfCrowds = 1_000;
/** A server that missed a restore tells a new watch at once all that was lost, each of it a piece of news. It may lag by half a minute. */
const longestLag = 30_000;
/** With 20 shoots at most, there were 75 in 50 lives. */
const mostRequests = 400;

/** What a process does in one simulated second is bounded: one that spins would stand still for everybody else, and a life would never end. */
export const noSpinning: Law = {
  name: '1.2 4.6 nobody spins',
  begin({ plan }) {
    const mostOfMachine = plan.largeControlPlanes ? mostOfCrowds : mostTurns;
    const turns = new Map<string, number>();
    const requests = new Map<string, number>();
    let toldAnewUntil = 0;
    return {
      hear(observation) {
        if (observation.kind === 'happening' && observation.happening.kind === 'etcd restored')
          toldAnewUntil = observation.at + Number(observation.happening.of?.['unnoticed'] ?? 0) + longestLag;
        if (observation.kind !== 'turn' && observation.kind !== 'request') return undefined;
        const isTurn = observation.kind === 'turn';
        if (isTurn && observation.at < toldAnewUntil && /\.(changed|gone)$/.test(observation.turn.event.type))
          return undefined;
        const who = isTurn ? `${observation.process} ${observation.turn.subject}` : observation.process;
        const counts = isTurn ? turns : requests;
        const count = (counts.get(who) ?? 0) + 1;
        counts.set(who, count);
        return count <= (isTurn ? mostOfMachine : mostRequests)
          ? undefined
          : `${who} has ${isTurn ? 'taken' : 'sent'} ${count} ${isTurn ? 'turns' : 'requests'} within a second`;
      },
      look() {
        turns.clear();
        requests.clear();
        return undefined;
      },
    };
  },
};
