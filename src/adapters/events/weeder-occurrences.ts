import { serviceOf } from '../../domain/weeder/service-ref.ts';
import type { WeederTurn } from '../../effects/turn.ts';
import type { Occurrence } from './event-object.ts';

/** What happened to pods at the weeder's hand. */
export function weederOccurrences({ subject, event }: WeederTurn): readonly Occurrence[] {
  if (event.type !== 'deletion.answered') return [];
  const { namespace, service } = serviceOf(subject);
  const {
    pod: { name, uid },
    containers,
  } = event.asked;
  const about = { namespace, ref: { apiVersion: 'v1', kind: 'Pod', name }, uid };
  const who = `${containers.join(', ') || 'a container'} in CrashLoopBackOff while service ${service}, which it depends on, is available`;
  switch (event.answer.outcome) {
    case 'deleted':
      return [{ ...about, type: 'Normal', reason: 'Weeded', message: `Deleted: ${who} again` }];
    case 'failed': {
      const message = `Could not be deleted, with ${who} again: ${event.answer.detail}`;
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
