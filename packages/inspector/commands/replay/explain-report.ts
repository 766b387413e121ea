import type { JournalTurns } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { Replayed } from '../../journal/machine-replay.ts';
import { byKind } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { explainTurn } from '../../model/explanation/explain-turn.ts';
import { turnReplay } from '../../model/replayed-turn.ts';
import { pureMachines, type Languages } from 'dependency-watchdog/machines/kinds.ts';
import { askedTurns } from './asked-turns.ts';
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
  const subjects = new Set<string>();
  const turns = askedTurns<Readonly<{ seq: number; tell: () => readonly string[] }>>(asked, now);
  let isThere = false;
  let untold: string | undefined;
  let run = '';
  let opened: readonly string[] = [];

  type Take = (replayed: Replayed, place: string) => void;

  const taking = <Kind extends keyof Languages>(kind: Kind) => {
    const retake = turnReplay<Languages[Kind]>(pureMachines[kind]);
    return (turn: JournalTurns[Kind]): Take =>
      (replayed, place) => {
        // The whole journal knows better than one machine's turns where something is missing.
        const replayedTurn = { ...retake({ ...turn, run }), replayed };
        const words = json ? explainedJson<Kind> : explainedLines<Kind>;
        const heading = json ? [] : opened;
        turns.take(turn, () => ({
          seq: turn.seq,
          tell: () => [...heading, ...words(kind, replayedTurn, explainTurn(kind, replayedTurn), place)],
        }));
      };
  };
  const take = byKind<JournalTurns, Take>({ shoot: taking('shoot'), weeder: taking('weeder') });

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
      turns.pass(turn.at);
      if (turn.kind !== asked.kind || turn.subject !== asked.subject) return [];
      isThere = true;
      take(turn)(replayed, place);
      return [];
    },
    end() {
      const found = turns.found();
      if ('problem' in found) return [];
      try {
        return found.kept.tell();
      } catch (error) {
        // What an event carries was not looked at, and is anybody's in a file.
        untold = `event ${found.kept.seq} of ${asked.subject} is no event of ours: ${errorWords(error)}`;
        return [];
      }
    },
    problem() {
      if (untold !== undefined || subjects.size === 0) return untold;
      const { subject, time } = asked;
      if (!isThere) {
        const names = [...subjects].slice(0, mostNamed).join(', ');
        return `no event of ${subject} is recorded there, but of ${names}; write --explain ${[...subjects][0]}@${time}`;
      }
      const found = turns.found();
      return 'problem' in found ? found.problem : undefined;
    },
  };
}
