import type { V1PodSpec } from '@kubernetes/client-node';
import { nodeAddress } from '../../real-node/node-space.ts';
import { nodeName, type RealNode } from '../../real-node/real-node.ts';
import { workloadImage } from '../../real-node/runtime.ts';
import { mergePatch } from '../../real/operator-client.ts';

/** A part of a shoot's control plane, as a pod that really runs. */
export type Part = Readonly<{
  name: string;
  /** The label by which services and the weeder's selectors find it. */
  role: string;
  replicas?: number;
  /** Its port of the node's, for those that it is needed by; else it is in a network of its own. */
  port?: number;
  /** A port of the node's that has to take connections, or it ends with code 1. */
  needs?: number;
  /** How long it takes to be ready, in seconds. */
  readyAfter?: number;
  /** That has its pods as endpoints. */
  service?: string;
}>;

/** What of a Deployment was seen when. */
type SeenPart = Readonly<{ at: number; name: string; replicas: number; ready: number }>;

const ownPort = 8080;

/** Control planes of shoots as Deployments of tiny pods in a namespace of a real node. */
export class PodPlane {
  readonly namespace: string;
  /** Each change of a Deployment. */
  readonly history: SeenPart[] = [];
  readonly #node: RealNode;
  readonly #parts: readonly Part[];
  /** Of its pods; the weeder takes those of a control plane. */
  readonly #of: string;

  constructor(node: RealNode, namespace: string, parts: readonly Part[], of = 'controlplane') {
    this.#node = node;
    this.namespace = namespace;
    this.#parts = parts;
    this.#of = of;
  }

  /** Its namespace and all its parts; resolves before they are ready. */
  async create(signal: AbortSignal): Promise<void> {
    const { core, apps } = this.#node.server.operator;
    const { namespace } = this;
    await core.createNamespace({ body: { metadata: { name: namespace } } });
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments?watch=1`;
    this.#node.server
      .watch(path, ({ object }) => this.#see(object))
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    for (const { name, role, replicas = 1, service, ...part } of this.#parts) {
      const labels = { 'gardener.cloud/role': this.#of, role };
      const template = { metadata: { labels }, spec: podOf(part) };
      const spec = { replicas, selector: { matchLabels: { role } }, template };
      await apps.createNamespacedDeployment({ namespace, body: { metadata: { name, labels }, spec } });
      if (service === undefined) continue;
      const body = { metadata: { name: service }, spec: { selector: labels, ports: [{ port: part.port ?? ownPort }] } };
      await core.createNamespacedService({ namespace, body });
    }
  }

  async scale(name: string, replicas: number): Promise<void> {
    const { apps } = this.#node.server.operator;
    await apps.patchNamespacedDeployment({ namespace: this.namespace, name, body: { spec: { replicas } } }, mergePatch);
  }

  /** As it was seen last. */
  of(name: string): SeenPart | undefined {
    return this.history.findLast((seen) => seen.name === name);
  }

  /** All parts are wanted, and ready. */
  get isWell(): boolean {
    return this.#parts.every(({ name, replicas = 1 }) => {
      const seen = this.of(name);
      return seen?.replicas === replicas && seen.ready === replicas;
    });
  }

  #see(object: Record<string, unknown>): void {
    const { metadata, spec, status } = object as {
      metadata: { name: string };
      spec: { replicas: number };
      status?: { readyReplicas?: number };
    };
    this.history.push({
      at: Date.now(),
      name: metadata.name,
      replicas: spec.replicas,
      ready: status?.readyReplicas ?? 0,
    });
  }
}

function podOf({ port, needs, readyAfter = 0 }: Pick<Part, 'port' | 'needs' | 'readyAfter'>): V1PodSpec {
  const listens = port ?? ownPort;
  return {
    nodeName,
    hostNetwork: port !== undefined,
    terminationGracePeriodSeconds: 1,
    automountServiceAccountToken: false,
    // It stays where it is, whatever is said of its node.
    tolerations: [{ operator: 'Exists' }],
    containers: [
      {
        name: 'main',
        image: workloadImage,
        imagePullPolicy: 'Never',
        args: [
          `-listen=:${listens}`,
          `-ready-after=${readyAfter}s`,
          ...(needs === undefined ? [] : [`-needs=${nodeAddress}:${needs}`]),
        ],
        readinessProbe: { httpGet: { path: '/readyz', port: listens }, periodSeconds: 1 },
      },
    ],
  };
}
