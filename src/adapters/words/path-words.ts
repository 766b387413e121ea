import { judgePath, type PathCount } from '../../domain/prober/shoot-path.ts';
import type { PathVerdictNote, ShootEventOf } from '../../machines/shoot-language.ts';
import { counted } from './plain-words.ts';

/** What a path told: `the external path failed, timeout: …`. A refusal of the API server's is an answer (SPEC 4.9). */
export function pathAnswerWords({ path, failure }: ShootEventOf<'path.answered'>): string {
  const told = { answered: 'answered', failed: 'failed', untold: 'could not be asked' }[judgePath(failure)];
  return `the ${path} path ${told}${failure === undefined ? '' : `, ${failure.reason}: ${failure.detail}`}`;
}

/** What the verdict of two paths is about: `the external path failed 2 times of the 3 in a row that it takes`. */
export function externalWords({ verdict, external }: Pick<PathVerdictNote, 'verdict' | 'external'>): string {
  const { count, of } = external;
  if (count < of) {
    const told = verdict === 'cutOff' ? 'failed' : 'answered';
    return `the external path ${told} ${counted(count, 'time')} of the ${of} in a row that it takes`;
  }
  return verdict === 'cutOff' ? `the external path ${failedWords(external)}` : 'the external path answers';
}

/** `failed once`, `failed 3 times in a row`. */
export function failedWords({ count }: PathCount): string {
  return count === 1 ? 'failed once' : `failed ${count} times in a row`;
}
