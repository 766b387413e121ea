export type ConfigRole = 'prober' | 'weeder';

const ownKeys: Readonly<Record<ConfigRole, readonly string[]>> = {
  prober: [
    'kubeConfigSecretName',
    'internalKubeConfigSecretName',
    'externalKubeConfigSecretName',
    'dependentResourceInfos',
  ],
  weeder: ['servicesAndDependantSelectors', 'watchDuration'],
};

/** Whose configuration this is, judged by its keys; undefined where nothing, or both, can be seen in them. */
export function roleOfConfig(written: unknown): ConfigRole | undefined {
  const keys = typeof written === 'object' && written !== null ? Object.keys(written) : [];
  const spelt = new Set(keys.map((key) => key.toLowerCase()));
  const isOf = (role: ConfigRole) => ownKeys[role].some((key) => spelt.has(key.toLowerCase()));
  if (isOf('prober') === isOf('weeder')) return undefined;
  return isOf('prober') ? 'prober' : 'weeder';
}
