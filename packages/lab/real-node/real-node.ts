import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { V1Pod } from '@kubernetes/client-node';
import { RealApiServer } from '../real/api-server.ts';
import { tolerating } from '../real/operator-client.ts';
import { hasEnded, saidLast } from '../real/processes.ts';
import { NodeCgroups } from './cgroups.ts';
import { startKubelet } from './kubelet.ts';
import type { NodePrograms } from './node-programs.ts';
import { nodeAddress, NodeSpace, processBehind, serviceAddress } from './node-space.ts';
import { relayTo } from './relay.ts';
import { Runtime, workloadImage } from './runtime.ts';
import { makeStaticImage } from './static-image.ts';

/** Of the Node, for pods that are pinned to it. */
export const nodeName = 'real-node';

const apiPort = 443;

export type NodeWishes = Readonly<{
  /** A file: a line for each request to the API server. */
  auditLog?: string;
  /** How often the kubelet looks at a pod of which it heard nothing; a minute unless given. */
  syncFrequency?: string;
}>;

/** A cluster of one real node on this machine: control plane, scheduler, kubelet and containerd in namespaces of their own. */
export class RealNode {
  readonly server: RealApiServer;
  readonly runtime: Runtime;
  readonly space: NodeSpace;
  #kubelet: ChildProcess;
  readonly #startKubelet: () => ChildProcess;
  readonly #cgroups: NodeCgroups;

  private constructor(
    server: RealApiServer,
    runtime: Runtime,
    space: NodeSpace,
    startKubeletAgain: () => ChildProcess,
    cgroups: NodeCgroups,
  ) {
    this.server = server;
    this.runtime = runtime;
    this.space = space;
    this.#startKubelet = startKubeletAgain;
    this.#kubelet = startKubeletAgain();
    this.#cgroups = cgroups;
  }

  /** Resolves once the node is ready and takes pods. `directory` takes logs and all. Leaves nothing behind where it rejects. */
  static async start(
    programs: NodePrograms,
    directory: string,
    { auditLog, syncFrequency }: NodeWishes = {},
  ): Promise<RealNode> {
    mkdirSync(directory, { recursive: true });
    const cgroups = new NodeCgroups(`dwd-node-${randomBytes(3).toString('hex')}`);
    const space = await NodeSpace.open(directory).catch(async (error: unknown) => {
      await cgroups.remove();
      throw error;
    });
    try {
      const [server, runtime] = await Promise.all([
        startApiServer(space, programs, auditLog),
        startRuntime(space, programs),
      ]);
      startControllers(space, programs, server);
      const kubelet = {
        program: programs.kubelet,
        name: nodeName,
        kubeconfig: kubeconfigIn(space, server, 'kubelet'),
        socket: runtime.socket,
        cgroupRoot: cgroups.root,
        syncFrequency,
      };
      const node = new RealNode(server, runtime, space, () => startKubelet(space, kubelet), cgroups);
      await node.#isReady();
      return node;
    } catch (error) {
      await space.close();
      await cgroups.remove();
      throw error;
    }
  }

  /** The first process of a pod's only container, as this machine sees it. */
  processOf(pod: V1Pod): number {
    const [container] = pod.status?.containerStatuses ?? [];
    const [process] = this.#cgroups.processesOf((container?.containerID ?? '').replace(/^.*:\/\//, ''));
    if (process === undefined) throw new Error(`${pod.metadata?.name} has no process`);
    return process;
  }

  /** The kubelet stands still. */
  stopKubelet(): void {
    process.kill(processBehind(this.#kubelet), 'SIGSTOP');
  }

  /** It goes on; and so does the process before it, which stands still where it does. */
  continueKubelet(): void {
    process.kill(processBehind(this.#kubelet), 'SIGCONT');
    this.#kubelet.kill('SIGCONT');
  }

  /** Kills the kubelet, and starts it anew: it finds its pods running. */
  async restartKubelet(): Promise<void> {
    const gone = once(this.#kubelet, 'exit');
    process.kill(processBehind(this.#kubelet), 'SIGKILL');
    await gone;
    this.#kubelet = this.#startKubelet();
  }

  async stop(): Promise<void> {
    await this.server.close();
    await this.space.close();
    await this.#cgroups.remove();
  }

  async #isReady(): Promise<void> {
    const { core } = this.server.operator;
    for (let tries = 0; tries < 600 && !hasEnded(this.#kubelet); tries++) {
      const node = await tolerating([404], core.readNode({ name: nodeName }));
      const account = await tolerating(
        [404],
        core.readNamespacedServiceAccount({ namespace: 'default', name: 'default' }),
      );
      const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
      if (ready === 'True' && account !== undefined) return;
      await pause(100);
    }
    throw new Error(`the node did not get ready; its kubelet said last:\n${saidLast(this.space.directory, 'kubelet')}`);
  }
}

async function startApiServer(
  space: NodeSpace,
  { controlPlane }: NodePrograms,
  auditLog: string | undefined,
): Promise<RealApiServer> {
  const port = await relayTo(space, apiPort);
  const etcd = 'http://127.0.0.1:2379';
  space.start('etcd', join(controlPlane, 'etcd'), [
    `--data-dir=${join(space.directory, 'etcd')}`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    '--listen-peer-urls=http://127.0.0.1:2380',
    '--unsafe-no-fsync',
    '--log-level=error',
  ]);
  const flags = [
    '--bind-address=0.0.0.0',
    `--advertise-address=${nodeAddress}`,
    '--endpoint-reconciler-type=lease',
    '--kubelet-preferred-address-types=InternalIP',
    '--authorization-mode=Node',
    '--disable-admission-plugins=',
    '--enable-admission-plugins=NodeRestriction',
  ];
  const users = [{ name: `system:node:${nodeName}`, token: 'kubelet', groups: ['system:nodes'] }];
  return await RealApiServer.start({ bin: controlPlane, directory: space.directory, etcd }, 'api-server', {
    users,
    flags,
    ...(auditLog === undefined ? {} : { auditLog }),
    within: {
      start: (name, command, args) => space.start(name, command, args),
      port: apiPort,
      urlHere: `https://127.0.0.1:${port}`,
      addresses: [nodeAddress, serviceAddress],
    },
  });
}

async function startRuntime(space: NodeSpace, programs: NodePrograms): Promise<Runtime> {
  const runtime = await Runtime.start(space, programs);
  const archive = join(space.directory, 'workload.tar');
  await makeStaticImage(programs.workload, '/bin/workload', archive, workloadImage);
  await runtime.import(archive);
  return runtime;
}

function startControllers(space: NodeSpace, programs: NodePrograms, server: RealApiServer): void {
  const common = [`--kubeconfig=${kubeconfigIn(space, server, 'admin')}`, '--leader-elect=false', '--secure-port=0'];
  space.start('kube-controller-manager', join(programs.controlPlane, 'kube-controller-manager'), [
    ...common,
    `--root-ca-file=${join(space.directory, 'ca.crt')}`,
    // As Gardener sets it.
    '--node-monitor-grace-period=40s',
  ]);
  space.start('kube-scheduler', programs['kube-scheduler'], common);
}

/** A file for one who is in the space. */
function kubeconfigIn(space: NodeSpace, server: RealApiServer, who: 'admin' | 'kubelet'): string {
  const file = join(space.directory, `${who}.kubeconfig`);
  const user = who === 'kubelet' ? `system:node:${nodeName}` : who;
  writeFileSync(file, server.kubeconfig(user, `https://127.0.0.1:${apiPort}`));
  writeFileSync(join(space.directory, 'ca.crt'), server.reach.ca);
  return file;
}
