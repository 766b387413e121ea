import type { Law } from '../law.ts';

/** A leader renews each 2 s, a standby asks each 2 to 4.4 s; a try has at most three requests. */
const electionsPerMinute = 90;
/** Each watch is opened anew after 5 to 10 minutes. */
const watchesPerMinute = 30;

/** Of one shoot: once a minute where others took something down and the nodes are too few to tell, else where leases are late for a moment, or were left out ten minutes ago (5.4). */
const looksPerMinute = 1.1;

/** A calm seed is asked for nothing but what the election needs, for watches that have come to their end, and, once a probe, for what has no watch (6.6). */
export const calmRequests: Law = {
  name: '1.2 a calm seed is left in peace',
  begin(scene) {
    let since: number | undefined;
    let judged = 0;
    const counts = new Map<string, number>();
    const { probeInterval, dependants } = scene.config;
    const askedFor = new Set(
      dependants.flatMap(({ ref }) => (ref.apiVersion === 'apps/v1' ? [] : [ref.name, `/apis/${ref.apiVersion}`])),
    );
    /** In a minute: twice as many as there are regular probes, since one comes early where leases are late. */
    const readsPerMinute = (2 * askedFor.size * scene.seed.shoots.length * 60_000) / probeInterval;
    const isElecting = scene.plan.election || Object.values(scene.plan.replicas).some((count) => count > 1);
    return {
      hear(observation) {
        if (since === undefined || observation.kind !== 'request' || observation.to !== undefined) return undefined;
        const { process, request } = observation;
        const { method, url } = request;
        judged += 1;
        const what = whatIs(url, askedFor, isElecting);
        if (what === undefined || (what !== 'the Lease' && method !== 'GET')) return `${process} sent ${method} ${url}`;
        const key = what === 'Machines' ? `${process} of ${url}: ${what}` : `${process}: ${what}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return undefined;
      },
      settled() {
        since = scene.now();
        return undefined;
      },
      quiet() {
        const minutes = (scene.now() - (since ?? scene.now())) / 60_000;
        const most = {
          watches: watchesPerMinute,
          'the Lease': electionsPerMinute,
          reads: readsPerMinute,
        };
        const mostOf = (asked: Asked): number =>
          asked === 'Machines' ? looksPerMinute * (minutes + 2) : most[asked] * minutes;
        for (const [key, count] of counts)
          if (count > mostOf(key.split(': ')[1] as Asked))
            return `${key}, ${count} requests in ${minutes.toFixed(1)} min`;
        return undefined;
      },
      counts: () => ({ 'requests to a calm seed': judged }),
    };
  },
};

type Asked = 'watches' | 'the Lease' | 'reads' | 'Machines';

function whatIs(url: string, askedFor: ReadonlySet<string>, isElecting: boolean): Asked | undefined {
  if (/[?&]watch=true/.test(url)) return 'watches';
  if (isElecting && url.includes('/leases/')) return 'the Lease';
  if (/\/machines(\?|$)/.test(url)) return 'Machines';
  const [path = ''] = url.replace(/\/scale$/, '').split('?');
  // Their kind is looked up by its group.
  return askedFor.has(path) || askedFor.has(path.split('/').at(-1) ?? '') ? 'reads' : undefined;
}
