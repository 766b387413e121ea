import { headlineJson } from 'dependency-watchdog/adapters/record/episodes/headline.ts';
import { instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { kindEpisodes } from '../../episodes/all-episodes.ts';
import { kindsOf } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { kindWords, turnWords } from 'dependency-watchdog/adapters/record/words/turn-words.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { ReplayReport } from './replay-report.ts';
import { headlineIn, summedUp } from './summary-lines.ts';

/** A replay for programs: a line of JSON for each turn, told in `says`, and one for the summary. Nothing is folded. */
export function jsonReport(): ReplayReport {
  return {
    opened: ({ program, version, run, openedAt }, source) =>
      line({ source, opened: { program, version, run, at: instantText(openedAt) } }),
    turn({ turn, replayed, place, eventful }) {
      const { seq, at, event, from, to, commands, notes } = turn;
      const told = turnWords(turn);
      const says = [told.event, ...told.notes, ...told.commands];
      return line({
        seq,
        time: instantText(at),
        ...subjectOf(turn),
        place,
        from,
        to,
        eventful,
        says,
        replayed,
        event,
        commands,
        notes,
      });
    },
    cutOff: (place) => line({ cutOff: place }),
    damaged: (place, problem, ends) => line({ damaged: place, problem, ends }),
    end: ({ turns, subjects, checked, withoutBeginning, damaged, differences, episodes, read, finalStates }) =>
      line({
        summary: {
          ...headlineJson(headlineIn({ episodes, read })),
          turns,
          ...Object.fromEntries(kindsOf(subjects).map((kind) => [`${kindWords[kind].noun}s`, subjects[kind]])),
          checked,
          withoutBeginning,
          damaged,
          differences: differences.map(({ turn, place }) => ({ ...subjectOf(turn), seq: turn.seq, place })),
          ...Object.fromEntries(
            kindsOf(kindEpisodes).map((kind) => [
              kindEpisodes[kind].plural,
              summedUp(episodes, kind).map(({ episode }) => episode().data),
            ]),
          ),
          finalStates: Object.fromEntries([...finalStates].map(([subject, { state }]) => [subject, state])),
        },
      }),
  };
}

/** Under the noun of its kind: `shoot`, `service`. */
function subjectOf({ kind, subject }: Readonly<{ kind: keyof Languages; subject: string }>) {
  return { [kindWords[kind].noun]: subject };
}

function line(value: unknown): readonly string[] {
  return [JSON.stringify(value)];
}
