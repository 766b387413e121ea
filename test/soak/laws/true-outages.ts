import { hasTwoPaths } from '../../../src/domain/prober/prober-config.ts';
import type { ShootNamespace } from '../../../src/domain/names.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { Law } from '../law.ts';
import { expiriesOf, graceFor } from './mark-outlook.ts';

/** A verdict goes by what was asked before: leases first, then nodes and Machines, each within its time-out. */
const longestProbe: Millis = 45_000;
/** A kubelet that can renew does so within 10.4 s. */
const renewedWithin: Millis = 11_000;
/** What is known of nodes and Machines may be so old (5.4), and a probe goes by it. */
const knownFor: Millis = 120_000;
/** A lease that is nearly expired in truth may be so by the clock of the process, or by a date in whole seconds; and this law looks each second. */
const nearly: Millis = 5_000;

/** Of one shoot. */
type Seen = {
  /** When as many leases as are needed were last expired in truth. */
  metAt: Instant;
  /** When a kubelet could last not renew. */
  impairedAt: Instant;
  /** When what is known of its nodes, or of its time, may last have become wrong. */
  unknownAt: Instant;
  /** By how much its nodes' clocks were ahead, and its API server's. */
  ahead: Millis;
  apiAhead: Millis;
};

/** Whoever says that a shoot is cut off is right: by the leases as they truly are, as many of them are expired as the threshold asks for, or were when it was asked. */
export const trueOutages: Law = {
  name: '5.2 5.3 only a true outage is told',
  begin(scene) {
    const { nodeLeaseFailureFraction } = scene.config;
    const seen = new Map<ShootNamespace, Seen>();
    let judged = 0;

    const seenOf = (shoot: ShootNamespace): Seen => {
      const known = seen.get(shoot);
      if (known !== undefined) return known;
      const first = { metAt: -Infinity, impairedAt: -Infinity, unknownAt: -Infinity, ahead: 0, apiAhead: 0 };
      seen.set(shoot, first);
      return first;
    };

    const looksCutOff = (shoot: ShootNamespace, behind: Millis): boolean => {
      const grace = graceFor(scene, shoot);
      return behind > 0.75 * grace - renewedWithin - nearly && behind < grace + renewedWithin;
    };

    /** `behind`: by how much its nodes are. Leases look older by as much to who has just begun. */
    const isMet = (shoot: ShootNamespace, now: Instant, behind: Millis): boolean => {
      const expiries = expiriesOf(scene, shoot);
      const needed = Math.max(1, Math.ceil(nodeLeaseFailureFraction * expiries.length));
      return (expiries[needed - 1] ?? Infinity) <= now + nearly + Math.max(0, behind);
    };

    return {
      hear(observation) {
        const { at } = observation;
        // As calm comes all clocks are put right, and it may be asked before this law looks again.
        if (observation.kind === 'calm')
          for (const { name, kubelets, api } of scene.seed.shoots)
            if (kubelets.ahead !== 0 || api.clockAhead !== 0) seenOf(name).unknownAt = at;
        if (observation.kind === 'change' && observation.of === kinds.machine)
          seenOf(observation.change.revision.object.metadata.namespace ?? '').unknownAt = at;
        if (observation.kind === 'change' && observation.of === kinds.cluster)
          seenOf(observation.change.revision.key).unknownAt = at;
        if (observation.kind === 'happening' && observation.happening.kind.includes('clock'))
          seenOf(observation.happening.shoot ?? '').unknownAt = at;
        if (observation.kind !== 'turn' || observation.turn.kind !== 'shoot') return undefined;
        const { turn, process } = observation;
        const verdict = turn.notes.find((note) => note.kind === 'verdict');
        if (verdict === undefined || verdict.verdict !== 'cutOff' || verdict.external !== undefined) return undefined;
        const shoot = scene.seed.shoots.find(({ name }) => name === turn.subject);
        if (shoot === undefined) return undefined;
        const { unknownAt, metAt } = seenOf(turn.subject);
        if (at - unknownAt < knownFor) return undefined;
        judged += 1;
        if (at - metAt <= longestProbe) return undefined;
        return `${process} said that ${turn.subject} was cut off, ${verdict.expired} of ${verdict.candidates} leases being expired; ${metAt === -Infinity ? 'they never were' : `in truth they were ${Math.round(at - metAt)} ms ago`}`;
      },
      look() {
        if (hasTwoPaths(scene.config)) return undefined;
        const now = scene.now();
        for (const { name, kubelets, api } of scene.seed.shoots) {
          const own = seenOf(name);
          if (kubelets.isImpaired) own.impairedAt = now;
          // Nodes that are behind their shoot by as much as a lease that has just expired look cut off at a first look (5.1).
          const { ahead } = kubelets;
          const behind = api.clockAhead - ahead;
          if (api.clockAhead !== own.apiAhead || ahead !== own.ahead || looksCutOff(name, behind)) own.unknownAt = now;
          own.ahead = ahead;
          own.apiAhead = api.clockAhead;
          if (now - own.impairedAt <= renewedWithin && isMet(name, now, behind)) own.metAt = now;
        }
        return undefined;
      },
      counts: () => ({ 'verdicts of an outage that were true': judged }),
    };
  },
};
