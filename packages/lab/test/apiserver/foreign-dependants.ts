import type { RealApiServer } from '../../real/api-server.ts';
import { addWorkload } from '../../real/control-plane.ts';
import type { CustomKind } from '../../real/custom-kinds.ts';
import { defineKind } from '../../real/seed-objects.ts';
import { bindRole, rbac } from './role-on-seed.ts';

const group = 'least-privilege.example';
/** What holds the permissions that Gardener does not grant. */
export const foreignRole = 'least-privilege-foreign-dependants';

const widgetKind: CustomKind = {
  group,
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
};

/** A StatefulSet and a custom resource with a scale subresource, of which Gardener's roles know nothing. */
export class ForeignDependants {
  /** As dependants of a prober. */
  static readonly configText = `
- ref: {apiVersion: apps/v1, kind: StatefulSet, name: kine}
  scaleUp: {level: 2, timeout: 1s}
  scaleDown: {level: 0, timeout: 1s}
- ref: {apiVersion: ${group}/v1, kind: Widget, name: operator}
  scaleUp: {level: 2, timeout: 1s}
  scaleDown: {level: 0, timeout: 1s}
`;
  static readonly keys = ['apps/v1/StatefulSet/kine', `${group}/v1/Widget/operator`];
  readonly #seed: RealApiServer;
  readonly #namespace: string;
  readonly #statefulSets: string;
  readonly #widgets: string;

  constructor(seed: RealApiServer, namespace: string) {
    this.#seed = seed;
    this.#namespace = namespace;
    this.#statefulSets = `/apis/apps/v1/namespaces/${namespace}/statefulsets`;
    this.#widgets = `/apis/${group}/v1/namespaces/${namespace}/widgets`;
  }

  /** Both with one replica. */
  async create(): Promise<void> {
    await defineKind(this.#seed, widgetKind);
    await addWorkload(this.#seed.operator, this.#namespace, {
      kind: 'StatefulSet',
      name: 'kine',
      role: 'kine',
      replicas: 1,
    });
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'operator' }, spec: { replicas: 1 } };
    await this.#seed.call('POST', this.#widgets, widget);
  }

  /** Desired: the StatefulSet's, then the custom resource's. */
  async replicas(): Promise<readonly number[]> {
    const paths = [`${this.#statefulSets}/kine`, `${this.#widgets}/operator`];
    const answers = await Promise.all(paths.map((path) => this.#seed.call('GET', path)));
    return answers.map(({ body }) => (body['spec'] as { replicas: number }).replicas);
  }

  /** What `deploy/README.md` says that they need. */
  async grant(user: string): Promise<void> {
    const metadata = { name: foreignRole };
    const rules = [
      { apiGroups: ['apps'], resources: ['statefulsets'], verbs: ['get', 'list', 'watch', 'patch'] },
      { apiGroups: [group], resources: ['widgets', 'widgets/scale'], verbs: ['get', 'patch'] },
    ];
    await this.#seed.call('POST', `${rbac}/clusterroles`, { metadata, rules });
    await bindRole(this.#seed, foreignRole, user, foreignRole);
  }

  async revoke(): Promise<void> {
    for (const kind of ['clusterrolebindings', 'clusterroles'])
      await this.#seed.call('DELETE', `${rbac}/${kind}/${foreignRole}`, undefined, [404]);
  }
}
