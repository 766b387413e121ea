import type { Instant, Millis } from '../../../src/domain/time.ts';
import type { Law } from '../law.ts';

/** The longest pause that a 429 may ask for. */
const longestPause: Millis = 60_000;
/** Timers of a drifting clock fire a little early. */
const slack = 0.99;

/** What breaks again and again is begun after pauses that grow to half a minute; but a stream that lasted for a while, and is cut by the weather, is begun again at once. */
const mostBegun = 24;
const minute: Millis = 60_000;

/** Who is asked to wait waits: no scale-up goes out while the pause lasts that a 429 named; and a watch that does not last, or a list that never ends, is begun again with pauses. */
export const restraint: Law = {
  name: '6.12 7.4 who is refused waits',
  begin(scene) {
    const pauses = new Map<string, readonly Pause[]>();
    let opened = new Map<string, number>();
    let countedFrom: Instant = scene.startedAt;
    const counts = { 'refusals with 429': 0, 'scale-ups after a refusal': 0 };
    return {
      hear(observation) {
        const { at } = observation;
        // The election has a connection and a limit of its own (1.2).
        if (observation.kind === 'throttled' && !/\/leases[/?]/.test(observation.request.url)) {
          counts['refusals with 429'] += 1;
          const until = at + Math.min(observation.retryAfter, longestPause) * slack;
          const others = pauses.get(observation.process) ?? [];
          pauses.set(observation.process, [...others.filter((one) => one.until > at), { toldAt: at, until }]);
        }
        // The pause is measured by a wall clock, and calm puts the clocks right.
        const isSet = observation.kind === 'happening' && observation.happening.kind === 'clock set';
        if (isSet || observation.kind === 'calm') pauses.clear();
        if (observation.kind !== 'request' || observation.to !== undefined) return undefined;
        const { process, request } = observation;
        const begun = beginningOf(request.url);
        if (begun !== undefined) {
          const [path = '', query] = request.url.split('?');
          // Dependants of one kind have a stream for each name.
          const name = `${process} ${begun} ${path} ${new URLSearchParams(query).get('fieldSelector') ?? ''}`.trimEnd();
          const count = (opened.get(name) ?? 0) + 1;
          opened.set(name, count);
          return count <= mostBegun ? undefined : `${name} anew ${count} times within a minute`;
        }
        const told = pauses.get(process);
        if (told === undefined || request.method !== 'PATCH' || !isUp(request.body)) return undefined;
        counts['scale-ups after a refusal'] += 1;
        // What a process finds after it stood still may come with what it sends in the same instant.
        const pause = told.find(({ toldAt, until }) => toldAt < at && at < until);
        return pause === undefined
          ? undefined
          : `${process} sent ${request.url} ${Math.round(pause.until - at)} ms before the pause was over that the seed had asked for`;
      },
      look() {
        if (scene.now() - countedFrom < minute) return undefined;
        countedFrom = scene.now();
        opened = new Map();
        return undefined;
      },
      counts: () => counts,
    };
  },
};

type Pause = Readonly<{ toldAt: Instant; until: Instant }>;

/** A stream begins with a list, whose first page has no token; a question where the seed stands is for one object alone. */
function beginningOf(url: string): 'watches' | 'lists' | undefined {
  if (/[?&]watch=true/.test(url)) return 'watches';
  return /[?&]limit=(?!1(&|$))/.test(url) && !/[?&]continue=/.test(url) ? 'lists' : undefined;
}

/** The record of replicas is a text, and what is scaled is a number. */
function isUp(body: string | undefined): boolean {
  return body !== undefined && /"replicas":[1-9]/.test(body);
}
