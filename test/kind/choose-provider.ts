import { spawnSync } from 'node:child_process';
import { obstacleToNode } from '@dwd/lab/real-node/obstacle.ts';
import { providerNames, type Provider, type ProviderName } from './provider.ts';
import { kindProvider } from './providers/kind.ts';
import { kubeconfigProvider } from './providers/kubeconfig.ts';
import { localProvider } from './providers/local.ts';
import { nodeProvider } from './providers/node.ts';

const providers: Readonly<Record<ProviderName, (env: NodeJS.ProcessEnv) => Provider>> = {
  local: localProvider,
  kubeconfig: kubeconfigProvider,
  kind: kindProvider,
  node: nodeProvider,
};

/**
 * What `DWD_PROVIDER` names; else kind where it can run, else a real node where this machine lets us, else API servers alone. Throws for
 * a name that is none.
 */
export function chooseProvider(
  env: NodeJS.ProcessEnv = process.env,
  obstacle: () => string | undefined = obstacleToNode,
): Readonly<{ provider: Provider; because: string }> {
  const wanted = env['DWD_PROVIDER'] ?? '';
  if (wanted !== '') {
    const name = providerNames.find((one) => one === wanted);
    if (name === undefined)
      throw new Error(`DWD_PROVIDER is "${wanted}"; it can be ${providerNames.join(', ')}, or unset`);
    return { provider: providers[name](env), because: 'DWD_PROVIDER says so' };
  }
  const works = (command: string) =>
    spawnSync(command, ['version'], { env, stdio: 'ignore', timeout: 20_000 }).status === 0;
  const noKind = !works('docker')
    ? 'no Docker engine answers'
    : works('kind')
      ? undefined
      : 'Docker is there, but kind is not installed';
  if (noKind === undefined) return { provider: kindProvider(env), because: 'Docker answers, and kind is installed' };
  const noNode = obstacle();
  if (noNode === undefined)
    return { provider: nodeProvider(env), because: `${noKind}, and a real node can be run here` };
  return { provider: localProvider(env), because: `${noKind}, and no real node can be run: ${noNode}` };
}
