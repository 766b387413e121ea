import { hasTwoPaths } from '../../../src/domain/prober/prober-config.ts';
import type { ShootNamespace } from '../../../src/domain/names.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { Law } from '../law.ts';
import { expiriesOf } from './mark-outlook.ts';

/** A verdict goes by what was asked before: leases first, then nodes and Machines, each within its time-out. */
const longestProbe: Millis = 45_000;
/** A kubelet that can renew does so within 10.4 s. */
const renewedWithin: Millis = 11_000;
/** What is known of nodes and Machines may be so old (5.4), and a probe goes by it. */
const knownFor: Millis = 120_000;
/** A lease that is nearly expired in truth may be so by the clock of the process, or by a date in whole seconds; and this law looks each second. */
const nearly: Millis = 5_000;

/** Whoever says that a shoot is cut off is right: by the leases as they truly are, as many of them are expired as the threshold asks for, or were when it was asked. */
export const trueOutages: Law = {
  name: '5.2 5.3 only a true outage is told',
  begin(scene) {
    const { nodeLeaseFailureFraction } = scene.config;
    const metAt = new Map<ShootNamespace, Instant>();
    const impairedAt = new Map<ShootNamespace, Instant>();
    /** When what is known of a shoot's nodes, or of its time, may have become wrong. */
    const unknownAt = new Map<ShootNamespace, Instant>();
    const clocks = new Map<ShootNamespace, Millis>();
    let judged = 0;

    const isMet = (shoot: ShootNamespace, now: Instant): boolean => {
      const expiries = expiriesOf(scene, shoot);
      const needed = Math.max(1, Math.ceil(nodeLeaseFailureFraction * expiries.length));
      return (expiries[needed - 1] ?? Infinity) <= now + nearly;
    };

    return {
      hear(observation) {
        const { at } = observation;
        // As calm comes all clocks are put right, and it may be asked before this law looks again.
        if (observation.kind === 'calm')
          for (const { name, kubelets, api } of scene.seed.shoots)
            if (kubelets.ahead !== 0 || api.clockAhead !== 0) unknownAt.set(name, at);
        if (observation.kind === 'change' && observation.of === kinds.machine)
          unknownAt.set(observation.change.revision.object.metadata.namespace ?? '', at);
        if (observation.kind === 'change' && observation.of === kinds.cluster)
          unknownAt.set(observation.change.revision.key, at);
        if (observation.kind === 'happening' && observation.happening.kind.includes('clock'))
          unknownAt.set(observation.happening.shoot ?? '', at);
        if (observation.kind !== 'turn' || observation.turn.kind !== 'shoot') return undefined;
        const { turn, process } = observation;
        const verdict = turn.notes.find((note) => note.kind === 'verdict');
        if (verdict === undefined || verdict.verdict !== 'cutOff' || verdict.external !== undefined) return undefined;
        const shoot = scene.seed.shoots.find(({ name }) => name === turn.subject);
        if (shoot === undefined) return undefined;
        if (at - (unknownAt.get(turn.subject) ?? -Infinity) < knownFor) return undefined;
        judged += 1;
        const met = metAt.get(turn.subject);
        if (met !== undefined && at - met <= longestProbe) return undefined;
        return `${process} said that ${turn.subject} was cut off, ${verdict.expired} of ${verdict.candidates} leases being expired; ${met === undefined ? 'they never were' : `in truth they were ${Math.round(at - met)} ms ago`}`;
      },
      look() {
        if (hasTwoPaths(scene.config)) return undefined;
        const now = scene.now();
        for (const { name, kubelets, api } of scene.seed.shoots) {
          if (kubelets.isImpaired) impairedAt.set(name, now);
          // A shoot that says another time than its nodes deceives itself (5.1).
          const { ahead } = kubelets;
          if (ahead !== api.clockAhead || ahead !== (clocks.get(name) ?? 0)) unknownAt.set(name, now);
          clocks.set(name, ahead);
          if (now - (impairedAt.get(name) ?? -Infinity) > renewedWithin) continue;
          if (isMet(name, now + ahead)) metAt.set(name, now);
        }
        return undefined;
      },
      counts: () => ({ 'verdicts of an outage that were true': judged }),
    };
  },
};
