import { numberAt, textAt } from '../../domain/value-at.ts';
import { type Instant, readInstant } from '../../domain/time.ts';
import { type KubeObject, secondTime } from './kube-object.ts';

/**
 * The grace period of a pod in seconds. A pod that runs on no node, or has ended, gets none; a pod that is already being
 * deleted never gets a longer one.
 */
export function graceOf(pod: KubeObject, asked: number | undefined): number {
  const before =
    pod.metadata.deletionTimestamp === undefined ? Infinity : (pod.metadata.deletionGracePeriodSeconds ?? 0);
  if (before !== Infinity) return Math.min(before, asked ?? before);
  const hasEnded = ['Failed', 'Succeeded'].includes(textAt(pod, 'status', 'phase'));
  if (textAt(pod, 'spec', 'nodeName') === '' || hasEnded) return 0;
  const grace = asked ?? numberAt(pod, 'spec', 'terminationGracePeriodSeconds') ?? 0;
  return grace < 0 ? 1 : grace;
}

/** The object marked as being deleted after this grace period; undefined where it is already marked so. */
export function afterGrace(object: KubeObject, grace: number, now: Instant): KubeObject | undefined {
  const { metadata } = object;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation } = metadata;
  if (deletionTimestamp !== undefined && grace === deletionGracePeriodSeconds) return undefined;
  const askedAt =
    deletionTimestamp === undefined
      ? now
      : (readInstant(deletionTimestamp) ?? now) - deletionGracePeriodSeconds * 1_000;
  const counted = generation === undefined || deletionTimestamp !== undefined ? {} : { generation: generation + 1 };
  const goneAt = secondTime(askedAt + grace * 1_000);
  return {
    ...object,
    metadata: { ...metadata, ...counted, deletionTimestamp: goneAt, deletionGracePeriodSeconds: grace },
  };
}
