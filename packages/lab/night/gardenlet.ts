import { setTimeout as pause } from 'node:timers/promises';
import { type V1Deployment, ApiException } from '@kubernetes/client-node';
import { clusterObject, workloadObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { valueAt } from 'dependency-watchdog/domain/value-at.ts';
import type { MeltingShoot } from '../meltdown/melting-shoot.ts';
import { gardenerKinds } from '../real/custom-kinds.ts';
import { mergePatch, tolerating, type OperatorClient } from '../real/operator-client.ts';
import type { NightPlane } from './plane.ts';
import { replicasOf } from '../meltdown/column.ts';

/** As the garden has it. */
type ShootIs = 'awake' | 'asleep' | 'gone';

const [clusterKind] = gardenerKinds;
const typeMeta = { apiVersion: `${clusterKind.group}/${clusterKind.version}`, kind: clusterKind.kind };

/** The played gardenlet of a night: it hibernates, deletes and makes shoots, and knows how many replicas everything should have. */
export class Gardenlet {
  readonly #plane: NightPlane;
  #wanted = new Map<string, number>();
  #kept = new Map<string, number>();
  readonly #is = new Map<string, ShootIs>();
  /** What is played by several writes, and what takes the seed away, come one after the other. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(plane: NightPlane) {
    this.#plane = plane;
    for (const [index, { name }] of plane.shoots.entries())
      for (const { ref } of plane.place.config.dependants) this.want(name, ref.name, replicasOf(index));
    this.keep();
  }

  wanted(namespace: string, name: string): number {
    return this.#wanted.get(`${namespace}/${name}`) ?? 1;
  }

  want(namespace: string, name: string, replicas: number): void {
    this.#wanted.set(`${namespace}/${name}`, replicas);
  }

  /** What is wanted at a snapshot is wanted again once it was restored. */
  keep(): void {
    this.#kept = new Map(this.#wanted);
  }

  /** The garden was not restored: what the snapshot has otherwise is put right. */
  async restored(): Promise<void> {
    this.#wanted = new Map(this.#kept);
    for (const shoot of this.#plane.shoots) {
      const is = this.#is.get(shoot.name) ?? 'awake';
      const was = await this.#written(shoot.name);
      if (is === was) continue;
      if (is === 'asleep') await this.#putToSleep(shoot.name);
      else if (is === 'gone') await this.#delete(shoot.name);
      else if (was === 'asleep') await this.#wakeUp(shoot.name);
      else await this.#make(shoot.name);
    }
  }

  async #written(name: string): Promise<ShootIs> {
    const found = await this.onSeed(({ custom }) =>
      tolerating([404], custom.getClusterCustomObject({ ...clusterKind, name })),
    );
    if (found === undefined) return 'gone';
    return valueAt(found, 'spec', 'shoot', 'spec', 'hibernation', 'enabled') === true ? 'asleep' : 'awake';
  }

  /** Nothing else of this kind goes on meanwhile. */
  async alone<T>(play: () => Promise<T>): Promise<T> {
    const before = this.#queue;
    const mine = Promise.withResolvers<void>();
    this.#queue = mine.promise;
    await before;
    try {
      return await play();
    } finally {
      mine.resolve();
    }
  }

  /** Asks the seed, again and again while it is away. */
  onSeed<T>(ask: (client: OperatorClient) => Promise<T>): Promise<T> {
    return whileAway(() => ask(this.#plane.seed.api.operator));
  }

  /** False where the object has changed since, or is gone. */
  async patch(namespace: string, name: string, body: object): Promise<boolean> {
    const done = await this.onSeed(({ apps }) =>
      tolerating([404, 409], apps.patchNamespacedDeployment({ namespace, name, body }, mergePatch)),
    );
    return done !== undefined;
  }

  /** Sleeps for so long, in ms: no nodes, no replicas. */
  async hibernate(shoot: MeltingShoot, length: number): Promise<void> {
    await this.alone(async () => {
      this.#is.set(shoot.name, 'asleep');
      await this.#putToSleep(shoot.name);
      shoot.kubelets.cutOff();
    });
    await pause(length);
    await this.alone(async () => {
      await this.#nodesAreBack(shoot);
      this.#is.set(shoot.name, 'awake');
      await this.#wakeUp(shoot.name);
    });
  }

  /** Gone for so long, in ms, and made again. */
  async makeAgain(shoot: MeltingShoot, length: number): Promise<void> {
    await this.alone(async () => {
      this.#is.set(shoot.name, 'gone');
      await this.#delete(shoot.name);
      shoot.kubelets.cutOff();
    });
    await pause(length);
    await this.alone(async () => {
      await this.#nodesAreBack(shoot);
      this.#is.set(shoot.name, 'awake');
      await this.#make(shoot.name);
    });
  }

  async #putToSleep(namespace: string): Promise<void> {
    await this.#setShoot(namespace, { spec: { hibernation: { enabled: true } } });
    for (const name of this.#dependants) await this.patch(namespace, name, { spec: { replicas: 0 } });
    await this.#setShoot(namespace, { status: { hibernated: true } });
  }

  async #wakeUp(namespace: string): Promise<void> {
    for (const name of this.#dependants)
      await this.patch(namespace, name, { spec: { replicas: this.wanted(namespace, name) } });
    await this.#setShoot(namespace, { spec: { hibernation: { enabled: false } }, status: { hibernated: false } });
  }

  async #delete(namespace: string): Promise<void> {
    await this.onSeed(({ custom }) =>
      tolerating([404], custom.deleteClusterCustomObject({ ...clusterKind, name: namespace })),
    );
    for (const name of this.#dependants)
      await this.onSeed(({ apps }) => tolerating([404], apps.deleteNamespacedDeployment({ namespace, name })));
  }

  async #make(namespace: string): Promise<void> {
    for (const name of this.#dependants) {
      const body = workloadObject(kinds.deployment, namespace, name, this.wanted(namespace, name)) as V1Deployment;
      await this.onSeed(({ apps }) => tolerating([409], apps.createNamespacedDeployment({ namespace, body })));
    }
    const body = { ...typeMeta, ...clusterObject(namespace) };
    await this.onSeed(({ custom }) => tolerating([409], custom.createClusterCustomObject({ ...clusterKind, body })));
  }

  get #dependants(): readonly string[] {
    return this.#plane.place.config.dependants.map(({ ref }) => ref.name);
  }

  /** Its nodes are back, and have renewed their leases. */
  async #nodesAreBack(shoot: MeltingShoot): Promise<void> {
    shoot.kubelets.heal();
    const from = Date.now();
    // A gateway that is away meanwhile keeps nobody from waking.
    while (Date.now() - from < 15_000 && ((await shoot.renewals())[0] ?? from) < from) await pause(200);
  }

  async #setShoot(name: string, shoot: object): Promise<void> {
    await this.onSeed(({ custom }) =>
      custom.patchClusterCustomObject({ ...clusterKind, name, body: { spec: { shoot } } }, mergePatch),
    );
  }
}

const againAfter = 500;
const mostTries = 240;

/** Asks again and again as long as the server is away; what it refuses is thrown. */
export async function whileAway<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await ask();
    } catch (error) {
      if ((error instanceof ApiException && error.code < 500) || tries === mostTries) throw error;
      await pause(againAfter);
    }
}
