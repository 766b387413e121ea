import { secretNames } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { asObject, type KubeObject } from '@dwd/simulator/store/kube-object.ts';
import type { Law } from '../law.ts';
import { silence } from './troubles.ts';

/** A probe reads the Secret, and then has to get its connection. */
const leastLag: Millis = 5_000;
/** A restored seed is noticed within half a minute, and listed for the last time 5 minutes after that (6.6). */
const lastList: Millis = 330_000;

/** Each lasts until the streams have recovered. That a request met a fault is no reason: it is known whether the watch is open. */
const deafening = [
  'the way to the seed was closed or slow',
  'the seed was not well',
  'etcd was restored, or watches were lost',
  silence,
] as const;

/** A shoot is asked with what its Secret has: not with a token that it had before, and with none once the Secret is gone. */
export const ownKubeconfigs: Law = {
  name: '4.1 the kubeconfig is read afresh',
  begin(scene, { troubles, breaks }) {
    const { seed, shoot } = scene.plan.links;
    const lag = leastLag + seed.watchLag[1] + 2 * seed.there[1] + 2 * shoot.there[1];
    /** By Secret. */
    const tokens = new Map<string, string>();
    /** Since when no Secret has the token any more. */
    const lostAt = new Map<string, Instant>();
    /** Since when each process has had the Secrets in its view, as was looked at each second; one whose watch was cut for a moment goes on where it was. */
    const watchingSince = new Map<string, Instant>();
    let restoredAt: Instant = -Infinity;
    const counts = { 'shoots asked with what their Secret has': 0, 'Secrets that lost a token': 0 };

    const holds = (key: string, token: string | undefined, at: Instant): void => {
      const before = tokens.get(key);
      if (before === token) return;
      if (before !== undefined) {
        lostAt.set(before, at);
        counts['Secrets that lost a token'] += 1;
      }
      tokens.delete(key);
      if (token === undefined) return;
      tokens.set(key, token);
      lostAt.delete(token);
    };
    for (const { key, object } of scene.seed.api.storage.store.of(kinds.secret).list())
      holds(key, tokenIn(object), scene.startedAt);

    /** For how long it has been known to the process; below 0 where it need not be. */
    const knownFor = (process: string, lost: Instant, at: Instant): Millis => {
      if (at - restoredAt <= lastList || troubles.has(process, at - lag, deafening)) return -Infinity;
      return at - lag - Math.max(lost, watchingSince.get(process) ?? at);
    };

    return {
      process: ({ process }) => void watchingSince.delete(process),
      happening({ at, happening }) {
        if (happening.kind.startsWith('etcd restored')) restoredAt = at;
      },
      change({ at, of, change: { type, revision } }) {
        if (of === kinds.secret) holds(revision.key, type === 'DELETED' ? undefined : tokenIn(revision.object), at);
      },
      // The first question of a probe; what follows goes by the same kubeconfig.
      request({ at, process, to, request }) {
        if (!request.url.endsWith('/version')) return;
        const lost = lostAt.get(request.headers['authorization']?.replace('Bearer ', '') ?? '');
        if (to !== undefined && lost === undefined) counts['shoots asked with what their Secret has'] += 1;
        if (to === undefined || lost === undefined || knownFor(process, lost, at) <= 0) return;
        breaks(`${process} asked ${to} with a token ${at - lost} ms after its Secret had lost it`);
      },
      look() {
        for (const { process, role } of scene.slots) {
          if (process === undefined || role !== 'prober') continue;
          const { opening, watches } = process.open;
          const ofSecrets = [...watches.keys()].filter((path) => path.startsWith('/api/v1/secrets'));
          const isOpen = opening === 0 && ofSecrets.length === secretNames(scene.config).length;
          if (!isOpen || process.isPaused) watchingSince.delete(process.name);
          else if (!watchingSince.has(process.name)) watchingSince.set(process.name, scene.now());
        }
      },
      counts: () => counts,
    };
  },
};

/** Undefined where the Secret is none that leads to a shoot. */
function tokenIn(secret: KubeObject): string | undefined {
  const text = Buffer.from(String(asObject(secret['data'])['kubeconfig']), 'base64').toString();
  return /\btoken: "?([0-9a-f]{32})\b/.exec(text)?.[1];
}
