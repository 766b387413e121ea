import type { RoleName } from '../names.ts';
import { textAt, valueAt } from '../value-at.ts';
import type { ConfigProblem } from './config-remark.ts';

const ownKeys: Readonly<Record<RoleName, readonly string[]>> = {
  prober: [
    'kubeConfigSecretName',
    'internalKubeConfigSecretName',
    'externalKubeConfigSecretName',
    'dependentResourceInfos',
  ],
  weeder: ['servicesAndDependantSelectors', 'watchDuration'],
};

/** Whose configuration this is, judged by its keys; undefined where nothing, or both, can be seen in them. */
export function roleOfConfig(written: unknown): RoleName | undefined {
  const keys = typeof written === 'object' && written !== null ? Object.keys(written) : [];
  const spelt = new Set(keys.map((key) => key.toLowerCase()));
  const isOf = (role: RoleName) => ownKeys[role].some((key) => spelt.has(key.toLowerCase()));
  if (isOf('prober') === isOf('weeder')) return undefined;
  return isOf('prober') ? 'prober' : 'weeder';
}

const needed: Readonly<Record<RoleName, string>> = {
  prober: 'kubeConfigSecretName and dependentResourceInfos',
  weeder: 'servicesAndDependantSelectors',
};

/**
 * The one problem of a file that is something else: a ConfigMap with a configuration in it, another Kubernetes object, a
 * kubeconfig, or the other role's configuration. To name each of its keys would only hide that. Undefined for all else.
 */
export function misplacedConfig(written: unknown, role: RoleName): ConfigProblem | undefined {
  const kind = textAt(written, 'kind');
  if (kind !== '' && (textAt(written, 'apiVersion') !== '' || kind === 'Config'))
    return objectProblem(kind, written, role);
  const isData = kind === '' && roleOfConfig(written) === undefined && keysOf(valueAt(written, 'data')).length > 0;
  if (isData) return configMapProblem(written);
  const other = role === 'prober' ? 'weeder' : 'prober';
  if (roleOfConfig(written) !== other) return undefined;
  return { path: [], found: `a configuration of the ${other}`, wanted: ownConfig(role) };
}

function objectProblem(kind: string, written: unknown, role: RoleName): ConfigProblem {
  if (kind === 'ConfigMap') return configMapProblem(written);
  if (kind === 'Config') {
    return { path: [], found: 'a kubeconfig', wanted: `${ownConfig(role)}; the kubeconfig belongs to --kubeconfig` };
  }
  return { path: [], found: `a Kubernetes object of kind ${kind}`, wanted: ownConfig(role) };
}

function configMapProblem(written: unknown): ConfigProblem {
  const keys = keysOf(valueAt(written, 'data'));
  const value = keys.length === 0 ? 'the value below data' : `the value below data (${keys.join(', ')})`;
  return { path: [], found: 'a whole ConfigMap', wanted: `${value}, in a file of its own` };
}

function ownConfig(role: RoleName): string {
  return `a configuration of the ${role}, with at least ${needed[role]}`;
}

function keysOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
