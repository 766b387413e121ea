import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { seededChance } from '../../../src/adapters/clock/chance.ts';
import { systemClock } from '../../../src/adapters/clock/wall-clock.ts';
import { gardenerProberConfig, gardenerWeederConfig } from '@dwd/simulator/commands/simulate/story/story-config.ts';
import { readProberConfig } from '../../../src/domain/config/read-prober-config.ts';
import { zoneNames, zoneOf } from '@dwd/simulator/shoot/shoot-objects.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import type { RoleName } from '../../../src/commands/role/role.ts';
import { StartedRole } from '@dwd/lab/real/started-role.ts';

const shootNames = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].map(
  (name) => `shoot--dev--${name}`,
);
const withControlPlane = ['shoot--dev--two', 'shoot--dev--three', 'shoot--dev--seven'];
const etcd = 'etcd-main';

/** A process of a role, as Prometheus will call it. */
export type Scraped = Readonly<{ pod: string; instance: string; port: number }>;
type Running = Readonly<{ role: RoleName; pod: string; instance: string; kubeconfig: string; process: StartedRole }>;

/** An embedded seed with two real probers and a real weeder on it, as Gardener starts them. */
export class RecordedStage {
  readonly seed: EmbeddedSeed;
  readonly #directory: string;
  #running: readonly Running[] = [];

  private constructor(seed: EmbeddedSeed, directory: string) {
    this.seed = seed;
    this.#directory = directory;
  }

  static async start(directory: string): Promise<RecordedStage> {
    const reading = readProberConfig(parse(gardenerProberConfig));
    if (!reading.ok) throw new Error(`Gardener's configuration is refused: ${JSON.stringify(reading.problems)}`);
    const { config } = reading;
    const clock = systemClock;
    const seed = await startEmbeddedSeed({ clock, chance: seededChance(7), config, shoots: shootNames, nodes: 4 });
    for (const namespace of withControlPlane) seed.addControlPlane(namespace);
    const stage = new RecordedStage(seed, directory);
    writeFileSync(join(directory, 'prober.yaml'), gardenerProberConfig);
    writeFileSync(join(directory, 'weeder.yaml'), gardenerWeederConfig);
    await stage.#start('prober', 'a4k2x', '10.0.1.11:9643');
    await stage.#start('prober', 'c9d7m', '10.0.2.12:9643');
    await stage.#start('weeder', 'p6w3q', '10.0.1.13:9643');
    return stage;
  }

  get scraped(): readonly Scraped[] {
    return this.#running.map(({ pod, instance, process }) => ({ pod, instance, port: process.metricsPort }));
  }

  cutOff(shoots: readonly string[]): void {
    for (const name of shoots) this.seed.shoot(name).cutOff();
  }

  cutOffZone(name: string): void {
    const shoot = this.seed.shoot(name);
    shoot.cutOff(shoot.nodes.filter((node) => zoneOf(shoot.api.storage, node) === zoneNames[0]));
  }

  heal(shoots: readonly string[]): void {
    for (const name of shoots) this.seed.shoot(name).heal();
  }

  etcdDown(namespaces: readonly string[]): void {
    for (const plane of this.#planes(namespaces)) plane.down(etcd);
  }

  etcdUp(namespaces: readonly string[]): void {
    for (const plane of this.#planes(namespaces)) {
      plane.up(etcd);
      plane.replace(etcd);
    }
  }

  /** The seed answers writes on Deployments with 429, until its fault is cleared, and cuts its watches once. */
  throttleWrites(): void {
    const { api } = this.seed;
    api.setFault(
      { kind: 'throttle', retryAfterSeconds: 1 },
      ({ verb, resource }) => verb === 'patch' && resource === 'deployments',
    );
    api.breakWatches();
  }

  /** The prober that leads is ended, and started again. */
  async restartLeader(): Promise<void> {
    for (const one of this.#running) {
      if (one.role !== 'prober' || !(await one.process.leads())) continue;
      await one.process[Symbol.asyncDispose]();
      // At the same port: Prometheus knows no other.
      const process = await this.#run(one, one.process.metricsPort);
      this.#running = this.#running.map((other) => (other === one ? { ...one, process } : other));
      return;
    }
    throw new Error('no prober leads');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map(({ process }) => process[Symbol.asyncDispose]()));
    await this.seed.stop();
  }

  async #start(role: RoleName, name: string, instance: string): Promise<void> {
    const pod = `dependency-watchdog-${role}-${name}`;
    const one = { role, pod, instance, kubeconfig: this.seed.addUser(pod) };
    this.#running = [...this.#running, { ...one, process: await this.#run(one) }];
  }

  #run({ role, pod: name, kubeconfig }: Omit<Running, 'process'>, metricsPort?: number): Promise<StartedRole> {
    const configFile = join(this.#directory, `${role}.yaml`);
    return StartedRole.start(role, { directory: this.#directory, name, kubeconfig, configFile, metricsPort });
  }

  #planes(namespaces: readonly string[]) {
    return this.seed.controlPlanes.filter(({ namespace }) => namespaces.includes(namespace));
  }
}
