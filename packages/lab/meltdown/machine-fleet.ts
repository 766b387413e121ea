import type { V1CustomResourceDefinition } from '@kubernetes/client-node';
import type { RealApiServer } from '../real/api-server.ts';
import { served } from '../real/seed-objects.ts';
import type { Kubelets } from '../real/played-kubelets.ts';
import { MachineCloud } from '../real/machine-cloud.ts';
import { MachineControllerManager, type MachinePrograms, type Managing } from '../real/machine-controller-manager.ts';

/** In place of Gardener's ten minutes, so that an outage of two minutes costs what one of eleven would. */
const shortened = 30_000;

/**
 * From a node's mark until its Machine is replaced, in ms, at the longest: its Machine is Unknown at once, judged again a minute later and
 * Failed, then drained, deleted, made anew.
 */
export const replacedWithin = 85_000;

/** A pool of Gardener's is spread over its zones, with a MachineDeployment in each, which replaces one Machine at a time. */
const zones = 3;

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const apiVersion = 'machine.sapcloud.io/v1alpha1';

type Fleet = Readonly<{
  seed: RealApiServer;
  shoot: RealApiServer;
  namespace: string;
  kubelets: Kubelets;
  count: number;
}>;

/** The real Machines of a shoot: a machine-controller-manager, and a cloud in which kubelets are the machines. */
export class MachineFleet {
  readonly manager: MachineControllerManager;
  readonly #cloud: MachineCloud;
  readonly #fleet: Fleet;

  private constructor(fleet: Fleet, cloud: MachineCloud, manager: MachineControllerManager) {
    [this.#fleet, this.#cloud, this.manager] = [fleet, cloud, manager];
  }

  /** The manager does not run yet, and there are no Machines. */
  static async prepare(
    programs: MachinePrograms,
    managing: Omit<Managing, 'healthTimeout'> & Partial<Managing>,
    fleet: Fleet,
  ): Promise<MachineFleet> {
    const cloud = await MachineCloud.start(fleet.kubelets);
    const managed = { ...fleet, cloud: cloud.url };
    const manager = new MachineControllerManager(programs, { healthTimeout: shortened, ...managing }, managed);
    return new MachineFleet(fleet, cloud, manager);
  }

  /** The manager starts, and makes as many Machines as there are to be. The namespace exists. */
  async raise(): Promise<void> {
    const { seed, namespace, count } = this.#fleet;
    for (const object of fleetObjects(namespace, count)) await seed.operator.objects.create(object);
    await this.manager.start();
  }

  async stop(): Promise<void> {
    await this.manager.end();
    this.#cloud.stop();
  }
}

/** The kinds as machine-controller-manager defines them, in place of those that take anything. */
export async function defineMachines(
  seed: RealApiServer,
  definitions: readonly V1CustomResourceDefinition[],
): Promise<void> {
  for (const body of definitions) {
    const name = body.metadata?.name ?? '';
    // client-node would lose parts of the schemas.
    const { status } = await seed.call('POST', definitionsPath, body, [409]);
    if (status === 409) await seed.call('PATCH', `${definitionsPath}/${name}`, body);
    const { group, names, scope } = body.spec;
    const { plural, kind } = names;
    await served(seed.operator, {
      group,
      version: 'v1alpha1',
      plural,
      kind,
      scope: scope === 'Cluster' ? scope : 'Namespaced',
    });
  }
}

/** As gardenlet and the extension of a provider write them. */
function fleetObjects(namespace: string, count: number) {
  const machineClass = { kind: 'MachineClass', name: `${namespace}-worker` };
  const inZone = Array.from({ length: zones }, (_, zone) => Math.floor((count + zones - 1 - zone) / zones));
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: machineClass.name, namespace },
      stringData: { userData: 'none' },
    },
    {
      apiVersion,
      kind: machineClass.kind,
      metadata: { name: machineClass.name, namespace },
      provider: 'tests',
      providerSpec: {},
      secretRef: { name: machineClass.name, namespace },
      nodeTemplate: { capacity: { cpu: '4', memory: '16Gi', gpu: '0' }, instanceType: 'local', region: 'r', zone: 'z' },
    },
    ...inZone.flatMap((replicas, zone) => {
      const name = `${namespace}-worker-z${zone + 1}`;
      const labels = { name };
      return replicas === 0
        ? []
        : {
            apiVersion,
            kind: 'MachineDeployment',
            metadata: { name, namespace },
            spec: {
              replicas,
              minReadySeconds: 500,
              strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
              selector: { matchLabels: labels },
              template: { metadata: { labels }, spec: { class: machineClass } },
            },
          };
    }),
  ];
}
