import type { DependantKey } from '../../../domain/prober/dependant.ts';

/** `kube-controller-manager`, of `apps/v1/Deployment/kube-controller-manager`. */
export function shortName(key: DependantKey): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
