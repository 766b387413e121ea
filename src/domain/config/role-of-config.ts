export type ConfigRole = 'prober' | 'weeder';

const onlyWeeders = ['servicesAndDependantSelectors', 'watchDuration'];
const everyProbers = [
  'kubeConfigSecretName',
  'internalKubeConfigSecretName',
  'externalKubeConfigSecretName',
  'dependentResourceInfos',
];

/** Whose configuration this is, judged by its keys: a weeder's where nothing points to a prober, else a prober's. */
export function roleOfConfig(written: unknown): ConfigRole {
  const keys = typeof written === 'object' && written !== null ? Object.keys(written) : [];
  const spelt = new Set(keys.map((key) => key.toLowerCase()));
  const has = (key: string) => spelt.has(key.toLowerCase());
  return onlyWeeders.some(has) && !everyProbers.some(has) ? 'weeder' : 'prober';
}
