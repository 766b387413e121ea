import { kindEpisodes } from '../../episodes/all-episodes.ts';
import type { EpisodeDraft } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import {
  headlineOf,
  headlineText,
  stepLines,
  type Headline,
} from 'dependency-watchdog/adapters/record/episodes/headline.ts';
import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { kindWords } from 'dependency-watchdog/adapters/record/words/turn-words.ts';
import { kindsOf } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { FinalState, ReplaySummary } from './replay-report.ts';
import { isNamed } from './turn-interest.ts';

/** What was replayed, where each machine ended, and whether all came out as recorded. */
export function summaryLines(summary: ReplaySummary): readonly string[] {
  const { turns, subjects, checked, ended, withoutBeginning, damaged, differences, finalStates } = summary;
  const first = differences[0];
  const differing = (kind: keyof Languages) => differences.filter(({ turn }) => turn.kind === kind).length;
  return [
    `${counted(turns, 'event')} of ${countedSubjects((kind) => subjects[kind])}, ${checked} of them replayed`,
    ...Map.groupBy(finalStates, ([, { kind, state }]) => `${kind} ${state}`)
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

/** What happened, in one sentence, and what to do. */
export function headlineLines({ episodes, read }: Pick<ReplaySummary, 'episodes' | 'read'>): readonly string[] {
  const headline = headlineIn({ episodes, read });
  return [headlineText(headline), ...stepLines(headline).map((line) => `To do: ${line}`)];
}

export function headlineIn({ episodes, read }: Pick<ReplaySummary, 'episodes' | 'read'>): Headline {
  return headlineOf(
    episodes.map(({ episode }) => episode()),
    read.lastAt,
  );
}

/** `2 shoots`, `1 shoot and 3 services`. */
function countedSubjects(countOf: (kind: keyof Languages) => number): string {
  const kinds = kindsOf(kindWords);
  const some = kinds.filter((kind) => countOf(kind) > 0);
  return (some.length === 0 ? kinds.slice(0, 1) : some)
    .map((kind) => counted(countOf(kind), kindWords[kind].noun))
    .join(' and ');
}

/** All of one kind and in one state; up to a screenful of those that are not well are named. */
function finalStateText(there: readonly (readonly [string, FinalState])[]): string {
  const [one] = there;
  if (one === undefined) return 'nowhere';
  const { kind, state } = one[1];
  if (!isNamed(kind, state)) return state;
  const names = there.slice(0, 20).map(([subject]) => subject);
  return `${state}: ${names.join(', ')}${there.length > names.length ? ' …' : ''}`;
}

/** Of what happened, that which the summary of a replay has: outages of shoots, recoveries of services. */
export function summedUp(drafts: readonly EpisodeDraft[], machine: keyof Languages): readonly EpisodeDraft[] {
  return drafts.filter((one) => one.machine === machine && one.kind === kindEpisodes[machine].summed);
}
