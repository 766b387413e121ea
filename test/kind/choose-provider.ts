import { spawnSync } from 'node:child_process';
import { providerNames, type Provider, type ProviderName } from './provider.ts';
import { kind } from './providers/kind.ts';
import { kubeconfig } from './providers/kubeconfig.ts';
import { local } from './providers/local.ts';

const providers: Readonly<Record<ProviderName, Provider>> = { local, kubeconfig, kind };

/** Whether a command is there and ends well. */
export type Works = (command: string, ...args: readonly string[]) => boolean;

/** What `DWD_PROVIDER` names; else kind where it can run, else the processes of this machine. Throws for a name that is none. */
export function chooseProvider(
  env: NodeJS.ProcessEnv = process.env,
  works: Works = worksHere,
): Readonly<{ provider: Provider; because: string }> {
  const wanted = env['DWD_PROVIDER'] ?? '';
  if (wanted !== '') {
    const name = providerNames.find((one) => one === wanted);
    if (name === undefined)
      throw new Error(`DWD_PROVIDER is "${wanted}"; it can be ${providerNames.join(', ')}, or unset`);
    return { provider: providers[name], because: 'DWD_PROVIDER says so' };
  }
  if (!works('docker', 'version')) return { provider: local, because: 'no Docker engine answers' };
  if (!works('kind', 'version')) return { provider: local, because: 'Docker is there, but kind is not installed' };
  return { provider: kind, because: 'Docker answers, and kind is installed' };
}

function worksHere(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore', timeout: 20_000 }).status === 0;
}
