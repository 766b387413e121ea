import { setTimeout as pause } from 'node:timers/promises';
import type { V1Deployment } from '@kubernetes/client-node';
import { parse, stringify } from 'yaml';
import type { Manifest, Rendering } from '@dwd/lab/gardener/rendering.ts';
import { theOnly } from '@dwd/lab/gardener/rendering.ts';
import { RealApiServer } from '@dwd/lab/real/api-server.ts';
import { joinNode } from '@dwd/lab/real/played-kubelets.ts';
import { PlayedPods } from '@dwd/lab/real/played-pods.ts';
import { addMachine } from '@dwd/lab/real/seed-objects.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { microTime } from '@dwd/simulator/store/kube-object.ts';
import { clusterObject, workloadObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { tokenOf } from './as-deployed.ts';
import type { BareSeed } from './bare-seed.ts';

const nodes = ['node-1', 'node-2', 'node-3'];
const longAgo = -3_600_000;

/** A kubelet's is 10 s. */
const renewEvery = 5_000;

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const machineDeployments = '/apis/machine.sapcloud.io/v1alpha1/namespaces';

/** A shoot on an API server of its own, with what gardenlet makes for the prober in it and in the seed; its pods in the seed are played. */
export class GardenersShoot {
  readonly name: string;
  readonly pods: PlayedPods;
  readonly #seed: BareSeed;
  readonly #api: RealApiServer;
  readonly #over = new AbortController();
  #isCutOff = false;

  private constructor(seed: BareSeed, api: RealApiServer, name: string) {
    this.#seed = seed;
    this.#api = api;
    this.name = name;
    this.pods = new PlayedPods(seed.api.operator, name, this.#over.signal);
  }

  static async start(seed: BareSeed, { accessInSeed, accessInShoot }: Rendering): Promise<GardenersShoot> {
    const secret = theOnly(accessInSeed, 'Secret');
    const name = String(secret.metadata.namespace);
    const api = await RealApiServer.start(seed.ground, name);
    await seed.api.call('POST', '/api/v1/namespaces', { metadata: { name } });
    const shoot = new GardenersShoot(seed, api, name);
    await shoot.#grant(accessInShoot);
    await seed.install([await shoot.#filledIn(secret)]);
    await shoot.#furnish();
    return shoot;
  }

  /** No kubelet renews any more, since an hour. */
  async cutOff(): Promise<void> {
    this.#isCutOff = true;
    await this.#renewAll(longAgo);
  }

  async heal(): Promise<void> {
    this.#isCutOff = false;
    await this.#renewAll();
  }

  /** `name: desired replicas` of the Deployments. */
  async dependants(): Promise<Readonly<Record<string, number>>> {
    const { items } = await this.#seed.api.operator.apps.listNamespacedDeployment({ namespace: this.name });
    return Object.fromEntries(items.map(({ metadata, spec }) => [metadata?.name, spec?.replicas ?? 1]));
  }

  /** As somebody with kubectl does it. */
  async scaleByHand(replicas: number): Promise<void> {
    for (const name of Object.keys(await this.dependants()))
      await this.#seed.api.call('PATCH', `/apis/apps/v1/namespaces/${this.name}/deployments/${name}`, {
        spec: { replicas },
      });
  }

  async end(): Promise<void> {
    this.#over.abort();
    await this.#api.close();
  }

  async #grant(accessInShoot: readonly Manifest[]): Promise<void> {
    // The server makes it itself, some time after its start.
    await this.#api.call('POST', '/api/v1/namespaces', { metadata: { name: 'kube-node-lease' } }, [409]);
    for (const one of accessInShoot) await this.#api.operator.objects.create(one);
  }

  /** The Secret as gardener-resource-manager fills it in, which makes the account for it as well; and with an address that leads to this shoot. */
  async #filledIn(secret: Manifest): Promise<Manifest> {
    const { annotations = {} } = secret.metadata;
    const [namespace, account] = ['namespace', 'name'].map(
      (what) => annotations[`serviceaccount.resources.gardener.cloud/${what}`] ?? '',
    ) as [string, string];
    await this.#api.call('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: account } });
    const { kubeconfig: written } = secret['stringData'] as { kubeconfig: string };
    const kubeconfig = parse(written) as {
      clusters: { cluster: Record<string, string> }[];
      users: { user: Record<string, string> }[];
    };
    for (const { cluster } of kubeconfig.clusters) {
      cluster['server'] = this.#api.url;
      cluster['certificate-authority-data'] = Buffer.from(this.#api.reach.ca).toString('base64');
    }
    for (const { user } of kubeconfig.users) user['token'] = await tokenOf(this.#api, { namespace, name: account });
    return { ...secret, stringData: { kubeconfig: stringify(kubeconfig) } };
  }

  async #furnish(): Promise<void> {
    const { operator } = this.#seed.api;
    for (const node of nodes) {
      await joinNode(this.#api, node);
      await addMachine(operator, this.name, node);
    }
    void this.#renew();
    await this.#addMachineDeployment();
    for (const dependant of ['kube-controller-manager', 'machine-controller-manager', 'cluster-autoscaler']) {
      const body = workloadObject(kinds.deployment, this.name, dependant, 1) as V1Deployment;
      await operator.apps.createNamespacedDeployment({ namespace: this.name, body });
    }
    const cluster = { apiVersion: 'extensions.gardener.cloud/v1alpha1', kind: 'Cluster', ...clusterObject(this.name) };
    await this.#seed.install([cluster as Manifest]);
  }

  /** gardenlet asks for the replicas of a machine-controller-manager only where there are machines to control. */
  async #addMachineDeployment(): Promise<void> {
    const collection = `${machineDeployments}/${this.name}/machinedeployments`;
    const labels = { name: 'worker' };
    await this.#seed.api.call('POST', collection, {
      apiVersion: 'machine.sapcloud.io/v1alpha1',
      kind: 'MachineDeployment',
      metadata: { name: 'worker' },
      spec: { replicas: nodes.length, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: {} } },
    });
    await this.#seed.api.call('PATCH', `${collection}/worker/status`, { status: { replicas: nodes.length } });
  }

  /** A lease that does not move is taken for expired, whatever its time says. */
  async #renew(): Promise<void> {
    while (!this.#over.signal.aborted) {
      if (!this.#isCutOff) await this.#renewAll().catch(() => undefined);
      await pause(renewEvery);
    }
  }

  async #renewAll(from = 0): Promise<void> {
    const spec = { renewTime: microTime(Date.now() + from) };
    await Promise.all(nodes.map((node) => this.#api.call('PATCH', `${leases}/${node}`, { spec })));
  }
}
