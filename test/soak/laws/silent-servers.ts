import { hasTwoPaths } from '../../../src/domain/prober/prober-config.ts';
import type { ShootNamespace } from '../../../src/domain/names.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import type { Law } from '../law.ts';
import { graceFor } from './mark-outlook.ts';

/** Shorter silences may be our own. */
const longSilence: Millis = 11_000;
/** A kubelet that can renew does so within 10.4 s. */
const renewedWithin: Millis = 10_500;
/** A clock that was wrong is known to be so by the answers that follow. */
const knownFor: Millis = 120_000;

/** Of one shoot: since when nobody was served, and from when to when it was so last; when its clocks or nodes last were such that nothing can be told. */
type Away = {
  since: Instant | undefined;
  last: Readonly<{ since: Instant; until: Instant }> | undefined;
  oddAt: Instant;
};

/** When a shoot's API server is back, its nodes are given the time to renew: what nobody could renew is not held against them. */
export const silentServers: Law = {
  name: '5.1 no shoot goes down because its API server was away',
  begin(scene) {
    const aways = new Map<ShootNamespace, Away>();
    /** By process and shoot: the failed probes since its last verdict. */
    const failing = new Map<string, { since: Instant; until: Instant }>();
    let judged = 0;

    return {
      hear(observation) {
        if (observation.kind !== 'turn' || observation.turn.kind !== 'shoot') return undefined;
        const { at, process, turn } = observation;
        const key = `${process} ${turn.subject}`;
        if (turn.event.type === 'probe.failed') {
          const { askedAt } = turn.event;
          failing.set(key, { since: failing.get(key)?.since ?? askedAt, until: askedAt });
        }
        const told = turn.notes.find((note) => note.kind === 'verdict' || note.kind === 'leasesInDoubt');
        if (told === undefined) return undefined;
        const failed = failing.get(key);
        if (told.kind === 'verdict') failing.delete(key);
        const away = aways.get(turn.subject);
        if (away?.last === undefined || failed === undefined || failed.until - failed.since < longSilence)
          return undefined;
        const { since, until } = away.last;
        const isJust =
          at - until < renewedWithin && until - since > graceFor(scene, turn.subject) + renewedWithin + 2_000;
        if (!isJust || at - away.oddAt < knownFor) return undefined;
        judged += 1;
        return told.kind === 'verdict' && told.verdict === 'cutOff'
          ? `${process} said that ${turn.subject} was cut off ${Math.round(at - until)} ms after its API server had come back; it had served nobody for ${Math.round(until - since)} ms`
          : undefined;
      },
      look() {
        if (hasTwoPaths(scene.config)) return undefined;
        const now = scene.now();
        for (const { name, kubelets, api } of scene.seed.shoots) {
          const away = aways.get(name) ?? { since: undefined, last: undefined, oddAt: -Infinity };
          aways.set(name, away);
          if (kubelets.ahead !== 0 || api.clockAhead !== 0 || kubelets.areCutOff) away.oddAt = now;
          if (!kubelets.reachable) away.since ??= now;
          else if (away.since !== undefined) {
            away.last = { since: away.since, until: now };
            away.since = undefined;
          }
        }
        return undefined;
      },
      counts: () => ({ 'looks at shoots whose API server had come back': judged }),
    };
  },
};
