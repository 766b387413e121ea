import { serviceOf } from '../../domain/weeder/service-ref.ts';
import type { Turn } from '../../effects/turn.ts';
import type { LogFields } from './log.ts';

/** Whom a line is about: `shoot`, or `namespace` and `service`. */
export function subjectFields(turn: Turn): LogFields {
  return 'shoot' in turn ? { shoot: turn.shoot } : serviceOf(turn.service);
}
