import { cacheDirectory, fillCache, fromCache } from './cache.ts';
import { ControlPlaneMissing, lacking, type ControlPlane, type Way } from './control-plane.ts';
import { archivesOf, fetchFromArchives } from './from-archives.ts';
import { buildWithGo } from './from-go.ts';
import { wantedRelease } from './wanted-release.ts';

/**
 * Finds etcd, kube-apiserver and kube-controller-manager: KUBEBUILDER_ASSETS, else the cache, else the official archives,
 * else a build with Go. What takes long is said. Rejects with ControlPlaneMissing where no way leads there.
 */
export async function findControlPlane(
  say: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ControlPlane> {
  const release = wantedRelease();
  const directory = cacheDirectory(release, env);
  const filled = async (from: ControlPlane['from'], make: (part: string) => Promise<void>): Promise<Way> => {
    try {
      await fillCache(directory, make);
      return { found: { directory, hasControllerManager: true, from } };
    } catch (error) {
      return { why: reason(error) };
    }
  };

  const ways: readonly (() => Way | Promise<Way>)[] = [
    () => fromAssets(env),
    () => fromCache(directory),
    () => {
      say(`fetching Kubernetes ${release.kubernetes} and etcd ${release.etcd} from the official archives`);
      return filled('the official archives', (part) => fetchFromArchives(release, archivesOf(env), part));
    },
    () => {
      say(`building Kubernetes ${release.kubernetes} and etcd ${release.etcd} with Go; this takes some minutes, once`);
      return filled('a build from its Go modules', (part) => buildWithGo(release, part, env));
    },
  ];
  const tried: string[] = [];
  for (const way of ways) {
    const led = await way();
    if ('found' in led) return led.found;
    if (led.isOperators === true) say(`${led.why}; trying other ways`);
    tried.push(led.why);
  }
  throw new ControlPlaneMissing(
    [
      'No etcd, kube-apiserver and kube-controller-manager can be had:',
      ...tried.map((why) => `  - ${why}`),
      `Let KUBEBUILDER_ASSETS name a directory with them, install Go ${release.go} or newer where its modules can be had,`,
      'or run this once where the internet can be reached.',
    ].join('\n'),
  );
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const root = rootOf(error);
  if (root === error) return error.message;
  // If several addresses were tried, the cause has a code and no words.
  const why = root.message || ((root as NodeJS.ErrnoException).code ?? root.name);
  return `${error.message} (${why})`;
}

function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

/** The directory that KUBEBUILDER_ASSETS names, as for the tests of other controllers; it usually lacks the controller-manager. */
function fromAssets({ KUBEBUILDER_ASSETS: directory }: NodeJS.ProcessEnv): Way {
  if (directory === undefined || directory === '') return { why: 'KUBEBUILDER_ASSETS is not set' };
  const missing = lacking(directory);
  const needed = missing.filter((program) => program !== 'kube-controller-manager');
  if (needed.length > 0)
    return { why: `KUBEBUILDER_ASSETS (${directory}) lacks ${needed.join(' and ')}`, isOperators: true };
  return { found: { directory, hasControllerManager: missing.length === 0, from: 'KUBEBUILDER_ASSETS' } };
}
