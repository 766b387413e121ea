import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { seededChance } from '../../../src/adapters/clock/chance.ts';
import { systemClock } from '../../../src/adapters/clock/wall-clock.ts';
import { gardenerProberConfig, gardenerWeederConfig } from '../../../src/commands/simulate/story/story-config.ts';
import { readProberConfig } from '../../../src/domain/config/read-prober-config.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '../../../src/simulator/embedded-seed.ts';
import { freePort } from '../../real/free-port.ts';
import { end, start } from '../../real/processes.ts';

const shootNames = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].map(
  (name) => `shoot--dev--${name}`,
);
const withControlPlane = ['shoot--dev--two', 'shoot--dev--three', 'shoot--dev--seven'];
const etcd = 'etcd-main';

/** A process of a role, as Prometheus will call it. */
export type Scraped = Readonly<{ pod: string; instance: string; port: number }>;
type Running = Scraped & { role: 'prober' | 'weeder'; child: ChildProcess };

/** An embedded seed with two real probers and a real weeder on it, as Gardener starts them. */
export class RecordedStage {
  readonly seed: EmbeddedSeed;
  readonly #directory: string;
  readonly #running: Running[] = [];

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
    await stage.#start('prober', 'a4k2x', '10.0.1.11:9643', ['--kube-api-qps=20.0', '--kube-api-burst=100']);
    await stage.#start('prober', 'c9d7m', '10.0.2.12:9643', ['--kube-api-qps=20.0', '--kube-api-burst=100']);
    await stage.#start('weeder', 'p6w3q', '10.0.1.13:9643', []);
    return stage;
  }

  get scraped(): readonly Scraped[] {
    return this.#running;
  }

  cutOff(shoots: readonly string[]): void {
    for (const name of shoots) this.seed.shoot(name).cutOff();
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
      const text = await (await fetch(`http://127.0.0.1:${one.port}/metrics`)).text();
      if (one.role !== 'prober' || !text.includes('\ndwd_leader 1\n')) continue;
      await end(one.child);
      one.child = this.#spawn(one.role, one.pod, one.port, ['--kube-api-qps=20.0', '--kube-api-burst=100']);
      return;
    }
    throw new Error('no prober leads');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map(({ child }) => end(child)));
    await this.seed.stop();
  }

  async #start(role: 'prober' | 'weeder', name: string, instance: string, flags: readonly string[]): Promise<void> {
    const pod = `dependency-watchdog-${role}-${name}`;
    const port = await freePort();
    writeFileSync(join(this.#directory, `${pod}.kubeconfig`), this.seed.addUser(pod));
    this.#running.push({ role, pod, instance, port, child: this.#spawn(role, pod, port, flags) });
  }

  #spawn(role: 'prober' | 'weeder', pod: string, port: number, flags: readonly string[]): ChildProcess {
    return start(this.#directory, pod, process.execPath, [
      join(import.meta.dirname, '../../../src/main.ts'),
      role,
      `--config-file=${join(this.#directory, `${role}.yaml`)}`,
      `--kubeconfig=${join(this.#directory, `${pod}.kubeconfig`)}`,
      '--enable-leader-election=true',
      `--metrics-bind-addr=127.0.0.1:${port}`,
      '--health-bind-addr=127.0.0.1:0',
      '--inspector-bind-addr=0',
      ...flags,
    ]);
  }

  #planes(namespaces: readonly string[]) {
    return this.seed.controlPlanes.filter(({ namespace }) => namespaces.includes(namespace));
  }
}
