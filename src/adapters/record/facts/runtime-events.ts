import type { Ended, Started } from '../../../effects/turn.ts';

/** No machine's own event has the type `started` or `ended`. */
export function isStarted<Event extends Readonly<{ type: string }>, Input>(
  event: Event | Started<Input>,
): event is Started<Input> {
  return event.type === 'started';
}

export function isEnded<Event extends Readonly<{ type: string }>, During>(
  event: Event | Ended<During>,
): event is Ended<During> {
  return event.type === 'ended';
}
