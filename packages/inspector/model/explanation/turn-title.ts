import { kindWords } from 'dependency-watchdog/adapters/record/words/turn-words.ts';
import { expiryFraction } from 'dependency-watchdog/domain/prober/verdict.ts';
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { weederCommandWords } from 'dependency-watchdog/adapters/record/words/weeder-words.ts';
import { listWords } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import { leasePolicy } from 'dependency-watchdog/machines/shoot-context.ts';
import type { VerdictNote } from 'dependency-watchdog/machines/shoot-language.ts';
import type { ReplayedTurn } from '../replayed-turn.ts';
import { expiredWords, verdictKindWords } from 'dependency-watchdog/adapters/record/words/probe-words.ts';
import { percent } from './explanation.ts';

/**
 * What a turn decided or found out, to stand above it: `Cut off: 3 of 5 leases are 30.0 s old or older, 60 % are needed`. Undefined where it said
 * nothing, so that what happened is all there is to tell.
 */
export function turnTitle<Kind extends keyof Languages>(
  kind: Kind,
  { turn, after }: ReplayedTurn<Languages[Kind]>,
): string | undefined {
  const { at, notes, commands } = turn as ReplayedTurn<Languages[keyof Languages]>['turn'];
  const [first] = notes;
  const deletions = commands.filter((one) => one.type === 'deletePod').map((one) => weederCommandWords(one, at));
  if (deletions.length > 0) return firstUpper(listWords(deletions, mostTitled));
  if (first === undefined) return undefined;
  const words =
    first.kind === 'verdict' && first.external === undefined && after !== undefined
      ? leaseVerdict(first, after as NonNullable<ReplayedTurn<Languages['shoot']>['after']>)
      : (kindWords[kind].note as (note: typeof first, at: number) => string)(first, at);
  return firstUpper(words);
}

/** A title has one line. */
const mostTitled = 3;

function firstUpper(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** With what it took, which the note leaves to the configuration. */
function leaseVerdict(
  note: Extract<VerdictNote, { external?: never }>,
  { context }: NonNullable<ReplayedTurn<Languages['shoot']>['after']>,
): string {
  const { grace, failureFraction } = leasePolicy(context);
  const old = `${seconds(expiryFraction * grace)} old or older`;
  return `${verdictKindWords[note.verdict]}: ${expiredWords.sentence(note, old)}, ${percent(failureFraction)} are needed`;
}
