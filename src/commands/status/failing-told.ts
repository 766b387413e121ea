import type { JournalTurns } from '../../adapters/journal/journal-line.ts';
import { operatorLine } from '../../adapters/words/secrets.ts';
import type { ProbeFailure } from '../../domain/prober/probe-failure.ts';
import type { Languages } from '../../machines/kinds.ts';

/** Why the last probe told nothing, after one more turn; undefined where it told something. `untold`: why a probe of two paths did not that ended in it (SPEC 4.9). */
export function failingAfter(
  before: string | undefined,
  { event, notes }: JournalTurns<Languages>['shoot'],
  untold: ProbeFailure | undefined,
): string | undefined {
  if (untold !== undefined) return failingWords(`${untold.stage} path`, untold);
  if (event.type === 'probe.failed' || event.type === 'candidates.failed')
    return failingWords(event.failure.stage, event.failure);
  const tells = event.type === 'probe.answered' || event.type === 'started';
  return tells || notes.some(({ kind }) => kind === 'verdict') ? undefined : before;
}

function failingWords(asked: string, { reason, detail }: ProbeFailure): string {
  return operatorLine(`${asked}, ${reason}: ${detail}`);
}
