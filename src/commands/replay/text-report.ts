import type { JournalTurn } from '../../adapters/journal/journal-line.ts';
import { counted } from '../../adapters/words/quantity-words.ts';
import type { Difference } from '../../adapters/journal/replay-courses.ts';
import { subjectOf, type Subject } from '../../adapters/turns/subject-of.ts';
import { instantText } from '../../adapters/words/instant-text.ts';
import { turnWords } from '../../adapters/words/turn-words.ts';
import type { Instant } from '../../domain/time.ts';
import { firstUnlike } from './first-unlike.ts';
import type { ReplayReport, ReplaySummary } from './replay-report.ts';

/** Longer values are shortened: a context may hold thousands of leases. */
const longestValue = 2_000;

/**
 * A replay for people: an eventful turn takes a line with its time, shoot or service, and event, and below it what changed,
 * what was judged and what was commanded. The uneventful turns of one between two of them are counted, unless `all` is set.
 */
export function textReport(all: boolean): ReplayReport {
  const folded = new Map<Subject, { count: number; since: Instant }>();
  let run: string | undefined;

  function unfold(subject: Subject): readonly string[] {
    const fold = folded.get(subject);
    folded.delete(subject);
    if (fold === undefined) return [];
    return [`    … ${counted(fold.count, 'uneventful turn')} of ${subject} since ${instantText(fold.since)}`];
  }

  return {
    opened(header, source) {
      if (header.run === run) return [];
      run = header.run;
      return [
        `${header.program} ${header.version}, journal opened ${instantText(header.openedAt)} (${source}); times are UTC`,
      ];
    },
    turn({ turn, replayed, place, eventful }) {
      const subject = subjectOf(turn);
      if (!all && !eventful && replayed.outcome !== 'differs') {
        const fold = folded.get(subject) ?? { count: 0, since: turn.at };
        fold.count += 1;
        folded.set(subject, fold);
        return [];
      }
      const difference = replayed.outcome === 'differs' ? differenceLines(turn, place, replayed.difference) : [];
      return [...unfold(subject), ...turnLines(turn), ...difference];
    },
    cutOff: (place) => [`    ${place} is cut off, and left out`],
    damaged: (place, problem, ends) => [
      `    DAMAGED: ${place}${ends ? ' and all that follows there' : ''} cannot be read: ${problem}`,
    ],
    end: (summary) => [...[...folded.keys()].flatMap(unfold), '', ...summaryLines(summary)],
  };
}

function turnLines(turn: JournalTurn): readonly string[] {
  const { at, from, to } = turn;
  const { event, notes, commands } = turnWords(turn);
  return [
    `${instantText(at)}  ${subjectOf(turn)}  ${event}`,
    ...(from === to ? [] : [`    ${from ?? 'nothing'} → ${to}`]),
    ...notes.map((note) => `    ${note}`),
    ...(commands.length === 0 ? [] : [`    ${commands.join('; ')}`]),
  ];
}

function differenceLines(turn: JournalTurn, place: string, difference: Difference): readonly string[] {
  const { path, recorded, replayed } = firstUnlike(difference.recorded, difference.replayed);
  return [
    `    DIFFERENT: turn ${turn.seq} of ${subjectOf(turn)} (${place}) comes out with another ${difference.in}${path === '' ? '' : `, at ${path}`}`,
    `    recorded: ${valueText(recorded)}`,
    `    replayed: ${valueText(replayed)}`,
    `    The later turns of this ${'shoot' in turn ? 'shoot' : 'service'} are shown as recorded.`,
  ];
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > longestValue ? `${text.slice(0, longestValue)}… (${text.length} characters)` : text;
}

function summaryLines(summary: ReplaySummary): readonly string[] {
  const { turns, checked, withoutBeginning, damaged, differences, finalStates } = summary;
  const first = differences[0];
  return [
    `${counted(turns, 'turn')} of ${countedSubjects(summary)}, ${checked} of them taken again`,
    ...[...Map.groupBy(finalStates, ([, state]) => state)].map(
      ([state, there]) => `at the end ${there.length} ${state}${namesText(state, there)}`,
    ),
    ...(withoutBeginning === 0
      ? []
      : [`${counted(withoutBeginning, 'turn')} could not be taken again: the journal does not tell where they began`]),
    ...(damaged === 0 ? [] : [`${counted(damaged, 'line')} could not be read, as told above`]),
    first === undefined
      ? 'Every turn that was taken again came out as recorded.'
      : `${countedSubjects(differing(differences))} came out differently, first in turn ${first.turn.seq} of ${subjectOf(first.turn)} (${first.place}).`,
  ];
}

/** `2 shoots`, `1 shoot and 3 services`. */
function countedSubjects({ shoots, services }: Pick<ReplaySummary, 'shoots' | 'services'>): string {
  if (services === 0) return counted(shoots, 'shoot');
  return shoots === 0
    ? counted(services, 'service')
    : `${counted(shoots, 'shoot')} and ${counted(services, 'service')}`;
}

function differing(differences: ReplaySummary['differences']): Pick<ReplaySummary, 'shoots' | 'services'> {
  const shoots = differences.filter(({ turn }) => 'shoot' in turn).length;
  return { shoots, services: differences.length - shoots };
}

/** Who is well needs no name; who is not is named, up to a screenful. */
function namesText(state: JournalTurn['to'], there: readonly (readonly [Subject, unknown])[]): string {
  if (state === 'probing' || state === 'idle' || state === 'settled') return '';
  const names = there.slice(0, 20).map(([subject]) => subject);
  return `: ${names.join(', ')}${there.length > names.length ? ' …' : ''}`;
}
