import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { defineMachines, MachineFleet } from '../../meltdown/machine-fleet.ts';
import { listMachines } from '../../meltdown/shoot-state.ts';
import { RealApiServer } from '../../real/api-server.ts';
import { type Kubelets, joinNode } from '../../real/played-kubelets.ts';
import { findMachinePrograms } from '../../meltdown/place.ts';
import { endAll } from '../../real/processes.ts';
import { nodeObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { contractHealthTimeout, machineLifecycleContract } from '@dwd/simulator/contract/machine-lifecycle.contract.ts';
import { describeWith, realTier } from './real-tier.ts';

const programs = await findMachinePrograms((line) => void process.stderr.write(`${line}\n`)).catch((error: unknown) =>
  String(error),
);

describeWith(programs, 'machine lifecycle', 'real', (found) => {
  let server: RealApiServer;
  let directory: string;
  let stages = 0;

  beforeAll(async () => {
    const { bin, directory: tier, etcd } = realTier();
    directory = path.join(tier, 'machine-lifecycle');
    mkdirSync(directory);
    // It is seed and shoot in one.
    server = await RealApiServer.start({ bin, directory, etcd }, 'machines');
    await defineMachines(server, found.definitions);
    // Four kinds with large schemas are served late where much else goes on.
  }, 5 * 60_000);
  afterAll(endAll);

  machineLifecycleContract(async () => {
    const namespace = `shoot--machines--${++stages}`;
    await server.operator.core.createNamespace({ body: { metadata: { name: namespace } } });
    const kubelets = new JoiningNodes(server);
    const fleet = await MachineFleet.prepare(
      found,
      { directory, name: namespace, healthTimeout: contractHealthTimeout, elects: false },
      { seed: server, shoot: server, namespace, kubelets, count: 4 },
    );
    onTestFinished(() => fleet.stop());
    await fleet.raise();
    const phases = async () => {
      const machines = await listMachines(server, namespace);
      return new Map(machines.map(({ metadata, status }) => [metadata?.name ?? '', status?.currentStatus?.phase]));
    };
    const isWhole = async () => {
      const running = [...(await phases()).values()].filter((phase) => phase === 'Running');
      return running.length === 4;
    };
    while (!(await isWhole())) await pause(200);
    // By their zones, the first of which has two.
    const nodes = [...(await phases()).keys()].toSorted() as [string, string, string, string];
    // It hears of no change of a node that does not bear its finalizer yet.
    const areTaken = async () => {
      const { items } = await server.operator.core.listNode();
      const taken = items.filter(({ metadata }) => (metadata?.finalizers ?? []).length > 0);
      return nodes.every((node) => taken.some(({ metadata }) => metadata?.name === node));
    };
    while (!(await areTaken())) await pause(200);
    kubelets.holdsBack = true;
    return {
      now: () => Date.now(),
      pass: (length) => pause(length),
      nodes,
      // What it has not seen yet when it ends, it counts from its start.
      async mark(node) {
        await says(server, node, 'Unknown');
        while ((await phases()).get(node) !== 'Unknown') await pause(200);
      },
      heal: (node) => says(server, node, 'True'),
      async leaving() {
        const now = await phases();
        return nodes.filter((node) => ['Failed', 'Terminating', undefined].includes(now.get(node)));
      },
      async letJoin() {
        kubelets.holdsBack = false;
        await kubelets.joinAll();
      },
      isWhole,
      end: () => fleet.manager.end(),
      start: () => fleet.manager.start(),
    };
  });
});

/** Nodes that join, and of which nobody hears again. */
class JoiningNodes implements Kubelets {
  readonly names: string[] = [];
  readonly failures = [];
  /** Machines that come up do not reach the API server. */
  holdsBack = false;
  readonly #waiting: string[] = [];
  readonly #server: RealApiServer;

  constructor(server: RealApiServer) {
    this.#server = server;
  }

  async start(name: string): Promise<void> {
    this.names.push(name);
    this.#waiting.push(name);
    if (!this.holdsBack) await this.joinAll();
  }

  async joinAll(): Promise<void> {
    for (const name of this.#waiting.splice(0)) await joinNode(this.#server, name);
  }

  async end(name: string): Promise<void> {
    if (this.names.includes(name)) this.names.splice(this.names.indexOf(name), 1);
  }

  cutOff(): void {}

  heal(): void {}

  async haveRenewed(): Promise<boolean> {
    return true;
  }

  async stop(): Promise<void> {}
}

/** As its kubelet or the kube-controller-manager writes it. */
async function says(server: RealApiServer, node: string, ready: 'True' | 'Unknown'): Promise<void> {
  const { status } = nodeObject(node, Date.now()) as { status: { conditions: readonly { type: string }[] } };
  const conditions = status.conditions.map((one) => (one.type === 'Ready' ? { ...one, status: ready } : one));
  await server.call('PATCH', `/api/v1/nodes/${node}/status`, { status: { conditions } });
}
