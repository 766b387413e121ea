import type { Instant } from '../../../domain/time.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { DependantKey } from '../../../domain/prober/dependant.ts';
import { shortName } from '../words/write-words.ts';
import type { Log } from './log.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import { flapWatch, manyTimes } from '../facts/flap-watch.ts';
import { partWords } from '../words/lease-words.ts';
import type { ShootLanguage } from '../../../machines/kinds.ts';
import type { Follower } from '../episodes/episode.ts';
import { followOutages } from '../episodes/outage-episode.ts';
import type { LeaderOf } from '../episodes/leaders.ts';

/** Since when it lasts, and how often it was met by now. */
export type Trouble = Readonly<{ since: Instant; times: number }>;

/**
 * Troubles that were told and are not over, so that each is told when it begins and when it ends, and not in between. No
 * turn tells that: a trouble that was told outlives a pause of its machine. A subject without troubles is not remembered.
 */
export function openTroubles<Name extends string>() {
  const bySubject = new Map<string, Map<Name, Trouble>>();
  return {
    /** It is met once more. Whether it is new. */
    begins(subject: string, name: Name, at: Instant): boolean {
      const own = bySubject.get(subject) ?? new Map<Name, Trouble>();
      const { since, times } = own.get(name) ?? { since: at, times: 0 };
      bySubject.set(subject, own.set(name, { since, times: times + 1 }));
      return times === 0;
    },
    of: (subject: string, name: Name) => bySubject.get(subject)?.get(name),
    /** What it was; undefined where it was not told. */
    ends(subject: string, name: Name): Trouble | undefined {
      const own = bySubject.get(subject);
      const trouble = own?.get(name);
      own?.delete(name);
      if (own?.size === 0) bySubject.delete(subject);
      return trouble;
    },
    forget: (subject: string) => void bySubject.delete(subject),
  };
}

/** A seed that is away fails the reads of all shoots, 750 on a usual one. So many are told by name; the seed's outage has a line of its own. */
const mostTold = 10;

/** Tells which dependants cannot be read, when that begins and when it ends: the first ones by name, the others at DEBUG. */
export function readTroubles(log: Log) {
  const troubles = new Map<ShootNamespace, Map<DependantKey, 'told' | 'untold'>>();
  let told = 0;
  let saidMore = false;

  return {
    fails(shoot: ShootNamespace, key: DependantKey, detail: string): void {
      const own = troubles.get(shoot) ?? new Map<DependantKey, 'told' | 'untold'>();
      if (own.has(key)) return;
      const isTold = told < mostTold;
      troubles.set(shoot, own.set(key, isTold ? 'told' : 'untold'));
      if (isTold) told += 1;
      const sentence = `${shoot}: ${shortName(key)} cannot be read: ${detail}`;
      log[isTold ? 'warn' : 'debug'](sentence, { line: 'read fails', shoot, resource: key, detail });
      if (isTold || saidMore) return;
      saidMore = true;
      log.warn(`more than ${mostTold} dependants cannot be read; the others are told at DEBUG`, {
        line: 'more reads fail',
      });
    },
    works(shoot: ShootNamespace, key: DependantKey): void {
      const own = troubles.get(shoot);
      const trouble = own?.get(key);
      if (own === undefined || trouble === undefined) return;
      own.delete(key);
      if (own.size === 0) troubles.delete(shoot);
      if (trouble === 'told') told -= 1;
      if (troubles.size === 0) saidMore = false;
      const sentence = `${shoot}: ${shortName(key)} can be read again`;
      log[trouble === 'told' ? 'info' : 'debug'](sentence, { line: 'read again', shoot, resource: key });
    },
    forget(shoot: ShootNamespace): void {
      for (const trouble of troubles.get(shoot)?.values() ?? []) if (trouble === 'told') told -= 1;
      troubles.delete(shoot);
    },
  };
}

/** What comes and goes, and what is said when that begins and when it is over; behind the shoot's name. */
const flappings = {
  scaling: {
    watch: flapWatch,
    begins: ` is cut off and back again and again: it was scaled down, or had to wait before it was scaled up, ${manyTimes} times within 10 minutes. What the prober does with it is told on level debug now, until neither happened for 10 minutes`,
    ends: () => ' does not flap any more',
  },
  warnings: {
    watch: () =>
      flapWatch(({ notes }) => notes.some(({ kind }) => kind === 'partialOutageOver' || kind === 'renewalsLateOver')),
    begins: `: its early warnings come and go again and again: they ended ${manyTimes} times within 10 minutes. They are told on level debug now, until none ended for 10 minutes`,
    ends({ after }: ShootTurn) {
      const partial = after?.context.said.partial ?? null;
      // What began last was told on level debug.
      return `: its early warnings do not come and go any more${partial === null ? '' : `; ${partWords(partial)}`}`;
    },
  },
};

/**
 * Says once that a shoot is scaled down again and again, and once that it is over. What is told of it in between would repeat with each
 * time, and goes to level debug (SPEC 9.4). So it is with early warnings that come and go.
 */
export function flapLog(loud: Log) {
  const debug: Log['debug'] = (message, fields) => loud.debug(message, fields);
  const quiet: Log = { ...loud, info: debug };
  const silent: Log = { ...quiet, warn: debug };
  const watches = { scaling: flappings.scaling.watch(), warnings: flappings.warnings.watch() };

  return {
    /** The logs for what is told of this turn, and for its early warnings. Every turn must pass. */
    after(turn: ShootTurn): Readonly<{ log: Log; warnings: Log }> {
      const log = flaps('scaling', turn) ? quiet : loud;
      return { log, warnings: flaps('warnings', turn) ? silent : log };
    },
    forget: (shoot: ShootNamespace) => Object.values(watches).forEach((watch) => watch.forget(shoot)),
  };

  /** Says when it begins, and when it is over. */
  function flaps(what: keyof typeof flappings, turn: ShootTurn): boolean {
    const { subject: shoot } = turn;
    const words = flappings[what];
    const { flapped, flaps: flapsNow } = watches[what].after(turn);
    if (flapsNow && !flapped) loud.warn(`${shoot}${words.begins}`, { line: 'flapping', shoot });
    if (flapped && !flapsNow) loud.info(`${shoot}${words.ends(turn)}`, { line: 'no longer flapping', shoot });
    return flapsNow;
  }
}

/** All turns of the log are of this process, and it names none of them. */
const ownRun = '';

/**
 * Follows the outages of all shoots, and tells of each when it is over, in one sentence (SPEC 9.4). `leader`: this process, which may have taken the lead
 * while the outage went on (SPEC 9.11). Every turn of a shoot must pass, in order.
 */
export function outageLog(leader?: LeaderOf): (turn: ShootTurn, log: Log) => void {
  const followers = new Map<ShootNamespace, Follower<ShootLanguage>>();

  return (turn, log) => {
    const { subject: shoot, event } = turn;
    let follower = followers.get(shoot);
    if (follower === undefined) followers.set(shoot, (follower = followOutages(leader)));
    for (const { endedAt, episode } of follower(turn, ownRun)) {
      if (endedAt === null) continue;
      const { weight, sentence, data } = episode();
      log[weight === 'bad' ? 'warn' : 'info'](`${shoot} was ${sentence}`, { line: 'outage over', ...data });
    }
    if (event.type === 'ended' && event.because === 'gone') followers.delete(shoot);
  };
}
