import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Provider } from '../provider.ts';
import { oneCluster } from './one-cluster.ts';

const family = 'dwd-scenarios-';

/** How long the nodes of a new cluster may take to be ready, its image being pulled before. */
const patience = '180s';

type Ran = Readonly<{ code: number | null; stdout: string; stderr: string }>;

/**
 * A kind cluster of its own, made for the run and deleted after it; `DWD_KIND_IMAGE` picks its node image. The operator's own
 * kubeconfig is neither read nor written. `env` is that of the commands `docker` and `kind`.
 */
export function kindProvider(env: NodeJS.ProcessEnv = process.env): Provider {
  const name = `${family}${randomBytes(3).toString('hex')}`;
  let kubeconfig: string | undefined;

  const remove = async (): Promise<void> => {
    if (kubeconfig === undefined) return;
    const file = kubeconfig;
    kubeconfig = undefined;
    const { code, stderr } = await run(env, 'kind', ['delete', 'cluster', '--name', name, '--kubeconfig', file]);
    if (code !== 0) throw new Error(`kind could not delete the cluster ${name}; it said:\n${stderr}`);
  };

  return {
    name: 'kind',
    start: async (directory, say) => {
      await required(env, 'docker', ['version'], 'no Docker engine answers: start one, or take DWD_PROVIDER=local');
      const listed = await required(
        env,
        'kind',
        ['get', 'clusters'],
        'kind cannot be run: install it, see https://kind.sigs.k8s.io',
      );
      const left = listed.split('\n').filter((one) => one.startsWith(family));
      // They may be those of a run that goes on beside this one.
      if (left.length > 0)
        say(`left by other runs: ${left.join(', ')}; remove one with: kind delete cluster --name NAME`);

      const file = join(directory, 'kind.kubeconfig');
      const image = env['DWD_KIND_IMAGE'] ?? '';
      say(`making the kind cluster ${name}`);
      kubeconfig = file;
      const args = ['create', 'cluster', '--name', name, '--kubeconfig', file, '--wait', patience];
      const made = await run(env, 'kind', image === '' ? args : [...args, '--image', image]);
      if (made.code !== 0) {
        await remove();
        throw new Error(`kind could not make a cluster; it said:\n${made.stderr.trimEnd()}`);
      }
      return oneCluster(file, say);
    },
    stop: remove,
  };
}

async function required(env: NodeJS.ProcessEnv, command: string, args: readonly string[], otherwise: string) {
  const { code, stdout, stderr } = await run(env, command, args);
  if (code === 0) return stdout;
  throw new Error(`The provider kind cannot start: ${otherwise}\n${stderr.trimEnd()}`.trimEnd());
}

/** Does not reject: a command that is not there has no code. */
function run(env: NodeJS.ProcessEnv, command: string, args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', ({ message }) => resolve({ code: null, stdout, stderr: message }));
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
