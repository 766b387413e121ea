/** Where a program of the tests comes from when the machine does not have it: its Go module, pinned, or Debian's package of it. `others`: names of programs that serve as well. */
export type Source =
  | Readonly<{ from: 'go'; module: string; version: string }>
  | Readonly<{ from: 'debian'; package: string; others: readonly string[] }>;

const go = (module: string, version: string): Source => ({ from: 'go', module, version });
const debian = (name: string, ...others: readonly string[]): Source => ({ from: 'debian', package: name, others });

/** The programs that tests and the image need beside Node, for the tests alone: none of them ships. */
export const wantedPrograms = {
  helm: go('helm.sh/helm/v4/cmd/helm', 'v4.3.1'),
  kustomize: go('sigs.k8s.io/kustomize/kustomize/v5', 'v5.8.2'),
  actionlint: go('github.com/rhysd/actionlint/cmd/actionlint', 'v1.7.12'),
  promtool: debian('prometheus'),
  prometheus: debian('prometheus'),
  buildah: debian('buildah'),
  runc: debian('runc'),
  skopeo: debian('skopeo'),
  umoci: debian('umoci'),
  ip: debian('iproute2'),
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
