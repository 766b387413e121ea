import type { KubernetesListObject, KubernetesObject } from '@kubernetes/client-node';
import { mergePatch, tolerating } from '@dwd/lab/real/operator-client.ts';
import { follow, type Stored } from '@dwd/lab/real/follow.ts';
import type { Cluster } from '@dwd/lab/test/support/cluster.ts';
import { defineKind } from '@dwd/lab/real/seed-objects.ts';

export const autopilotKind = {
  group: 'scenario.example',
  version: 'v1',
  kind: 'Autopilot',
  plural: 'autopilots',
  scope: 'Namespaced',
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
} as const;

type Autopilot = KubernetesObject & { spec?: { replicas: number }; status?: { replicas: number } };

/** A kind of an operator's own that can be scaled, and its controller in one namespace: what is wanted is so at once. */
export class PlayedAutopilots {
  readonly #cluster: Cluster;
  readonly #namespace: string;

  constructor(cluster: Cluster, namespace: string, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#namespace = namespace;
    const { custom } = cluster.operator;
    const place = { ...autopilotKind, namespace };
    const changed = ({ metadata: { name }, spec, status }: Stored<Autopilot>) => {
      if (spec === undefined || status?.replicas === spec.replicas) return;
      const body = { status: { replicas: spec.replicas } };
      const written = custom.patchNamespacedCustomObjectStatus({ ...place, name, body }, mergePatch);
      tolerating([404], written).catch((error: unknown) =>
        process.stderr.write(`the played controller of autopilots: ${String(error)}\n`),
      );
    };
    const list = () => custom.listNamespacedCustomObject(place) as Promise<KubernetesListObject<Autopilot>>;
    const { group, version, plural } = autopilotKind;
    follow(cluster.operator, `/apis/${group}/${version}/namespaces/${namespace}/${plural}`, list, { changed }, signal);
  }

  /** Installs the kind. */
  static async define(cluster: Cluster): Promise<void> {
    await defineKind(cluster, autopilotKind);
  }

  async add(name: string, replicas: number): Promise<void> {
    const { group, version, kind } = autopilotKind;
    const autopilot: Autopilot = {
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name, namespace: this.#namespace },
      spec: { replicas },
    };
    await this.#cluster.apply(autopilot);
  }
}
