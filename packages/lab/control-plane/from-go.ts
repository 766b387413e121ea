import { join } from 'node:path';
import { kubernetesVersionWords } from './kubernetes-version.ts';
import { runProgram } from './run-program.ts';
import { toolsModule, type WantedRelease } from './wanted-release.ts';

/** No cgo, so that the programs run on any system with this kernel. */
const environment = { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', GOWORK: 'off' };

/** Builds the programs from their Go modules; some minutes on two cores. Rejects where there is no Go, or its modules cannot be had. */
export async function buildWithGo(
  { kubernetes }: WantedRelease,
  directory: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const build = (linker: string, output: string, packages: readonly string[]) =>
    runProgram('go', ['build', '-ldflags', `-s -w ${linker}`, '-o', output, ...packages], {
      cwd: toolsModule,
      env: { ...env, ...environment },
    });
  const commands = ['kube-apiserver', 'kube-controller-manager'].map((name) => `k8s.io/kubernetes/cmd/${name}`);
  await build(kubernetesVersionWords(kubernetes), `${directory}/`, commands);
  await build('', join(directory, 'etcd'), ['go.etcd.io/etcd/server/v3']);
}
