import type { ProbeFailure } from '../../domain/prober/probe-failure.ts';
import type { PathCount, PathVerdict } from '../../domain/prober/shoot-path.ts';
import type { PathState, ShootContext } from '../../machines/shoot-context.ts';
import type { Fact } from './explanation.ts';
import { fact, shortened } from './guard-facts.ts';

/** What a path told, after its name: `external path: failed`. */
export const pathStateWords: Readonly<Record<PathState, string>> = {
  notAsked: 'not asked',
  asked: 'no answer yet',
  answered: 'answered',
  failed: 'failed',
  untold: 'told nothing',
};

/** `, timeout: no answer within 5 s`; empty for a plain answer. */
export function reasonWords(failure: ProbeFailure | undefined): string {
  return failure === undefined ? '' : `, ${failure.reason}: ${shortened(failure.detail)}`;
}

/** `failed 2 times in a row, 3 needed`. */
export function externalCountWords(kind: 'cutOff' | 'connected', { count, of }: PathCount): string {
  const times = count === 1 ? 'once' : `${count} times`;
  return `${kind === 'cutOff' ? 'failed' : 'answered'} ${times} in a row, ${of} needed`;
}

/** What each path told that led to a verdict. */
export function judgedFacts({ paths }: ShootContext, { kind, external }: PathVerdict): readonly Fact[] {
  const reason = paths?.reason ?? null;
  return [
    fact('internal path', 'answered'),
    fact('external path', `${externalCountWords(kind, external)}${reason === null ? '' : ` (${reason})`}`),
  ];
}
