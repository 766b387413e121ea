import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import { shootUser } from '@dwd/testing/gardener-rbac.ts';
import { configOf } from '@dwd/testing/prober-configs.ts';
import type { Replicas, Stage } from '@dwd/testing/stage.ts';
import { PlayedDeployments } from '../../meltdown/played-deployments.ts';
import type { RealApiServer } from '../../real/api-server.ts';
import { tolerating } from '../../real/operator-client.ts';
import { addShoot } from '../../real/seed-objects.ts';
import { StagedNodes } from '../support/staged-nodes.ts';

const clusters = { group: 'extensions.gardener.cloud', version: 'v1alpha1', plural: 'clusters' };

/** One shoot of three nodes on a real seed, with its Deployments played, for a prober to guard. */
export class RealStage implements Stage {
  readonly #seed: RealApiServer;
  readonly #shoot: RealApiServer;
  readonly #namespace: string;
  readonly #deployments: string;
  readonly #played: PlayedDeployments;
  #nodes: StagedNodes | undefined;

  constructor(seed: RealApiServer, shoot: RealApiServer, namespace: string) {
    this.#seed = seed;
    this.#shoot = shoot;
    this.#namespace = namespace;
    this.#deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    this.#played = new PlayedDeployments(seed, { namespace, isAway: true, podTakes: { toStart: 0, toEnd: 0 } });
  }

  /** Of the configuration's dependants the Deployments are there then, and no others. */
  async enter(configText: string): Promise<void> {
    const config = configOf(configText);
    const dependants = config.dependants.filter(({ ref }) => ref.kind === 'Deployment');
    const names = [1, 2, 3].map((number) => `${this.#namespace}-node-${number}`);
    this.#nodes = await StagedNodes.join(this.#shoot.operator, names);
    const kubeconfigOf = () => this.#shoot.kubeconfig(shootUser);
    await addShoot(this.#seed, this.#namespace, { ...config, dependants }, kubeconfigOf, names);
    void this.#played.follow();
  }

  /** What later tests might stumble over goes. */
  async leave(): Promise<void> {
    this.#played.stop();
    const { custom } = this.#seed.operator;
    await tolerating([404], custom.deleteClusterCustomObject({ ...clusters, name: this.#namespace }));
    await this.#nodes?.leave();
  }

  async cutOff(): Promise<void> {
    await this.#nodes?.cutOffLongAgo();
  }

  async heal(): Promise<void> {
    await this.#nodes?.heal();
  }

  async replicas(): Promise<Replicas> {
    const { items } = await this.#seed.operator.apps.listNamespacedDeployment({ namespace: this.#namespace });
    return Object.fromEntries(items.map(({ metadata, spec }) => [metadata?.name, spec?.replicas ?? 1]));
  }

  leaseOf(role: RoleName): Promise<Readonly<Record<string, unknown>> | undefined> {
    return leaseOn(this.#seed, role);
  }

  /** Meanwhile somebody writes to a Deployment all the time, so that whoever writes by what they saw finds it changed. */
  async disturbing(name: string, work: () => Promise<void>): Promise<void> {
    const over = new AbortController();
    let count = 0;
    const disturb = async () => {
      while (!over.signal.aborted) {
        const labels = { count: `${++count}` };
        // Over a connection that is kept: client-node opens one for each call, and the prober's write would slip in between.
        await this.#seed.call('PATCH', `${this.#deployments}/${name}`, { metadata: { labels } }, [409]);
      }
    };
    const disturbances = Promise.all([disturb(), disturb(), disturb()]);
    try {
      await work();
    } finally {
      over.abort();
      await disturbances;
    }
  }
}

export const leasePath = (role: RoleName): string =>
  `/apis/coordination.k8s.io/v1/namespaces/garden/leases/dwd-${role}-leader-election`;

/** Who holds a role's Lease on a real seed. */
async function leaseOn(seed: RealApiServer, role: RoleName): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { body } = await seed.call('GET', leasePath(role), undefined, [404]);
  return body['kind'] === 'Lease' ? (body['spec'] as Readonly<Record<string, unknown>>) : undefined;
}
