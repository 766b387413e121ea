import type { JournalTurns } from '../../adapters/journal/journal-line.ts';
import { counted, instantText } from '../../adapters/words/plain-words.ts';
import type { Difference } from '../../adapters/journal/replay-courses.ts';
import { kindOf, kindsOf } from '../../adapters/turns/by-kind.ts';
import { turnWords } from '../../adapters/words/turn-words.ts';
import type { Instant } from '../../domain/time.ts';
import type { LanguageMap } from '../../machines/kinds.ts';
import { firstUnlike } from './first-unlike.ts';
import type { ReplayKinds } from './replay-kinds.ts';
import type { FinalState, ReplayReport, ReplaySummary } from './replay-report.ts';

/** Longer values are shortened: a context may hold thousands of leases. */
const longestValue = 2_000;

/** More would push the events off the screen. */
const mostEpisodes = 50;

/**
 * A replay for people: an eventful one takes a line with its time, shoot or service, and event, and below it what changed,
 * what was judged and what was commanded. The events without news of one between two of them are counted, unless `all` is set.
 */
export function textReport<Spoken extends LanguageMap<Spoken>>(
  { words, interests, episodes: named }: Pick<ReplayKinds<Spoken>, 'words' | 'interests' | 'episodes'>,
  all: boolean,
): ReplayReport<Spoken> {
  type Turn = JournalTurns<Spoken>[keyof Spoken];
  const folded = new Map<string, { count: number; since: Instant }>();
  let run: string | undefined;

  function unfold(subject: string): readonly string[] {
    const fold = folded.get(subject);
    folded.delete(subject);
    if (fold === undefined) return [];
    return [`    … ${counted(fold.count, 'event')} of ${subject} without news since ${instantText(fold.since)}`];
  }

  function turnLines(turn: Turn): readonly string[] {
    const { at, subject, from, to } = turn;
    const { event, notes, commands } = turnWords(words, turn);
    return [
      `${instantText(at)}  ${subject}  ${event}`,
      ...(from === to ? [] : [`    ${from ?? 'nothing'} → ${to}`]),
      ...notes.map((note) => `    ${note}`),
      ...(commands.length === 0 ? [] : [`    ${commands.join('; ')}`]),
    ];
  }

  function differenceLines(turn: Turn, place: string, difference: Difference): readonly string[] {
    const { path, recorded, replayed } = firstUnlike(difference.recorded, difference.replayed);
    return [
      `    DIFFERENT: event ${turn.seq} of ${turn.subject} (${place}) comes out with another ${difference.in}${path === '' ? '' : `, at ${path}`}`,
      `    recorded: ${valueText(recorded)}`,
      `    replayed: ${valueText(replayed)}`,
      `    The later events of this ${words[kindOf<Spoken>(turn)].noun} are shown as recorded.`,
    ];
  }

  function summaryLines(summary: ReplaySummary<Spoken>): readonly string[] {
    const { turns, subjects, checked, ended, withoutBeginning, damaged, differences, finalStates } = summary;
    const first = differences[0];
    const differing = (kind: keyof Spoken) => differences.filter(({ turn }) => kindOf<Spoken>(turn) === kind).length;
    return [
      `${counted(turns, 'event')} of ${countedSubjects((kind) => subjects[kind])}, ${checked} of them replayed`,
      ...Map.groupBy(finalStates, ([, { kind, state }]) => `${String(kind)} ${state}`)
        .values()
        .map((there) => `at the end ${there.length} ${finalStateText(there)}`),
      ...(ended === 0
        ? []
        : [`${counted(ended, 'event')} only ${ended === 1 ? 'says' : 'say'} that a machine ended: nothing to replay`]),
      ...(withoutBeginning === 0
        ? []
        : [`${counted(withoutBeginning, 'event')} could not be replayed: the journal does not tell where they began`]),
      ...(damaged === 0 ? [] : [`${counted(damaged, 'line')} could not be read, as told above`]),
      first === undefined
        ? 'Every event that was replayed came out as recorded.'
        : `${countedSubjects(differing)} came out differently, first in event ${first.turn.seq} of ${first.turn.subject} (${first.place}).`,
    ];
  }

  /** What happened to whom, in a few lines each; up to some screenfuls of them. */
  function episodeLines({ episodes }: ReplaySummary<Spoken>): readonly string[] {
    return kindsOf(named).flatMap((kind) => {
      const those = episodes.filter((one) => one.kind === kind).map(({ episode }) => episode.lines);
      if (those.length === 0) return [];
      const { noun, plural } = named[kind];
      const more = those.length - mostEpisodes;
      return [
        `${those.length} ${those.length === 1 ? noun : plural}:`,
        ...those.slice(0, mostEpisodes).flatMap((lines) => lines.map((line) => `  ${line}`)),
        ...(more > 0 ? [`  … and ${more} more; --shoot=NAMESPACE tells those of one shoot, --json all`] : []),
        '',
      ];
    });
  }

  /** `2 shoots`, `1 shoot and 3 services`. */
  function countedSubjects(countOf: (kind: keyof Spoken) => number): string {
    const kinds = kindsOf(words);
    const some = kinds.filter((kind) => countOf(kind) > 0);
    return (some.length === 0 ? kinds.slice(0, 1) : some)
      .map((kind) => counted(countOf(kind), words[kind].noun))
      .join(' and ');
  }

  /** All of one kind and in one state; up to a screenful of those that are not well are named. */
  function finalStateText(there: readonly (readonly [string, FinalState<Spoken>])[]): string {
    const [one] = there;
    if (one === undefined) return 'nowhere';
    const { kind, state } = one[1];
    if (!interests[kind].named[state]) return state;
    const names = there.slice(0, 20).map(([subject]) => subject);
    return `${state}: ${names.join(', ')}${there.length > names.length ? ' …' : ''}`;
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
      const { subject } = turn;
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
    end: (summary) => [...[...folded.keys()].flatMap(unfold), '', ...episodeLines(summary), ...summaryLines(summary)],
  };
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > longestValue ? `${text.slice(0, longestValue)}… (${text.length} characters)` : text;
}
