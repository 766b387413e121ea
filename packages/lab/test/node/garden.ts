import { PatchStrategy, setHeaderOptions, type KubernetesObject, type V1Pod } from '@kubernetes/client-node';
import { tolerating } from '../../real/operator-client.ts';
import { nodeName, type RealNode } from '../../real-node/real-node.ts';
import { seriesOf, type LogLine, type Series } from '@dwd/testing/program.ts';

import { defineKinds } from '../../real/seed-objects.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import { until } from '../support/until.ts';

const namespace = 'garden';
const deploymentOf = (role: RoleName): string => `dependency-watchdog-${role}`;

/** Containers are told apart by their names. */
const strategicPatch = setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch);

/** The namespace `garden` of a real node: prober and weeder as pods, seen as an operator sees them, through the API server. */
export class Garden {
  readonly #node: RealNode;

  private constructor(node: RealNode) {
    this.#node = node;
  }

  /** With Gardener's kinds. */
  static async furnish(node: RealNode): Promise<Garden> {
    const { operator } = node.server;
    await defineKinds(node.server);
    await tolerating([409], operator.core.createNamespace({ body: { metadata: { name: namespace } } }));
    return new Garden(node);
  }

  /** Creates these; what both roles need may be there already. */
  async deploy(objects: readonly KubernetesObject[]): Promise<void> {
    for (const object of objects) await tolerating([409], this.#node.server.operator.objects.create(object));
  }

  /** A strategic patch on a Deployment's pods, which rolls it. */
  async roll(role: RoleName, container: Readonly<Record<string, unknown>>): Promise<void> {
    const spec = { template: { spec: { containers: [{ name: 'dependency-watchdog', ...container }] } } };
    const { apps } = this.#node.server.operator;
    await apps.patchNamespacedDeployment({ namespace, name: deploymentOf(role), body: { spec } }, strategicPatch);
  }

  /** Its latest template runs, and nothing else of it. */
  async isRolled(role: RoleName): Promise<boolean> {
    const { apps } = this.#node.server.operator;
    const { metadata, status, spec } = await apps.readNamespacedDeployment({ namespace, name: deploymentOf(role) });
    const pods = await this.pods(role);
    return (
      status?.observedGeneration === metadata?.generation &&
      status?.updatedReplicas === spec?.replicas &&
      pods.length === spec?.replicas &&
      pods.every(isReady)
    );
  }

  async pods(role: RoleName): Promise<readonly V1Pod[]> {
    const labelSelector = `app=${deploymentOf(role)}`;
    return (await this.#node.server.operator.core.listNamespacedPod({ namespace, labelSelector })).items;
  }

  /** The only one. */
  async pod(role: RoleName): Promise<V1Pod> {
    const pods = await this.pods(role);
    if (pods.length !== 1) throw new Error(`the ${role} has ${pods.length} pods`);
    return pods[0]!;
  }

  /** As `kubectl logs` has it from the kubelet; `previous`: of the container before this one. */
  async logs(pod: V1Pod, previous = false): Promise<readonly LogLine[]> {
    const { core } = this.#node.server.operator;
    const text = await core.readNamespacedPodLog({ namespace, name: nameOf(pod), previous });
    return text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
  }

  async series(pod: V1Pod): Promise<Series> {
    const path = `/api/v1/namespaces/${namespace}/pods/${nameOf(pod)}:9643/proxy/metrics`;
    const { body } = await this.#node.server.call('GET', path);
    return seriesOf(String(body['text']));
  }

  /** Its only pod says that it leads. Without a probe a pod is ready before it answers. */
  async leads(role: RoleName): Promise<boolean> {
    const [pod] = (await this.pods(role)).filter(isReady);
    const series: Series = pod === undefined ? {} : await this.series(pod).catch(() => ({}));
    return series['dwd_leader'] === 1;
  }

  /** The working set of its container in bytes, as the kubelet counts it and evicts by. Undefined before it has looked. */
  async workingSet(pod: V1Pod): Promise<number | undefined> {
    const { body } = await this.#node.server.call('GET', `/api/v1/nodes/${nodeName}/proxy/stats/summary`);
    const { pods } = body as {
      pods: { podRef: { uid: string }; containers?: { memory?: { workingSetBytes?: number } }[] }[];
    };
    const of = pods.find(({ podRef }) => podRef.uid === pod.metadata?.uid);
    return of?.containers?.[0]?.memory?.workingSetBytes;
  }

  async evict(pod: V1Pod): Promise<void> {
    const { core } = this.#node.server.operator;
    const name = nameOf(pod);
    await core.createNamespacedPodEviction({ namespace, name, body: { metadata: { name, namespace } } });
  }

  /** Throws with the states and last lines of all pods where it does not come to be. */
  async until(what: string, isSo: () => boolean | Promise<boolean>, patience = 120_000): Promise<void> {
    try {
      await until(what, isSo, { patience });
    } catch (error) {
      const pods = [...(await this.pods('prober')), ...(await this.pods('weeder'))];
      const said = await Promise.all(pods.map((pod) => this.#lastOf(pod)));
      throw new Error(said.join('\n'), { cause: error });
    }
  }

  async #lastOf(pod: V1Pod): Promise<string> {
    const lines = await this.logs(pod).catch(() => []);
    const states = JSON.stringify(
      pod.status?.containerStatuses?.map(({ state, restartCount }) => ({ state, restartCount })),
    );
    return [
      `${nameOf(pod)} ${pod.status?.phase} ${states}`,
      ...lines.slice(-12).map((line) => JSON.stringify(line)),
    ].join('\n');
  }
}

export function isReady(pod: V1Pod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

export const nameOf = (pod: V1Pod): string => pod.metadata?.name ?? '';
