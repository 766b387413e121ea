import { instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { ExplainedTurn } from './explain-flag.ts';

const day: Millis = 86_400_000;

/** A sentence with more days than these would not be read. */
const mostDays = 5;

/** Finds, among the turns of one machine, the one that was asked for. What is kept of it is up to the caller. */
export type AskedTurns<Kept> = Readonly<{
  /** Every turn of it, in order. `keep` is called for those that may be the one. */
  take(turn: Readonly<{ at: Instant; seq: number }>, keep: () => Kept): void;
  /** Whatever else is recorded. */
  pass(at: Instant): void;
  /** The one; or a sentence that says why there is none, or more than one. */
  found(): Readonly<{ kept: Kept }> | Readonly<{ problem: string }>;
}>;

type Candidate<Kept> = { at: Instant; seq: number; kept?: Kept; isExact: boolean };

/**
 * An instant names the last turn before its end. A time of day does so on each day of the record: what counts is the one day on which a turn
 * falls right into it, or, where none does, the one on which it came while the record went on.
 */
export function askedTurns<Kept>({ subject, before, time, seq }: ExplainedTurn, now: Instant): AskedTurns<Kept> {
  const clock = typeof before === 'object' ? before : undefined;
  const end = typeof before === 'function' ? before(now) : Infinity;
  /** The end of the asked time that is the next after this turn; of an instant there is only one. */
  const endAfter = (at: Instant): Instant => {
    if (clock === undefined) return end;
    const first = clock.sinceMidnight + clock.length;
    return first + Math.ceil((at + 1 - first) / day) * day;
  };
  const candidates = new Map<Instant, Candidate<Kept>>();
  let first: Readonly<{ at: Instant; seq: number }> | undefined;
  let recordEnd = -Infinity;

  const chosen = (): readonly Candidate<Kept>[] => {
    const kept = [...candidates].filter(([, { kept }]) => kept !== undefined);
    const exact = kept.filter(([, { isExact }]) => isExact);
    const within = kept.filter(([until]) => clock === undefined || until <= recordEnd);
    return (exact.length > 0 ? exact : within).map(([, candidate]) => candidate);
  };
  const dated = (at: Instant): string =>
    `${subject}@${instantText(endAfter(at)).slice(0, 11)}${time.replace(/z?$/i, 'Z')}`;

  return {
    pass(at) {
      recordEnd = Math.max(recordEnd, at);
    },
    take(turn, keep) {
      first ??= turn;
      const until = endAfter(turn.at);
      if (turn.at >= until) return;
      const isWanted = seq === undefined || seq === turn.seq;
      const known = candidates.get(until);
      const isExact = clock !== undefined && turn.at >= until - clock.length;
      candidates.set(until, {
        ...(isWanted ? { kept: keep() } : known?.kept === undefined ? {} : { kept: known.kept }),
        isExact: (isWanted && isExact) || known?.isExact === true,
        at: turn.at,
        seq: turn.seq,
      });
    },
    found() {
      const [one, ...others] = chosen();
      if (one?.kept !== undefined && others.length === 0) return { kept: one.kept };
      if (one !== undefined) {
        const days = [one, ...others].slice(0, mostDays).map(({ at }) => dated(at));
        return {
          problem: `${time} was on ${others.length + 1} days of ${subject}; write --explain ${days.join(' or ')}`,
        };
      }
      if (first === undefined) return { problem: '' };
      const last = [...candidates.values()].at(-1);
      if (last === undefined)
        return {
          problem: `no event of ${subject} is recorded at or before ${time}; its first one is at ${instantText(first.at)}`,
        };
      if (seq !== undefined && clock === undefined)
        return {
          problem: `no event ${seq} of ${subject} is recorded at or before ${time}; the last one then is event ${last.seq}, at ${instantText(last.at)}`,
        };
      return {
        problem: `${seq === undefined ? 'nothing' : `no event ${seq}`} was recorded at ${time}: what is recorded of ${subject} goes from ${instantText(first.at)} to ${instantText(last.at)}`,
      };
    },
  };
}
