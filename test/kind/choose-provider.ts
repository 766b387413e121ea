import { spawnSync } from 'node:child_process';
import { providerNames, type Provider, type ProviderName } from './provider.ts';
import { kindProvider } from './providers/kind.ts';
import { kubeconfigProvider } from './providers/kubeconfig.ts';
import { localProvider } from './providers/local.ts';

const providers: Readonly<Record<ProviderName, (env: NodeJS.ProcessEnv) => Provider>> = {
  local: localProvider,
  kubeconfig: kubeconfigProvider,
  kind: kindProvider,
};

/** What `DWD_PROVIDER` names; else kind where it can run, else the processes of this machine. Throws for a name that is none. */
export function chooseProvider(
  env: NodeJS.ProcessEnv = process.env,
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
  if (!works('docker')) return { provider: localProvider(), because: 'no Docker engine answers' };
  if (!works('kind')) return { provider: localProvider(), because: 'Docker is there, but kind is not installed' };
  return { provider: kindProvider(env), because: 'Docker answers, and kind is installed' };
}
