import type { JournalTurns } from '../../adapters/journal/journal-line.ts';
import { operatorLine } from '../../adapters/words/secrets.ts';
import type { ProbeFailure } from '../../domain/prober/probe-failure.ts';
import { judgePath, type ShootPath } from '../../domain/prober/shoot-path.ts';
import type { Languages } from '../../machines/kinds.ts';

type ShootTurn = JournalTurns<Languages>['shoot'];

/** Why the last probe told nothing. `of`: the probe and the path, where two are asked (SPEC 4.9). */
export type Failing = Readonly<{ words: string; of?: Readonly<{ number: number; path: ShootPath }> }>;

/** The same after one more turn; undefined where the last probe told something. */
export function failingAfter(before: Failing | undefined, { event, notes }: ShootTurn): Failing | undefined {
  if (event.type === 'path.answered' && notes.every(({ kind }) => kind !== 'verdict'))
    return failingPath(before, event);
  if (event.type === 'probe.failed' || event.type === 'candidates.failed')
    return { words: wordsOf(event.failure.stage, event.failure) };
  const tells = event.type === 'probe.answered' || event.type === 'started' || event.type === 'ended';
  return tells || notes.some(({ kind }) => kind === 'verdict') ? undefined : before;
}

/** A failing external path is a verdict, and no silence; one that could not even be asked told nothing. */
function failingPath(
  before: Failing | undefined,
  { number, path, failure }: Extract<ShootTurn['event'], { type: 'path.answered' }>,
): Failing | undefined {
  const told = judgePath(failure);
  switch (path) {
    case 'internal':
      if (failure !== undefined && told !== 'answered')
        return { words: wordsOf('internal path', failure), of: { number, path } };
      return before?.of?.path === 'external' ? before : undefined;
    case 'external':
      // Nobody waits for it any more where the internal path of its probe has failed.
      if (before?.of?.path === 'internal' && before.of.number === number) return before;
      if (failure === undefined || told !== 'untold') return before;
      return { words: wordsOf('external path', failure), of: { number, path } };
  }
}

function wordsOf(asked: string, { reason, detail }: ProbeFailure): string {
  return operatorLine(`${asked}, ${reason}: ${detail}`);
}
