import type { DeletionAnswer } from '../../domain/weeder/deletion.ts';
import type { PodRemover } from '../../effects/ports.ts';
import { SeedHistory } from '../reflector/seed-history.ts';

/** Incarnations that are remembered, some 100 bytes each: as many as are deleted in an hour while a whole seed fails. */
const longestMemory = 10_000;

/**
 * Deletes each incarnation only once, whichever service asks (S8): two services may have the same dependants. A caller that asks while
 * a deletion is under way waits for its answer, and tries again itself where it failed. Beyond `limit` the oldest incarnations
 * are forgotten. All are forgotten once the history of the seed went back, since that undoes deletions.
 */
export function oncePerIncarnation(
  remover: PodRemover,
  history: Pick<SeedHistory, 'timesBack'> = new SeedHistory(),
  limit: number = longestMemory,
): PodRemover {
  let { timesBack } = history;
  const deleted = new Set<string>();
  const underWay = new Map<string, Promise<DeletionAnswer>>();

  const removeNow: PodRemover['remove'] = async (namespace, pod, withdrawn) => {
    const asked = remover.remove(namespace, pod, withdrawn);
    const askedAt = history.timesBack;
    underWay.set(pod.uid, asked);
    try {
      const answer = await asked;
      if (answer.outcome === 'deleted' && history.timesBack === askedAt) deleted.add(pod.uid);
      const [oldest] = deleted;
      if (deleted.size > limit && oldest !== undefined) deleted.delete(oldest);
      return answer;
    } finally {
      underWay.delete(pod.uid);
    }
  };

  return {
    async remove(namespace, pod, withdrawn) {
      for (;;) {
        if (timesBack !== history.timesBack) deleted.clear();
        ({ timesBack } = history);
        if (deleted.has(pod.uid)) return { outcome: 'deletedBefore' };
        if (withdrawn.aborted) return { outcome: 'withdrawn' };
        const others = underWay.get(pod.uid);
        if (others === undefined) return removeNow(namespace, pod, withdrawn);
        await overOrWithdrawn(others, withdrawn);
      }
    },
  };
}

function overOrWithdrawn(others: Promise<unknown>, withdrawn: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      withdrawn.removeEventListener('abort', over);
      resolve();
    };
    withdrawn.addEventListener('abort', over);
    others.then(over, over);
  });
}
