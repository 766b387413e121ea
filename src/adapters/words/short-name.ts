import type { DependantKey } from '../../domain/prober/dependant.ts';

/** `apps/v1/Deployment/kube-controller-manager` as people call it: its name; its kind too where that is no Deployment. */
export function shortName(key: DependantKey): string {
  const [name = key, kind] = key.split('/').toReversed();
  return kind === undefined || kind === 'Deployment' ? name : `${kind}/${name}`;
}
