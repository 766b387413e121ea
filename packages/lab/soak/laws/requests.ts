import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import { workloadNumbers } from '@dwd/simulator/store/resource-kind.ts';
import type { Law } from '../law.ts';
import type { ProcessDeed } from '../observation.ts';
import { WebhooksSeen } from './troubles.ts';

/** The longest pause that a 429 may ask for (4.5, 6.12). */
const longestPause: Millis = 60_000;
/** A wall clock may be set back by so much before the process ends (1.4), and its timers wait for it. */
const clockSlack: Millis = 10_000;

type Probing = { readonly process: string; readonly subject: ShootNamespace; at: Instant };

/** A shoot that is probed is asked again and again: its next question is never further away than interval, pause and time-out together. */
export const pace: Law = {
  name: '4.4 4.5 4.6 no shoot is forgotten',
  begin(scene, { breaks }) {
    const { config } = scene;
    const probing = new Map<string, Probing>();
    /** Paused processes owe nothing until they go on. */
    const paused = new Set<string>();
    const longest =
      Math.max(config.probeInterval, config.initialDelay, longestPause) * (1 + config.backoffJitterFactor) +
      config.probeTimeout +
      clockSlack;
    const befell = ({ process, did, at }: Readonly<{ process: string; did: ProcessDeed; at: Instant }>): void => {
      if (did === 'paused') paused.add(process);
      if (did === 'resumed') for (const one of probing.values()) if (one.process === process) one.at = at;
      if (did === 'resumed') paused.delete(process);
      if (did === 'crashed' || did === 'ended' || did === 'told to end')
        for (const [name, one] of probing) if (one.process === process) probing.delete(name);
    };
    return {
      process: befell,
      blow: befell,
      shootTurn({ at, turn, process }) {
        const name = `${process} ${turn.subject}`;
        if (turn.to === 'idle' || turn.event.type === 'ended') probing.delete(name);
        else if (turn.from === 'idle' || !probing.has(name) || turn.commands.some(({ type }) => isQuestion(type)))
          probing.set(name, { process, subject: turn.subject, at });
      },
      look() {
        const late = scene.now() - longest;
        for (const { process, subject, at } of probing.values())
          if (at < late && !paused.has(process))
            breaks(`${process} has not asked ${subject} for ${scene.now() - at} ms`);
      },
    };
  },
};

function isQuestion(command: string): boolean {
  return command === 'probe' || command === 'askPath';
}

/** Timers of a drifting clock fire a little early. */
const slack = 0.99;

/** What breaks again and again is begun after pauses that grow to half a minute; but a stream that lasted for a while, and is cut by the weather, is begun again at once. */
const mostBegun = 24;
const minute: Millis = 60_000;

type Pause = Readonly<{ toldAt: Instant; until: Instant }>;

/** Who is asked to wait waits: no scale-up goes out while the pause lasts that a 429 named; and a watch that does not last, or a list that never ends, is begun again with pauses. */
export const restraint: Law = {
  name: '6.12 7.4 who is refused waits',
  begin(scene, { breaks }) {
    const pauses = new Map<string, readonly Pause[]>();
    const opened = new Map<string, number>();
    let countedFrom: Instant = scene.startedAt;
    const counts = { 'refusals with 429': 0, 'scale-ups after a refusal': 0 };
    return {
      throttled({ at, process, request, retryAfter }) {
        // The election has a connection and a limit of its own (1.2).
        if (/\/leases[/?]/.test(request.url)) return;
        counts['refusals with 429'] += 1;
        const others = pauses.get(process) ?? [];
        const pause = { toldAt: at, until: at + Math.min(retryAfter, longestPause) * slack };
        pauses.set(process, [...others.filter((one) => one.until > at), pause]);
      },
      // The pause is measured by a wall clock, and calm puts the clocks right.
      happening({ happening: { kind } }) {
        if (kind === 'clock set') pauses.clear();
      },
      calm: () => pauses.clear(),
      request({ at, process, to, request }) {
        if (to !== undefined) return;
        const begun = beginningOf(request.url);
        if (begun !== undefined) {
          const [path = '', query] = request.url.split('?');
          // Dependants of one kind have a stream for each name.
          const name = `${process} ${begun} ${path} ${new URLSearchParams(query).get('fieldSelector') ?? ''}`.trimEnd();
          const count = (opened.get(name) ?? 0) + 1;
          opened.set(name, count);
          if (count > mostBegun) breaks(`${name} anew ${count} times within a minute`);
          return;
        }
        const told = pauses.get(process);
        if (told === undefined || request.method !== 'PATCH' || !isUp(request.body)) return;
        counts['scale-ups after a refusal'] += 1;
        // What a process finds after it stood still may come with what it sends in the same instant.
        const pause = told.find(({ toldAt, until }) => toldAt < at && at < until);
        if (pause === undefined) return;
        const left = Math.round(pause.until - at);
        breaks(`${process} sent ${request.url} ${left} ms before the pause was over that the seed had asked for`);
      },
      look() {
        if (scene.now() - countedFrom < minute) return;
        countedFrom = scene.now();
        opened.clear();
      },
      counts: () => counts,
    };
  },
};

/** A stream begins with a list, whose first page has no token; a question where the seed stands is for one object alone. */
function beginningOf(url: string): 'watches' | 'lists' | undefined {
  if (/[?&]watch=true/.test(url)) return 'watches';
  return /[?&]limit=(?!1(&|$))/.test(url) && !/[?&]continue=/.test(url) ? 'lists' : undefined;
}

/** The record of replicas is a text, and what is scaled is a number. */
function isUp(body: string | undefined): boolean {
  return body !== undefined && /"replicas":[1-9]/.test(body);
}

type Asked = 'watches' | 'the Lease' | 'reads' | 'Machines';

/** In a minute. Each watch is opened anew after 5 to 10 minutes; a leader renews each 2 s, a standby asks each 2 to 4.4 s, and a try has at most three requests. */
const mostInAMinute = { watches: 30, 'the Lease': 90 };
/** Of one shoot: once a minute where others took something down and the nodes are too few to tell, else where leases are late for a moment, or were left out ten minutes ago (5.4). */
const looksPerMinute = 1.1;

/** A calm seed is asked for nothing but what the election needs, for watches that have come to their end, and, once a probe, for what has no watch (6.6). */
export const calmRequests: Law = {
  name: '1.2 a calm seed is left in peace',
  begin(scene, { breaks }) {
    let since: number | undefined;
    let judged = 0;
    const counts = new Map<string, Readonly<{ what: Asked; count: number }>>();
    const { probeInterval, dependants } = scene.config;
    const askedFor = new Set(
      dependants.flatMap(({ ref }) => (ref.apiVersion === 'apps/v1' ? [] : [ref.name, `/apis/${ref.apiVersion}`])),
    );
    /** In a minute: twice as many as there are regular probes, since one comes early where leases are late. */
    const reads = (2 * askedFor.size * scene.seed.shoots.length * 60_000) / probeInterval;
    const isElecting = scene.plan.election || Object.values(scene.plan.replicas).some((count) => count > 1);
    return {
      request({ process, to, request: { method, url } }) {
        if (since === undefined || to !== undefined) return;
        judged += 1;
        const what = whatIs(url, askedFor, isElecting);
        if (what === undefined || (what !== 'the Lease' && method !== 'GET'))
          return breaks(`${process} sent ${method} ${url}`);
        const key = what === 'Machines' ? `${process} of ${url}: ${what}` : `${process}: ${what}`;
        counts.set(key, { what, count: (counts.get(key)?.count ?? 0) + 1 });
      },
      settled() {
        since = scene.now();
      },
      quiet() {
        const minutes = (scene.now() - (since ?? scene.now())) / 60_000;
        const most = { ...mostInAMinute, reads };
        for (const [key, { what, count }] of counts)
          if (count > (what === 'Machines' ? looksPerMinute * (minutes + 2) : most[what] * minutes))
            breaks(`${key}, ${count} requests in ${minutes.toFixed(1)} min`);
      },
      counts: () => ({ 'requests to a calm seed': judged }),
    };
  },
};

function whatIs(url: string, askedFor: ReadonlySet<string>, isElecting: boolean): Asked | undefined {
  if (/[?&]watch=true/.test(url)) return 'watches';
  if (isElecting && url.includes('/leases/')) return 'the Lease';
  // Where others took something down, the Cluster is read with each look (3.5).
  if (/\/machines(\?|$)|\/clusters\/[^/?]+$/.test(url)) return 'Machines';
  const [path = ''] = url.replace(/\/scale$/, '').split('?');
  // Their kind is looked up by its group.
  return askedFor.has(path) || askedFor.has(path.split('/').at(-1) ?? '') ? 'reads' : undefined;
}

type Aim = 'down' | 'up' | 'none' | 'ended';

/** A machine that has turned round, that rests, or that is no more, has taken its writes back: none goes out after that. */
export const withdrawnWrites: Law = {
  name: '6.3 what was taken back does not go out',
  begin(_, { breaks }) {
    const aims = new Map<string, Readonly<{ aim: Aim; since: Instant }>>();
    const webhooks = new WebhooksSeen();
    let judged = 0;
    return {
      happening: (seen) => webhooks.happening(seen),
      shootTurn({ at, turn, process }) {
        const name = `${process} ${turn.subject}`;
        const aim = aimOf(turn);
        if (aims.get(name)?.aim !== aim) aims.set(name, { aim, since: at });
      },
      write({ at, process, namespace, path }) {
        const ended = aims.get(`${process} ${namespace}`);
        if (ended?.aim === 'ended' && at > ended.since)
          breaks(`${process} wrote ${path} ${at - ended.since} ms after its machine had ended`);
      },
      dependant({ at, of, change: { writer, previous, revision } }) {
        if (writer === undefined || previous === undefined) return;
        const { namespace = '' } = revision.object.metadata;
        if (webhooks.has(namespace, at)) return;
        const [before, after] = [previous, revision].map(({ object }) => workloadNumbers(of, object).desired);
        if ((before === 0) === (after === 0)) return;
        const now = aims.get(`${writer.user} ${namespace}`);
        if (now === undefined) return;
        judged += 1;
        if (now.aim === (after === 0 ? 'down' : 'up') || writer.sentAt <= now.since) return;
        const late = writer.sentAt - now.since;
        breaks(
          `${writer.user} scaled ${revision.key} to ${after}, by a write sent ${late} ms after its machine had turned to '${now.aim}'`,
        );
      },
      counts: () => ({ 'writes that nobody had taken back': judged }),
    };
  },
};

function aimOf({ event, after }: ShootTurn): Aim {
  if (event.type === 'ended') return 'ended';
  const flow = after?.context.flow ?? null;
  if (flow === null) return 'none';
  return flow.aim === 'down' ? 'down' : 'up';
}

/** Once all is as before, nobody writes any more. */
export const quiet: Law = {
  name: '6.2 quiet after calm',
  begin(_, { breaks }) {
    let isSettled = false;
    return {
      write({ process, path }) {
        if (isSettled) breaks(`${process} wrote ${path}`);
      },
      settled() {
        isSettled = true;
      },
    };
  },
};
