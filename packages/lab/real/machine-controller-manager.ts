import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { V1CustomResourceDefinition } from '@kubernetes/client-node';
import type { RealApiServer } from './api-server.ts';
import { freePort, end, start } from './processes.ts';

/** What real machines of shoots need. */
export type MachinePrograms = Readonly<{
  manager: string;
  /** The machine controller, with the cloud of the tests. */
  driver: string;
  definitions: readonly V1CustomResourceDefinition[];
}>;

/** What the two containers of its pod are told by Gardener; the health time-out and addresses apart. */
const managerFlags = ['--safety-up=2', '--safety-down=1', '--machine-safety-overshooting-period=1m', '--v=3'];
const driverFlags = [
  '--machine-creation-timeout=20m',
  '--machine-drain-timeout=2h',
  '--machine-safety-apiserver-statuscheck-timeout=30s',
  '--machine-safety-apiserver-statuscheck-period=1m',
  '--machine-safety-orphan-vms-period=30m',
  '--v=3',
];

/** What it works on: the namespace in the seed, and the shoot. */
export type Managed = Readonly<{ seed: RealApiServer; namespace: string; shoot: RealApiServer; cloud: string }>;

export type Managing = Readonly<{
  directory: string;
  /** Its logs bear it, and a number. */
  name: string;
  /** For how long a Machine may be Unknown, in ms; Gardener has ten minutes. */
  healthTimeout: number;
  /** Whether it waits for the Lease of the one before, as Gardener's does. */
  elects?: boolean;
}>;

/** A real machine-controller-manager of a real shoot, whose two processes come and go. */
export class MachineControllerManager {
  readonly #programs: MachinePrograms;
  readonly #log: (what: string) => string;
  readonly #directory: string;
  readonly #flags: readonly string[];
  readonly #ofDriver: readonly string[];
  #running: readonly ChildProcess[] = [];
  #starts = 0;

  constructor(
    programs: MachinePrograms,
    { directory, name, healthTimeout, elects = true }: Managing,
    { seed, namespace, shoot, cloud }: Managed,
  ) {
    this.#programs = programs;
    this.#directory = directory;
    this.#log = (what) => `${name}.${what}.${this.#starts}`;
    const [control, target] = [join(directory, `${name}.seed.kubeconfig`), join(directory, `${name}.shoot.kubeconfig`)];
    writeFileSync(control, seed.kubeconfig('admin'));
    writeFileSync(target, shoot.kubeconfig('admin'));
    this.#flags = [
      `--control-kubeconfig=${control}`,
      `--target-kubeconfig=${target}`,
      `--namespace=${namespace}`,
      '--address=127.0.0.1',
      `--leader-elect=${elects}`,
    ];
    this.#ofDriver = [...driverFlags, `--machine-health-timeout=${healthTimeout}ms`, `--cloud=${cloud}`];
  }

  /** Resolves once both run. */
  async start(): Promise<void> {
    if (this.#running.length > 0) return;
    this.#starts += 1;
    const { manager, driver } = this.#programs;
    const begin = async (what: string, program: string, flags: readonly string[]) =>
      start(this.#directory, this.#log(what), program, [...this.#flags, `--port=${await freePort()}`, ...flags]);
    this.#running = [
      await begin('machine-controller-manager', manager, managerFlags),
      await begin('machine-controller', driver, this.#ofDriver),
    ];
  }

  /** Resolves once both have ended. */
  async end(): Promise<void> {
    const running = this.#running;
    this.#running = [];
    await Promise.all(running.map(end));
  }
}
