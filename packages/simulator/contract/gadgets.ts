import type { ResourceKind } from '../store/resource-kind.ts';
import { Wire } from './embedded-wire.ts';

/** A custom resource with status and scale, whose replicas are where we would not look for them. */
export const gadget = {
  group: 'test.example',
  version: 'v1',
  kind: 'Gadget',
  plural: 'gadgets',
  namespaced: true,
  custom: true,
  countsGenerations: true,
  hasStatus: true,
  scale: { specReplicas: ['spec', 'size'], statusReplicas: ['status', 'size'], selector: ['status', 'selector'] },
} satisfies ResourceKind;

/** Has a real API server serve gadgets; resolves once it does. */
export async function defineGadgets(server: Readonly<{ url: string; ca: string; token: string }>): Promise<void> {
  const { group, version, kind, plural } = gadget;
  const wire = new Wire(server);
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const scale = {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.size',
    labelSelectorPath: '.status.selector',
  };
  const served = {
    name: version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema },
    subresources: { status: {}, scale },
  };
  const spec = { group, names: { kind, plural, singular: 'gadget' }, scope: 'Namespaced', versions: [served] };
  await wire.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec,
  });
  const path = `/apis/${group}/${version}/${plural}`;
  for (let { code } = await wire.get(path); code !== 200; { code } = await wire.get(path));
  await wire.close();
}
