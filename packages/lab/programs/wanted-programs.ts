import { kubernetesVersionWords } from '../control-plane/kubernetes-version.ts';
import { wantedRelease } from '../control-plane/wanted-release.ts';

/** Where a program of the tests comes from when the machine does not have it: its Go module, pinned, or Debian's package of it. `others`: names of programs that serve as well. */
export type Source = FromGo | FromTools | Readonly<{ from: 'debian'; package: string; others: readonly string[] }>;

export type FromGo = Readonly<{
  from: 'go';
  module: string;
  version: string;
  package: string;
  tags?: string;
  /** For the linker: `-X variable=value`. */
  linker?: string;
}>;

/**
 * A module of ours below `hack/tools` pins it, with whatever it needs: a program of ours (`./elector`), or one that cannot be built within
 * its own module.
 */
export type FromTools = Readonly<{
  from: 'tools';
  directory: string;
  package: string;
  /** Other versions than those of go.mod, in a file beside it whose name ends in `.mod`. */
  modfile?: string;
  tags?: string;
  linker?: string;
}>;

const tools = (directory: string, path: string): FromTools => ({ from: 'tools', directory, package: path });
const go = (module: string, version: string, path: string): FromGo => ({ from: 'go', module, version, package: path });
const debian = (name: string, ...others: readonly string[]): Source => ({ from: 'debian', package: name, others });

/** Of the same Kubernetes as the control plane, out of the same module. */
const ofKubernetes = (path: string): FromTools => ({
  ...tools('.', path),
  linker: kubernetesVersionWords(wantedRelease().kubernetes),
});
const kubernetes = (name: string): FromTools => ofKubernetes(`k8s.io/kubernetes/cmd/${name}`);

/** Without the file systems that need a driver of their own: ours is overlayfs. */
const containerd = (name: string): FromGo => ({
  ...go('github.com/containerd/containerd/v2', 'v2.4.2', `./cmd/${name}`),
  tags: 'no_btrfs no_zfs no_devmapper no_aufs',
});

const networkPlugin = (path: string): FromGo => go('github.com/containernetworking/plugins', 'v1.9.0', path);

/** The programs that tests and the image need beside Node, for the tests alone: none of them ships. */
export const wantedPrograms = {
  // client-go's leader election in a process of its own.
  elector: tools('.', './elector'),
  // A real node: what it runs, and in its containers.
  kubelet: kubernetes('kubelet'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  containerd: containerd('containerd'),
  'containerd-shim-runc-v2': containerd('containerd-shim-runc-v2'),
  ctr: containerd('ctr'),
  'cni-bridge': networkPlugin('./plugins/main/bridge'),
  'cni-loopback': networkPlugin('./plugins/main/loopback'),
  'cni-host-local': networkPlugin('./plugins/ipam/host-local'),
  workload: tools('.', './workload'),
  // Gardener's own code: what gardenlet deploys, by the newest release that can be built and by an older one; and what it reads.
  'gardenlet-renders': tools('gardener', './renders'),
  'gardenlet-renders-v1.130.0': { ...tools('gardener', './renders'), modfile: 'v1.130.0.mod' },
  'gardenlet-reads': tools('gardener', './reads'),
  // The Go watchdog, for measures beside ours.
  'dependency-watchdog': tools('gardener', './watchdog'),
  helm: go('helm.sh/helm/v4', 'v4.3.1', './cmd/helm'),
  kustomize: go('sigs.k8s.io/kustomize/kustomize/v5', 'v5.8.2', '.'),
  actionlint: go('github.com/rhysd/actionlint', 'v1.7.12', './cmd/actionlint'),
  // Of Prometheus 3. What discovers targets in clouds is left out: it is most of the program.
  promtool: {
    ...go('github.com/prometheus/prometheus', 'v0.314.0', './cmd/promtool'),
    tags: 'remove_all_sd',
    linker: '-X github.com/prometheus/common/version.Version=3.14.0',
  },
  // Many seeds still have Prometheus 2, and Debian has none newer.
  'promtool-2': debian('prometheus', 'promtool'),
  buildah: debian('buildah'),
  runc: debian('runc'),
  skopeo: debian('skopeo'),
  umoci: debian('umoci'),
  ip: debian('iproute2'),
  // Kubernetes' hollow kubelet, so that nothing of it touches the machine.
  'hollow-kubelet': ofKubernetes('./hollow'),
  'machine-controller-manager': tools(
    'machines',
    'github.com/gardener/machine-controller-manager/cmd/machine-controller-manager',
  ),
  // Its other half, with a cloud of ours.
  'machine-controller': tools('machines', './driver'),
  'chromium-headless-shell': debian(
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
    'microsoft-edge',
  ),
} as const satisfies Readonly<Record<string, Source>>;

export type ProgramName = keyof typeof wantedPrograms;

export function isProgramName(name: string): name is ProgramName {
  return Object.hasOwn(wantedPrograms, name);
}
