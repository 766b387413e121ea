import type { KubernetesObject, V1ConfigMap, V1Deployment, V1Volume } from '@kubernetes/client-node';
import { newest, renderingOf } from '../../gardener/rendering.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';

/** As Gardener's webhook adds it to each pod whose account mounts no token by itself. */
const token: V1Volume = {
  name: 'kube-api-access-gardener',
  projected: {
    defaultMode: 420,
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: 43_200 } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
  },
};

/** What gardenlet deploys of a role, but for the autoscaler's object. `config`: the text of another configuration. */
export function asGardenletDeploys(role: RoleName, image: string, config?: string): readonly KubernetesObject[] {
  const objects = structuredClone(renderingOf(newest)[role]) as readonly KubernetesObject[];
  for (const object of objects) {
    if (object.kind === 'ConfigMap' && config !== undefined)
      (object as V1ConfigMap).data = { 'dep-config.yaml': config };
    if (object.kind !== 'Deployment') continue;
    const spec = (object as V1Deployment).spec!.template.spec!;
    const [container] = spec.containers;
    container!.image = image;
    container!.volumeMounts!.push({
      name: token.name,
      mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
      readOnly: true,
    });
    spec.volumes!.push(token);
  }
  const className = 'gardener-system-800';
  const priority = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: className },
    value: 999_998_800,
  };
  return [priority, ...objects.filter(({ kind }) => kind !== 'VerticalPodAutoscaler')];
}
