import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Agenda } from '../store/agenda.ts';
import { withValueAt } from '../store/kube-object.ts';
import { replaceObject, type Storage } from '../store/object-writes.ts';
import { type ResourceKind, withPods, workloadNumbers } from '../store/resource-kind.ts';
import type { Revision } from '../store/revision.ts';

/** How long a controller and its pods take. */
export type WorkloadPace = Readonly<{
  /** Until the status has seen a new spec (`observedGeneration`). */
  observe: Millis;
  /** From then until the surplus pods are gone. */
  down: Millis;
  /** From then until the missing pods are ready. */
  up: Millis;
  /** So much longer the pods of these take to end, by the object's key. */
  endsLater?: ReadonlyMap<string, Millis>;
}>;

/** A pod's usual end and start: SIGTERM to an idle controller; image there, probes passed. */
export const usualPace: WorkloadPace = { observe: 30, down: 300, up: 3_000 };

/**
 * Runs the controller of one scalable kind, and the kubelets with its pods, for as long as its storage lasts: the status
 * follows the spec, first `observedGeneration`, then the pods. Only the newest spec counts.
 */
export function runWorkloads(storage: Storage, agenda: Agenda, kind: ResourceKind, pace: WorkloadPace): void {
  const workloads = storage.store.of(kind);
  /** What is still to be done, by object: a newer spec replaces the older one. */
  const coming = new Map<string, () => void>();

  const plan = (key: string, delay: Millis, work: (current: Revision) => void): void => {
    coming.get(key)?.();
    const cancel = agenda.after(delay, () => {
      coming.delete(key);
      const current = workloads.get(key);
      if (current !== undefined) work(current);
    });
    coming.set(key, cancel);
  };

  /** The controller has seen the spec and starts or ends pods; none of it is done yet. */
  const observe = (current: Revision): void => {
    const { generation, desired, existing, ready } = workloadNumbers(kind, current.object);
    // A custom resource reports one number only: the pods that are there to stay.
    const started = kind.custom === true ? existing : Math.max(existing, desired);
    const observed = withValueAt(current.object, ['status', 'observedGeneration'], generation);
    replaceObject(storage, kind, current, withPods(kind, observed, started, ready), 'status');
    plan(current.key, desired > ready ? pace.up : pace.down + (pace.endsLater?.get(current.key) ?? 0), settle);
  };

  const settle = (current: Revision): void => {
    const { desired } = workloadNumbers(kind, current.object);
    replaceObject(storage, kind, current, withPods(kind, current.object, desired, desired), 'status');
  };

  workloads.onChange(({ type, revision: { key, object }, previous }) => {
    if (type === 'DELETED') {
      coming.get(key)?.();
      coming.delete(key);
      return;
    }
    // A backup may bring back pods that were not ready, under the same spec.
    const wentBack = Number(previous?.object.metadata.resourceVersion) > Number(object.metadata.resourceVersion);
    const isOld = !wentBack && previous?.object.metadata.generation === object.metadata.generation;
    const { generation, observedGeneration, desired, ready } = workloadNumbers(kind, object);
    if (!isOld && (desired !== ready || observedGeneration !== generation)) plan(key, pace.observe, observe);
  });
}
