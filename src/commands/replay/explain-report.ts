import type { JournalTurns } from '../../adapters/journal/journal-line.ts';
import type { Replayed } from '../../adapters/journal/machine-replay.ts';
import { byKind } from '../../adapters/turns/by-kind.ts';
import { errorWords, instantText } from '../../adapters/words/plain-words.ts';
import type { Instant } from '../../domain/time.ts';
import { explainTurn } from '../../inspector/model/explanation/explain-turn.ts';
import { turnReplay } from '../../inspector/model/replayed-turn.ts';
import { pureMachines, type Languages } from '../../machines/kinds.ts';
import type { ExplainedTurn } from './explain-flag.ts';
import { explainedJson, explainedLines } from './explain-words.ts';
import { jsonReport } from './json-report.ts';
import type { ReplayReport } from './replay-report.ts';
import { textReport } from './text-report.ts';

/** A namespace has a handful of services that are weeded. */
const mostNamed = 10;

export type ExplainReport = ReplayReport &
  Readonly<{
    /** Why no turn was explained, in a sentence, and what to ask instead; undefined where one was, or where nothing of the namespace is recorded. */
    problem(): string | undefined;
  }>;

/** Tells of one turn instead of all: what it was decided by (SPEC 9.7). All turns of its namespace must pass, in order. */
export function explainReport(asked: ExplainedTurn, now: Instant, json: boolean): ExplainReport {
  const before = asked.before(now);
  const subjects = new Set<string>();
  let first: Readonly<{ at: Instant; seq: number }> | undefined;
  let last: typeof first;
  let told: (() => readonly string[]) | undefined;
  let untold: string | undefined;
  let run = '';
  let opened: readonly string[] = [];

  const take = byKind<JournalTurns, (replayed: Replayed, place: string) => void>(pureMachines, (kind) => {
    const retake = turnReplay<Languages[typeof kind]>(pureMachines[kind]);
    return (turn) => (replayed, place) => {
      // The whole journal knows better than one machine's turns where something is missing.
      const replayedTurn = { ...retake({ ...turn, run }), replayed };
      const { at, seq } = turn;
      first ??= { at, seq };
      if (at >= before) return;
      last = { at, seq };
      if (asked.seq !== undefined && asked.seq !== seq) return;
      const words = json ? explainedJson<typeof kind> : explainedLines<typeof kind>;
      const heading = json ? [] : opened;
      told = () => [...heading, ...words(kind, replayedTurn, explainTurn(kind, replayedTurn), place)];
    };
  });

  const usual = json ? jsonReport() : textReport(false);
  return {
    ...usual,
    opened(header, source) {
      ({ run } = header);
      opened = usual.opened(header, source);
      return [];
    },
    turn({ turn, replayed, place }) {
      subjects.add(turn.subject);
      if (turn.kind === asked.kind && turn.subject === asked.subject) take(turn)(replayed, place);
      return [];
    },
    end() {
      try {
        return told?.() ?? [];
      } catch (error) {
        // What an event carries was not looked at, and is anybody's in a file.
        untold = `event ${last?.seq} of ${asked.subject} is no event of ours: ${errorWords(error)}`;
        return [];
      }
    },
    problem() {
      if (untold !== undefined) return untold;
      if (told !== undefined || subjects.size === 0) return undefined;
      const { subject, time, seq } = asked;
      if (first === undefined) {
        const names = [...subjects].slice(0, mostNamed).join(', ');
        return `no event of ${subject} is recorded there, but of ${names}; write --explain ${[...subjects][0]}@${time}`;
      }
      if (last === undefined)
        return `no event of ${subject} is recorded at or before ${time}; its first one is at ${instantText(first.at)}`;
      return `no event ${seq} of ${subject} is recorded at or before ${time}; the last one then is event ${last.seq}, at ${instantText(last.at)}`;
    },
  };
}
