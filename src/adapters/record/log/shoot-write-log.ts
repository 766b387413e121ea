import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { ShootEventOf } from '../../../machines/shoot-language.ts';
import { doneWords, shortName, undoneWords, whyNotWritten } from '../words/write-words.ts';
import type { Log } from './log.ts';
import { writeFields } from './shoot-sentences.ts';
import { openTroubles } from './troubles.ts';

/** Tells each write on a dependant, and the first of those that the seed refuses. */
export function shootWriteLog() {
  const unwritten = openTroubles<DependantKey>();

  return {
    tell(shoot: ShootNamespace, { asked, askedAt, answer, at }: ShootEventOf<'scale.answered'>, log: Log): void {
      const fields = { shoot, resource: asked.key, outcome: answer.outcome, ...writeFields(asked, at - askedAt) };
      const name = shortName(asked.key);
      switch (answer.outcome) {
        case 'written':
          unwritten.ends(shoot, asked.key);
          log.info(`${shoot}: ${doneWords(name, asked)}`, { line: 'written', ...fields });
          return;
        case 'undone':
        case 'failed': {
          // It is tried again every few seconds, for as long as the seed refuses it.
          const level = unwritten.begins(shoot, asked.key) ? 'error' : 'debug';
          const detail = whyNotWritten(asked, answer);
          log[level](`${shoot}: ${undoneWords(name, asked, answer)}; it is tried again`, {
            line: 'write failed',
            ...fields,
            detail,
          });
          return;
        }
        case 'conflict':
        case 'missing':
        case 'withdrawn':
          log.info(`${shoot}: ${undoneWords(name, asked, answer)}`, { line: 'write came to nothing', ...fields });
      }
    },
    forget: unwritten.forget,
  };
}
