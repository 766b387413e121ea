import { judgePath, type PathCount } from '../../../domain/prober/shoot-path.ts';
import type { PathVerdictNote, ShootEventOf } from '../../../machines/shoot-language.ts';
import { counted } from '../../words/plain-words.ts';
import type { ProbeFailureReason, ProbeStage } from '../../../domain/prober/probe-failure.ts';

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

/** What became of a question that was sent, and told nothing: `does not answer`. */
export function unansweredWords(
  stage: ProbeStage,
  reason: Exclude<ProbeFailureReason, 'kubeconfig' | 'local'>,
): string {
  switch (reason) {
    case 'unreachable':
    case 'timeout':
      // A failure of the external path is told here only where the internal one had taken most of the time (SPEC 4.9).
      return stage === 'external' ? 'had too little time to answer' : 'does not answer';
    case 'certificate':
    case 'unauthorized':
    case 'throttled':
    case 'refused':
    case 'garbled':
    case 'tooLarge':
      return 'gives no useful answer';
  }
}
