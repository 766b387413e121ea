import { createHash, randomUUID } from 'node:crypto';
import { accessSync, constants, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ProgramMissing } from '../programs/find-program.ts';
import { isRemovedAfterUs } from '../real/clearing-up.ts';
import { kubernetesVersionWords } from './kubernetes-version.ts';
import { runProgram } from './run-program.ts';
import { toolsModule, wantedRelease, type WantedRelease } from './wanted-release.ts';

const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;

/** No cgo, so that the programs run on any system with this kernel. */
const environment = { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', GOWORK: 'off' };

/**
 * The directory of etcd, kube-apiserver and kube-controller-manager: the cache's, which a build with Go fills once. What takes long is said.
 * Rejects with ProgramMissing where they cannot be built.
 */
export async function findControlPlane(
  say: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const release = wantedRelease();
  const { kubernetes, etcd, go } = release;
  const directory = cacheDirectory(release, env);
  if (lacking(directory).length === 0) return directory;
  say(`building Kubernetes ${kubernetes} and etcd ${etcd} with Go; this takes some minutes, once`);
  try {
    await fillCache(directory, (part) => build(release, part, env));
    return directory;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ProgramMissing(
      `There is no etcd, kube-apiserver and kube-controller-manager in ${directory}, and they cannot be built: ${why}\n` +
        `Install Go ${go} or newer, where its modules can be had.`,
      { cause: error },
    );
  }
}

/** It is outside the work tree, so that every clone finds it. There is one directory for each set of versions. */
export function cacheDirectory({ kubernetes, etcd }: WantedRelease, env: NodeJS.ProcessEnv): string {
  const root = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const versions = createHash('sha256').update(`${kubernetes} ${etcd}`).digest('hex').slice(0, 8);
  return join(root, 'dependency-watchdog', 'control-plane', `${kubernetes}-${versions}`);
}

/**
 * Has `make` put the programs into a directory beside the cache's, and moves them there once all are complete, so that one
 * who is interrupted never leaves half of them behind. Two at the same time do the same work twice; each moves whole
 * programs of the same versions, and whoever runs one already keeps it.
 */
export async function fillCache(directory: string, make: (part: string) => Promise<void>): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const part = `${directory}.part-${randomUUID()}`;
  // Registered before it is created. Otherwise a kill between the two steps would leave it behind.
  isRemovedAfterUs(part);
  mkdirSync(part);
  try {
    await make(part);
    const missing = lacking(part);
    if (missing.length > 0) throw new Error(`${missing.join(' and ')} did not come`);
    for (const program of readdirSync(part)) renameSync(join(part, program), join(directory, program));
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

async function build({ kubernetes }: WantedRelease, directory: string, env: NodeJS.ProcessEnv): Promise<void> {
  const go = (linker: string, output: string, packages: readonly string[]) =>
    runProgram('go', ['build', '-ldflags', `-s -w ${linker}`, '-o', output, ...packages], {
      cwd: toolsModule,
      env: { ...env, ...environment },
    });
  const commands = ['kube-apiserver', 'kube-controller-manager'].map((name) => `k8s.io/kubernetes/cmd/${name}`);
  await go(kubernetesVersionWords(kubernetes), `${directory}/`, commands);
  await go('', join(directory, 'etcd'), ['go.etcd.io/etcd/server/v3']);
}

/** Those of the programs that a directory lacks. */
function lacking(directory: string): readonly string[] {
  return programs.filter((program) => {
    try {
      const path = join(directory, program);
      accessSync(path, constants.X_OK);
      return !statSync(path).isFile();
    } catch {
      return true;
    }
  });
}
