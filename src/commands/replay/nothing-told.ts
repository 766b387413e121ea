import { counted, instantText } from '../../adapters/words/plain-words.ts';
import { nearest } from '../../domain/nearest.ts';
import type { Instant } from '../../domain/time.ts';
import type { LanguageMap } from '../../machines/kinds.ts';
import type { ReplaySummary } from './replay-report.ts';
import type { Asked } from './replay-tally.ts';

/** A seed may have hundreds of shoots. */
const mostNamed = 10;

/** Why nothing was told, in a sentence, where nothing was; a replay of nothing is no success. */
export function nothingTold<Spoken extends LanguageMap<Spoken>>(
  { turns, damaged, noJournals, read }: Pick<ReplaySummary<Spoken>, 'turns' | 'damaged' | 'noJournals' | 'read'>,
  { only, since, until }: Asked,
): readonly string[] {
  if (turns > 0) return [];
  if (read.turns === 0 && damaged > 0) return ['no event could be read there, as told above'];
  if (read.turns === 0) return noJournals.length > 0 ? [] : ['no event is recorded there'];
  if (only !== undefined && !read.namespaces.has(only))
    return [`no event of ${only} is recorded there; ${whoIsThere(only, read.namespaces)}`];
  const range = rangeWords(since, until);
  const whole = `the journal tells of ${instantText(read.firstAt)} to ${instantText(read.lastAt)}`;
  return [`no event${only === undefined ? '' : ` of ${only}`} is recorded ${range}; ${whole}`];
}

function rangeWords(since: Instant | undefined, until: Instant | undefined): string {
  if (since === undefined) return until === undefined ? '' : `until ${instantText(until)}`;
  return until === undefined
    ? `since ${instantText(since)}`
    : `between ${instantText(since)} and ${instantText(until)}`;
}

function whoIsThere(wanted: string, namespaces: ReadonlySet<string>): string {
  const meant = nearest(wanted, namespaces);
  if (meant !== undefined) return `did you mean ${meant}?`;
  const names = [...namespaces].toSorted();
  const more = names.length > mostNamed ? ' …' : '';
  return `it tells of ${counted(names.length, 'namespace')}: ${names.slice(0, mostNamed).join(', ')}${more}`;
}
