import { filter, firstValueFrom, fromEvent, race, type Observable } from 'rxjs';
import type { PodRemover } from '../../effects/ports.ts';

/**
 * Sends no deletion while the services are not followed: the one that a pod depends on may be down unseen (SPEC 7.2). What waits is not under
 * way, so the machine takes it back where the service turns out to be down, or its window ends.
 */
export function heldWhileBlind(remover: PodRemover, live$: Observable<boolean>): PodRemover {
  return {
    async remove(namespace, pod, withdrawn) {
      if (!withdrawn.aborted) await firstValueFrom(race(live$.pipe(filter(Boolean)), fromEvent(withdrawn, 'abort')));
      return remover.remove(namespace, pod, withdrawn);
    },
  };
}
