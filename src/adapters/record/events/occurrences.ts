import type { Turn, Turns, WeederTurn } from '../../../effects/turn.ts';
import type { Languages } from '../../../machines/kinds.ts';
import { byKind } from '../facts/by-kind.ts';
import type { Occurrence } from './event-object.ts';
import { shootOccurrences } from './shoot-occurrences.ts';
import { waitWords } from '../words/weeder-words.ts';
import { serviceOf } from '../../../domain/weeder/service-ref.ts';

const kinds: { readonly [Kind in keyof Languages]: (turn: Turns[Kind]) => readonly Occurrence[] } = {
  shoot: shootOccurrences,
  weeder: weederOccurrences,
};

/** Picks from the turns what the owner of an object wants to know. */
export const occurrences: (turn: Turn) => readonly Occurrence[] = byKind<Turns, readonly Occurrence[]>(
  kinds,
  (kind) => kinds[kind],
);

/** What happened to pods at the weeder's hand. */
function weederOccurrences({ subject, event }: WeederTurn): readonly Occurrence[] {
  if (event.type !== 'deletion.answered') return [];
  const { namespace, service } = serviceOf(subject);
  const {
    pod: { name, uid },
    waits,
  } = event.asked;
  const about = { namespace, ref: { apiVersion: 'v1', kind: 'Pod', name }, uid };
  const why = `service ${service}, which it needs, is available again; ${waitWords(waits)}`;
  switch (event.answer.outcome) {
    case 'deleted':
      return [
        { ...about, type: 'Normal', reason: 'Weeded', message: `Deleted, so that a new pod starts at once: ${why}` },
      ];
    case 'failed': {
      const message = `Could not be deleted: ${event.answer.detail}. It is tried again while the window is open: ${why}`;
      return [{ ...about, type: 'Warning', reason: 'WeedingFailed', message }];
    }
    case 'gone':
    case 'replaced':
    case 'deletedBefore':
    case 'withdrawn':
    case 'throttled':
      return [];
  }
}
