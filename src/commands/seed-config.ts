import { posix } from 'node:path';
import type { KubeClient } from '../adapters/kube/kube-client.ts';
import { KubeError } from '../adapters/kube/kube-error.ts';
import { listAt, textAt } from '../domain/value-at.ts';
import { exampleConfigs } from './example-configs.ts';

const deployment = 'dependency-watchdog-prober';

/** The text of a prober's configuration. `from`: where it stands, for sentences. */
type FoundConfig = Readonly<{ text: string; from: string }>;

/**
 * The configuration by which the prober of this namespace runs: that of the ConfigMap which its Deployment mounts, where `--config-file` leads. Gardener's
 * where there is none, or where it may not be read. Rejects with KubeError where the seed does not answer.
 */
export async function configOfSeed(client: KubeClient, namespace: string): Promise<FoundConfig> {
  try {
    const found = await mountedConfig(client, namespace);
    return typeof found === 'string' ? gardeners(found) : found;
  } catch (error) {
    if (!(error instanceof KubeError) || (error.status !== 404 && error.status !== 403)) throw error;
    // What follows the colon says the same once more, in the server's words.
    return gardeners(error.message.split(': ', 1)[0] ?? '');
  }
}

function gardeners(why: string): FoundConfig {
  return { text: exampleConfigs.prober, from: `Gardener's usual configuration (${why})` };
}

/** Or why it has none. */
async function mountedConfig(client: KubeClient, namespace: string): Promise<FoundConfig | string> {
  const place = encodeURIComponent(namespace);
  const path = `/apis/apps/v1/namespaces/${place}/deployments/${deployment}`;
  const prober = await client.request({ method: 'GET', path });
  const spec = ['spec', 'template', 'spec'];
  const [container] = listAt(prober, ...spec, 'containers');
  const words = [...listAt(container, 'command'), ...listAt(container, 'args')].map(String);
  const file = words.flatMap((word) => /^--?config-file=(.+)$/.exec(word)?.[1] ?? [])[0] ?? '';
  const mount = listAt(container, 'volumeMounts').find((one) => textAt(one, 'mountPath') === posix.dirname(file));
  const volume = listAt(prober, ...spec, 'volumes').find((one) => textAt(one, 'name') === textAt(mount, 'name'));
  const name = textAt(volume, 'configMap', 'name');
  if (name === '') return `the Deployment ${namespace}/${deployment} mounts no ConfigMap at ${file}`;
  const configMap = await client.request({
    method: 'GET',
    path: `/api/v1/namespaces/${place}/configmaps/${encodeURIComponent(name)}`,
  });
  const key = posix.basename(file);
  const text = textAt(configMap, 'data', key);
  return text === ''
    ? `the ConfigMap ${namespace}/${name} has no ${key}`
    : { text, from: `the ConfigMap ${namespace}/${name}` };
}
