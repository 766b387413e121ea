import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded, saidLast } from '../real/processes.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { NodePrograms } from './node-programs.ts';
import type { NodeSpace } from './node-space.ts';

/** The image of the container that holds a pod's namespaces, and of the parts of played control planes. */
export const workloadImage = 'localhost/workload:1';

/** The network of the pods: a bridge in the space, whose end is their way to the node. */
const network = (directory: string) => ({
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'bridge',
      bridge: 'cni0',
      isDefaultGateway: true,
      ipMasq: false,
      ipam: { type: 'host-local', dataDir: join(directory, 'addresses'), ranges: [[{ subnet: '10.88.0.0/24' }]] },
    },
  ],
});

/** A containerd in the space. */
export class Runtime {
  readonly socket: string;
  readonly #space: NodeSpace;
  readonly #ctr: string;

  private constructor(space: NodeSpace, socket: string, ctr: string) {
    this.#space = space;
    this.socket = socket;
    this.#ctr = ctr;
  }

  /** Resolves once it answers. */
  static async start(space: NodeSpace, programs: NodePrograms): Promise<Runtime> {
    const { directory } = space;
    const [plugins, networks] = [join(directory, 'cni-plugins'), join(directory, 'cni')];
    for (const place of [plugins, networks]) mkdirSync(place);
    for (const name of ['bridge', 'loopback', 'host-local'] as const)
      symlinkSync(programs[`cni-${name}`], join(plugins, name));
    writeFileSync(join(networks, '10-pods.conflist'), JSON.stringify(network(directory)));
    const socket = join(directory, 'containerd.sock');
    const config = join(directory, 'containerd.toml');
    writeFileSync(config, configOf({ directory, socket, plugins, networks, programs }));
    const child = space.start('containerd', programs.containerd, ['--config', config]);
    const runtime = new Runtime(space, socket, programs.ctr);
    for (let tries = 0; tries < 300 && !hasEnded(child); tries++) {
      if (
        await runtime.#ask(['version']).then(
          () => true,
          () => false,
        )
      )
        return runtime;
      await pause(50);
    }
    throw new Error(`containerd did not get ready; it said last:\n${saidLast(directory, 'containerd')}`);
  }

  /** Takes an image in, under the names that its archive gives it. */
  async import(archive: string): Promise<void> {
    await this.#ask(['--namespace', 'k8s.io', 'images', 'import', archive]);
  }

  async #ask(args: readonly string[]): Promise<void> {
    await this.#space.run(this.#ctr, ['--address', this.socket, ...args]);
  }
}

type Places = Readonly<{
  directory: string;
  socket: string;
  plugins: string;
  networks: string;
  programs: NodePrograms;
}>;

/**
 * Where we lack the capability of it (CAP_SYS_RESOURCE), a container that shall be spared by the kernel cannot be started, unless the
 * wish is cut to what we may. Profiles of AppArmor would be loaded into the machine's kernel.
 */
function configOf({ directory, socket, plugins, networks, programs }: Places): string {
  return `version = 3
root = "${directory}/containerd/root"
state = "${directory}/containerd/state"
disabled_plugins = ["io.containerd.nri.v1.nri"]
[grpc]
address = "${socket}"
[ttrpc]
address = "${socket}.ttrpc"
[plugins.'io.containerd.cri.v1.images'.pinned_images]
sandbox = "${workloadImage}"
[plugins.'io.containerd.cri.v1.runtime']
disable_apparmor = true
restrict_oom_score_adj = true
tolerate_missing_hugetlb_controller = true
[plugins.'io.containerd.cri.v1.runtime'.containerd]
default_runtime_name = "runc"
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
runtime_path = "${programs['containerd-shim-runc-v2']}"
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
BinaryName = "${programs.runc}"
SystemdCgroup = false
[plugins.'io.containerd.cri.v1.runtime'.cni]
bin_dirs = ["${plugins}"]
conf_dir = "${networks}"
`;
}
