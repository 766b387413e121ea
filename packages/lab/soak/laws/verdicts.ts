import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import { hasTwoPaths } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { cutOffAt } from '@dwd/testing/store-laws.ts';
import type { Law } from '../law.ts';
import { expiriesOf, graceFor } from './marks.ts';

/** A verdict goes by what was asked before: leases first, then nodes and Machines, each within its time-out. */
const longestProbe: Millis = 45_000;
/** A kubelet that can renew does so within 10.4 s. */
const renewedWithin: Millis = 11_000;
/** What is known of nodes and Machines may be so old (5.4), and a probe goes by it. */
const knownFor: Millis = 120_000;
/** A lease that is nearly expired in truth may be so by the clock of the process, or by a date in whole seconds; and this law looks each second. */
const nearly: Millis = 5_000;

/** That a kubelet's clock was ahead, by no more than it takes a kubelet to renew, is forgotten by 1 % of the time where no probe sees it put right (5.1). */
const unseenAhead: Millis = 12_000;
const forgottenAfter: Millis = 1_200_000;

/** Of one shoot. */
type LeaseTruth = {
  /** When as many leases as are needed were last expired in truth. */
  metAt: Instant;
  /** When a kubelet could last not renew. */
  impairedAt: Instant;
  /** When what is known of its nodes, or of its time, may last have become wrong. */
  unknownAt: Instant;
  /** When somebody last set a clock there. */
  setAt: Instant;
  /** By how much its nodes' clocks were ahead, and its API server's. */
  ahead: Millis;
  apiAhead: Millis;
};

/** Whoever says that a shoot is cut off is right: by the leases as they truly are, as many of them are expired as the threshold asks for, or were when it was asked. */
export const trueOutages: Law = {
  name: '5.2 5.3 only a true outage is told',
  begin(scene, { breaks }) {
    const { nodeLeaseFailureFraction } = scene.config;
    const seen = new Map<ShootNamespace, LeaseTruth>();
    let judged = 0;

    const seenOf = (shoot: ShootNamespace): LeaseTruth => {
      const known = seen.get(shoot);
      if (known !== undefined) return known;
      const first = {
        metAt: -Infinity,
        impairedAt: -Infinity,
        unknownAt: -Infinity,
        setAt: -Infinity,
        ahead: 0,
        apiAhead: 0,
      };
      seen.set(shoot, first);
      return first;
    };

    const looksCutOff = (shoot: ShootNamespace, behind: Millis): boolean => {
      const grace = graceFor(scene, shoot);
      return behind > 0.75 * grace - renewedWithin - nearly && behind < grace + renewedWithin + slowAnswer;
    };

    /** `behind`: by how much its nodes are. Leases look older by as much to who has just begun. */
    const isMet = (shoot: ShootNamespace, now: Instant, behind: Millis): boolean => {
      const met = cutOffAt(expiriesOf(scene, shoot), nodeLeaseFailureFraction);
      const unseen = now - seenOf(shoot).setAt < forgottenAfter ? unseenAhead : 0;
      return met <= now + nearly + Math.max(0, behind) + aheadNow() + unseen;
    };

    /** To a process whose clock is ahead leases look older, and it cannot know that for sure while it is ahead by little (5.1). */
    const aheadNow = (): Millis =>
      Math.max(0, ...scene.slots.map(({ process }) => (process === undefined ? 0 : process.clock.now() - scene.now())));

    return {
      // As calm comes all clocks are put right, and it may be asked before this law looks again.
      calm({ at }) {
        for (const { name, kubelets, api } of scene.seed.shoots)
          if (kubelets.ahead !== 0 || api.clockAhead !== 0) seenOf(name).unknownAt = at;
      },
      change({ at, of, change: { revision } }) {
        if (of === kinds.machine) seenOf(revision.object.metadata.namespace ?? '').unknownAt = at;
        if (of === kinds.cluster) seenOf(revision.key).unknownAt = at;
      },
      happening({ at, happening: { kind, shoot = '' } }) {
        if (kind.includes('clock')) Object.assign(seenOf(shoot), { unknownAt: at, setAt: at });
      },
      shootTurn({ at, turn, process }) {
        const verdict = turn.notes.find((note) => note.kind === 'verdict');
        if (verdict === undefined || verdict.verdict !== 'cutOff' || verdict.external !== undefined) return;
        const shoot = scene.seed.shoots.find(({ name }) => name === turn.subject);
        if (shoot === undefined) return;
        const { unknownAt, metAt } = seenOf(turn.subject);
        if (at - unknownAt < knownFor) return;
        judged += 1;
        if (at - metAt <= longestProbe) return;
        breaks(
          `${process} said that ${turn.subject} was cut off, ${verdict.expired} of ${verdict.candidates} leases being expired; ${metAt === -Infinity ? 'they never were' : `in truth they were ${Math.round(at - metAt)} ms ago`}`,
        );
      },
      look() {
        if (hasTwoPaths(scene.config)) return;
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
      },
      counts: () => ({ 'verdicts of an outage that were true': judged }),
    };
  },
};

/** Whoever says that a shoot is connected is right: nobody raises what is down while all nodes have been silent for long, whatever clocks say. */
export const trueReturns: Law = {
  name: '5.1 5.3 nothing is raised within an outage',
  begin(scene, { breaks }) {
    /** By shoot, when not all leases were expired in truth, and when clocks or nodes last changed. */
    const renewedAt = new Map<ShootNamespace, Instant>();
    const changedAt = new Map<ShootNamespace, Instant>();
    let judged = 0;
    return {
      change({ at, of, change: { revision } }) {
        if (of === kinds.machine) changedAt.set(revision.object.metadata.namespace ?? '', at);
        if (of === kinds.cluster) changedAt.set(revision.key, at);
      },
      happening({ at, happening: { kind, shoot = '' } }) {
        if (kind.includes('clock')) changedAt.set(shoot, at);
      },
      shootTurn({ at, process, turn }) {
        const verdict = turn.notes.find((note) => note.kind === 'verdict');
        if (verdict === undefined || verdict.external !== undefined || verdict.candidates < 2) return;
        const since = Math.max(
          renewedAt.get(turn.subject) ?? at,
          changedAt.get(turn.subject) ?? at,
          changedAt.get('') ?? 0,
        );
        // This law looks each second, and they may have been healed since.
        const isHealed = scene.seed.shoots.some(({ name, kubelets }) => name === turn.subject && !kubelets.isImpaired);
        if (at - since < knownFor || isHealed) return;
        judged += 1;
        if (verdict.verdict === 'connected')
          breaks(
            `${process} said that ${turn.subject} was connected; no node had renewed for ${Math.round(at - since)} ms`,
          );
      },
      look() {
        if (hasTwoPaths(scene.config)) return;
        const now = scene.now();
        for (const { name, kubelets } of scene.seed.shoots) {
          const expiries = expiriesOf(scene, name);
          if (!kubelets.isImpaired || expiries.length < 2 || (expiries.at(-1) ?? now) >= now) renewedAt.set(name, now);
          if (!changedAt.has(name)) changedAt.set(name, now);
        }
      },
      counts: () => ({ 'verdicts in an outage of all nodes': judged }),
    };
  },
};

/** A lease may be renewed while the answer is on its way, and seems younger by as much than it was when it was asked for. */
const slowAnswer: Millis = 10_000;
/** Shorter silences may be our own. */
const longSilence: Millis = 11_000;
/** A kubelet that can renew does so within 10.4 s. */
const renewedAtLatest: Millis = 10_500;
/** A clock that was wrong is known to be so by the answers that follow. */
const clocksKnownFor: Millis = 120_000;

/** Of one shoot: since when nobody was served, and from when to when it was so last; when its clocks or nodes last were such that nothing can be told. */
type Absence = {
  since: Instant | undefined;
  last: Readonly<{ since: Instant; until: Instant }> | undefined;
  oddAt: Instant;
};

/** When a shoot's API server is back, its nodes are given the time to renew: what nobody could renew is not held against them. */
export const silentServers: Law = {
  name: '5.1 no shoot goes down because its API server was away',
  begin(scene, { breaks }) {
    const aways = new Map<ShootNamespace, Absence>();
    /** By process and shoot: the failed probes since its last verdict. */
    const failing = new Map<string, { since: Instant; until: Instant }>();
    /** When a probe was last answered by a server that is a new process. */
    const foundNew = new Map<string, Instant>();
    let judged = 0;
    let judgedUnseen = 0;

    return {
      shootTurn({ at, process, turn }) {
        const key = `${process} ${turn.subject}`;
        if (turn.event.type === 'probe.failed') {
          const { askedAt } = turn.event;
          failing.set(key, { since: failing.get(key)?.since ?? askedAt, until: askedAt });
        }
        if (turn.event.type === 'probe.answered' && turn.event.serverIsNew === true) foundNew.set(key, at);
        const told = turn.notes.find((note) => note.kind === 'verdict' || note.kind === 'leasesInDoubt');
        if (told === undefined) return;
        const failed = failing.get(key);
        if (told.kind === 'verdict') failing.delete(key);
        const away = aways.get(turn.subject);
        const last = away?.since === undefined ? away?.last : { since: away.since, until: at };
        if (away === undefined || last === undefined || at - away.oddAt < clocksKnownFor) return;
        const { since, until } = last;
        const wasSeen =
          away.since === undefined &&
          failed !== undefined &&
          failed.until - failed.since >= longSilence &&
          until - since > graceFor(scene, turn.subject) + renewedAtLatest + 2_000;
        const isNew = until - since >= longSilence && at - (foundNew.get(key) ?? -Infinity) < renewedAtLatest;
        if ((!wasSeen && !isNew) || at - until >= renewedAtLatest) return;
        if (wasSeen) judged += 1;
        else judgedUnseen += 1;
        if (told.kind === 'verdict' && told.verdict === 'cutOff')
          breaks(
            `${process} said that ${turn.subject} was cut off ${Math.round(at - until)} ms after its API server had come back; it had served nobody for ${Math.round(until - since)} ms`,
          );
      },
      look() {
        if (hasTwoPaths(scene.config)) return;
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
      },
      counts: () => ({
        'looks at shoots whose API server had come back': judged,
        'looks at shoots whose API server had begun anew, unseen': judgedUnseen,
      }),
    };
  },
};

/** A 429 may ask for no longer pause (4.5), and no less than a second passes. */
const [shortestPause, longestPause] = [1_000, 60_000];
/** For the turns of a busy process, and a clock that drifts. */
const mayBeLate: Millis = 3_000;

/** After a first 429 of a shoot the next probe comes once the pause is over that was asked for; at once, where the server closed the connection. */
export const askedAgain: Law = {
  name: '4.5 who is throttled asks again as soon as it may',
  begin(_, { breaks }) {
    const latest = new Map<string, Instant>();
    let judged = 0;
    return {
      // It stood still, or is another one; or the wall clock by which it waits goes otherwise.
      process: () => latest.clear(),
      happening({ happening: { kind } }) {
        if (/clock/.test(kind)) latest.clear();
      },
      blow: () => latest.clear(),
      shootTurn({ at, process, turn: { subject, to, event, after, commands } }) {
        const name = `${process} ${subject}`;
        const by = latest.get(name);
        const asks = commands.some(({ type }) => type === 'probe');
        if (asks || to === 'idle') latest.delete(name);
        if (asks && by !== undefined) {
          judged += 1;
          if (at > by)
            breaks(`${name} was asked again ${Math.round(at - by + mayBeLate)} ms after its server would have let it`);
        }
        if (event.type !== 'probe.failed' || event.failure.reason !== 'throttled') return;
        if (after?.context.probe.failuresInRow !== 1) return;
        const { retryAfter = 0, closes } = event.failure;
        const pause = closes === true ? 0 : Math.min(longestPause, Math.max(shortestPause, retryAfter));
        latest.set(name, at + pause + mayBeLate);
      },
      counts: () => ({ 'probes after a first 429': judged }),
    };
  },
};
