import type { Instant } from '../../../domain/time.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { DependantKey } from '../../../domain/prober/dependant.ts';
import { doneWords, shortName, undoneWords, whyNotWritten } from '../words/write-words.ts';
import type { Log } from './log.ts';
import type { ShootEventOf } from '../../../machines/shoot-language.ts';
import { writeFields } from './shoot-lines.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import { flapWatch, manyTimes } from '../facts/flap-watch.ts';
import { partWords } from '../words/lease-words.ts';
import type { ShootLanguage } from '../../../machines/kinds.ts';
import type { Follower } from '../episodes/episode.ts';
import { followOutages } from '../episodes/outage-episode.ts';
import type { LeaderOf } from '../episodes/leaders.ts';

/**
 * Troubles that were told and are not over, so that each is told when it begins and when it ends, and not in between. No
 * turn tells that: a trouble that was told outlives a pause of its machine. A subject without troubles is not remembered.
 */
export function openTroubles<Trouble extends string>() {
  const bySubject = new Map<string, Set<Trouble>>();
  return {
    /** Whether it is new. */
    begins(subject: string, trouble: Trouble): boolean {
      const told = bySubject.get(subject) ?? new Set();
      if (told.has(trouble)) return false;
      bySubject.set(subject, told.add(trouble));
      return true;
    },
    /** Whether it was told. */
    ends(subject: string, trouble: Trouble): boolean {
      const told = bySubject.get(subject);
      if (told?.delete(trouble) !== true) return false;
      if (told.size === 0) bySubject.delete(subject);
      return true;
    },
    forget: (subject: string) => void bySubject.delete(subject),
  };
}

export type Failing = Readonly<{ since: Instant; failures: number }>;

/** What fails now, and since when: the line that tells of the end says how long it was. */
export function failings() {
  const bySubject = new Map<string, Failing>();
  return {
    /** Whether it is the first failure. */
    add(subject: string, at: Instant): boolean {
      const { since, failures } = bySubject.get(subject) ?? { since: at, failures: 0 };
      bySubject.set(subject, { since, failures: failures + 1 });
      return failures === 0;
    },
    of: (subject: string) => bySubject.get(subject),
    /** Forgets the failures and gives them; undefined where there were none. */
    end(subject: string): Failing | undefined {
      const failing = bySubject.get(subject);
      bySubject.delete(subject);
      return failing;
    },
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

/** Tells each write on a dependant, and the first of those that the seed refuses. */
export function shootWriteLog() {
  const unwritten = openTroubles<DependantKey>();

  return {
    tell(shoot: ShootNamespace, { asked, askedAt, answer, at }: ShootEventOf<'scale.answered'>, log: Log): void {
      const fields = { shoot, resource: asked.key, outcome: answer.outcome, ...writeFields(asked, at - askedAt) };
      const name = shortName(asked.key);
      switch (answer.outcome) {
        case 'written':
          unwritten.ends(shoot, asked.key);
          log.info(`${shoot}: ${doneWords(name, asked)}`, { line: 'written', ...fields });
          return;
        case 'undone':
        case 'failed': {
          // It is tried again every few seconds, for as long as the seed refuses it.
          const level = unwritten.begins(shoot, asked.key) ? 'error' : 'debug';
          const detail = whyNotWritten(asked, answer);
          log[level](`${shoot}: ${undoneWords(name, asked, answer)}; it is tried again`, {
            line: 'write failed',
            ...fields,
            detail,
          });
          return;
        }
        case 'conflict':
        case 'missing':
        case 'withdrawn':
          log.info(`${shoot}: ${undoneWords(name, asked, answer)}`, { line: 'write came to nothing', ...fields });
      }
    },
    forget: unwritten.forget,
  };
}

/**
 * Says once that a shoot is scaled down again and again, and once that it is over. What is told of it in between would repeat with each
 * time, and goes to level debug (SPEC 9.4). So it is with early warnings that come and go.
 */
export function flapLog(loud: Log) {
  const debug: Log['debug'] = (message, fields) => loud.debug(message, fields);
  const quiet: Log = { ...loud, info: debug };
  const watch = flapWatch();
  const warnings = flapWatch(({ notes }) =>
    notes.some(({ kind }) => kind === 'partialOutageOver' || kind === 'renewalsLateOver'),
  );

  return {
    /** The logs for what is told of this turn, and for its early warnings. Every turn must pass. */
    after(turn: ShootTurn): Readonly<{ log: Log; warnings: Log }> {
      const { subject: shoot } = turn;
      const { flapped, flaps } = watch.after(turn);
      if (flaps && !flapped)
        loud.warn(
          `${shoot} is cut off and back again and again: it was scaled down, or had to wait before it was scaled up, ${manyTimes} times within 10 minutes. What the prober does with it is told on level debug now, until neither happened for 10 minutes`,
          { line: 'flapping', shoot },
        );
      if (flapped && !flaps) loud.info(`${shoot} does not flap any more`, { line: 'no longer flapping', shoot });
      const log = flaps ? quiet : loud;
      return { log, warnings: tellWarnings(turn) ? { ...quiet, warn: debug } : log };
    },
    forget: (shoot: ShootNamespace) => {
      watch.forget(shoot);
      warnings.forget(shoot);
    },
  };

  /** Returns whether they come and go. */
  function tellWarnings(turn: ShootTurn): boolean {
    const { subject: shoot, after } = turn;
    const { flapped, flaps } = warnings.after(turn);
    if (flaps && !flapped)
      loud.warn(
        `${shoot}: its early warnings come and go again and again: they ended ${manyTimes} times within 10 minutes. They are told on level debug now, until none ended for 10 minutes`,
        { line: 'flapping', shoot },
      );
    if (flapped && !flaps) {
      const partial = after?.context.said.partial ?? null;
      // What began last was told on level debug.
      const now = partial === null ? '' : `; ${partWords(partial)}`;
      const fields = { line: 'no longer flapping', shoot };
      loud.info(`${shoot}: its early warnings do not come and go any more${now}`, fields);
    }
    return flaps;
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
