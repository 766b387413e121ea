import { expect, test } from 'vitest';
import { misplacedConfig } from '../../src/domain/config/misplaced-config.ts';

const probers = 'a configuration of the prober, with at least kubeConfigSecretName and dependentResourceInfos';
const weeders = 'a configuration of the weeder, with at least servicesAndDependantSelectors';
const beside = 'in a file of its own';

const misplaced: readonly (readonly [written: unknown, role: 'prober' | 'weeder', found: string, wanted: string])[] = [
  [
    { apiVersion: 'v1', kind: 'ConfigMap', data: { 'dep-config.yaml': 'a', b: 'c' } },
    'prober',
    'a whole ConfigMap',
    `the value below data (dep-config.yaml, b), ${beside}`,
  ],
  [{ apiVersion: 'v1', kind: 'ConfigMap' }, 'weeder', 'a whole ConfigMap', `the value below data, ${beside}`],
  [
    { data: { 'dep-config.yaml': 'a' } },
    'prober',
    'a whole ConfigMap',
    `the value below data (dep-config.yaml), ${beside}`,
  ],
  [{ kind: 'Config', clusters: [] }, 'weeder', 'a kubeconfig', `${weeders}; the kubeconfig belongs to --kubeconfig`],
  [{ apiVersion: 'v1', kind: 'List', items: [] }, 'prober', 'a Kubernetes object of kind List', probers],
  [{ watchDuration: '5m' }, 'prober', 'a configuration of the weeder', probers],
  [{ dependentresourceinfos: [] }, 'weeder', 'a configuration of the prober', weeders],
];

test.for(misplaced)('1.3 %j is named for what it is, as %s', ([written, role, found, wanted]) => {
  expect(misplacedConfig(written, role)).toEqual({ path: [], found, wanted });
});

const inPlace: readonly unknown[] = [
  undefined,
  null,
  'ConfigMap',
  [],
  {},
  { probeInterval: '30s' },
  { kind: 'ConfigMap', dependentResourceInfos: [] },
  { data: 'x' },
  { watchDuration: '5m', dependentResourceInfos: [] },
  { kubeConfigSecretName: 'a', name: 'b', namespace: 'c' },
];

test.for(inPlace)('1.3 %j may be a configuration with problems of its own', (written) => {
  expect(misplacedConfig(written, 'prober')).toBeUndefined();
});
