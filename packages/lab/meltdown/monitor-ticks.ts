/** Kubernetes' --node-monitor-period, which is not to be set. */
const monitorEvery = 5_000;

/** It rests that long between two looks, so each comes later than foretold: by some 1.2 ms where there is nothing to write. */
const latePerLook = 3;
const lateAnyway = 20;

/**
 * When a kube-controller-manager first marks a node, unless one renews or it is ended: it looks at every node once in five
 * seconds, takes the moment at which it looked for that of the renewal, and marks with the first look at which that is more
 * than the grace ago. Instants and lengths in ms; where it is not known which look saw a renewal, the earlier is taken.
 */
export function foretellFirstMark(tickAt: number, renewedAt: readonly number[], grace: number): number {
  return Math.min(
    ...renewedAt.map((renewal) => {
      const looks = Math.ceil((renewal - tickAt) / monitorEvery);
      const lastLookAt = tickAt + (looks - 1) * monitorEvery;
      const mayHaveSeen = renewal - lastLookAt <= lateAnyway + latePerLook * Math.abs(looks);
      return tickAt + (mayHaveSeen ? looks - 1 : looks) * monitorEvery + Math.ceil(grace / monitorEvery) * monitorEvery;
    }),
  );
}
