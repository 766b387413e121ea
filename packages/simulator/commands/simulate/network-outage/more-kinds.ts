import type { DependantRef } from 'dependency-watchdog/domain/prober/dependant.ts';
import { kinds } from '../../../store/embedded-kinds.ts';
import { apiVersionOf, type ResourceKind } from '../../../store/resource-kind.ts';

/** The kinds of dependants that the embedded seed does not serve by itself. They become custom resources with a scale. */
export function moreKinds(refs: readonly DependantRef[]): readonly ResourceKind[] {
  const served = new Set(Object.values<ResourceKind>(kinds).map((kind) => `${apiVersionOf(kind)}/${kind.kind}`));
  return refs.flatMap((ref): ResourceKind[] => {
    const name = `${ref.apiVersion}/${ref.kind}`;
    if (served.has(name)) return [];
    served.add(name);
    return [customKind(ref)];
  });
}

function customKind({ apiVersion, kind }: DependantRef): ResourceKind {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return {
    group,
    version,
    kind,
    // Clients learn the plural from discovery, so any will do.
    plural: `${kind.toLowerCase()}s`,
    namespaced: true,
    custom: true,
    countsGenerations: true,
    hasStatus: true,
    scale: { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'] },
    defaults: { 'spec.replicas': 1, status: {} },
  };
}
