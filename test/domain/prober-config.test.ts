import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readProberConfig } from '../../src/domain/config/read-prober-config.ts';
import { plainReading } from '../support/plain-reading.ts';

const kcm = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'kube-controller-manager' };
const level0 = { level: 0 };
const resource = { ref: kcm, scaleUp: level0, scaleDown: level0 };
const least = { kubeConfigSecretName: 'probe', dependentResourceInfos: [resource] };

function reading(written: unknown, options?: { strict: boolean }) {
  return plainReading(readProberConfig(written, options));
}

test('2 a key that is left out takes the default of the table, and is distinguished from a written one', () => {
  const { config, defaults, warnings } = reading(least);
  expect(config).toEqual({
    kubeConfigSecretName: 'probe',
    probeInterval: 10_000,
    initialDelay: 30_000,
    probeTimeout: 30_000,
    backoffJitterFactor: 0.2,
    kcmNodeMonitorGraceDuration: 40_000,
    nodeLeaseFailureFraction: 0.6,
    failureThreshold: 1,
    successThreshold: 1,
    dependants: [
      {
        key: 'apps/v1/Deployment/kube-controller-manager',
        ref: kcm,
        optional: false,
        scaleUp: { level: 0, initialDelay: 0, timeout: 30_000 },
        scaleDown: { level: 0, initialDelay: 0, timeout: 30_000 },
      },
    ],
  });
  expect(defaults).toEqual([
    'dependentResourceInfos[0].scaleUp.initialDelay',
    'dependentResourceInfos[0].scaleUp.timeout',
    'dependentResourceInfos[0].scaleDown.initialDelay',
    'dependentResourceInfos[0].scaleDown.timeout',
    'dependentResourceInfos[0].optional',
    'probeInterval',
    'initialDelay',
    'probeTimeout',
    'backoffJitterFactor',
    'kcmNodeMonitorGraceDuration',
    'nodeLeaseFailureFraction',
    'failureThreshold',
    'successThreshold',
  ]);
  expect(warnings).toEqual([]);
});

test("2 Gardener's configuration is read without a warning", () => {
  const text = readFileSync(new URL('../../deploy/base/prober/dep-config.yaml', import.meta.url), 'utf8');
  const { config, warnings } = reading(parse(text));
  expect(config).toMatchObject({
    kubeConfigSecretName: 'shoot-access-dependency-watchdog-probe',
    probeInterval: 30_000,
    kcmNodeMonitorGraceDuration: 40_000,
    dependants: [
      { ref: kcm, optional: false, scaleUp: { level: 0, initialDelay: 0 }, scaleDown: { level: 1, initialDelay: 0 } },
      { scaleUp: { level: 1, initialDelay: 30_000 }, scaleDown: { level: 0, initialDelay: 0 } },
      { optional: true, scaleUp: { level: 2, initialDelay: 0 }, scaleDown: { level: 0, initialDelay: 0 } },
    ],
  });
  expect(warnings).toEqual([]);
});

const name = 'lower-case letters, digits, "-" and ".", at most 253 of them';
const above0 = 'a duration above 0 with its unit, such as 30s or 1m30s';
const from0 = 'a duration of 0 or more with its unit, such as 0s or 1m30s';
const secret = `the name of the Secret with the shoot's kubeconfig: ${name}`;
const bothOlder = 'internalKubeConfigSecretName and externalKubeConfigSecretName';
const anyName = `the name of the Secret with the shoot's kubeconfig; or, in its place, ${bothOlder}`;
const step = 'a mapping of level, initialDelay and timeout; {} takes the default of each';

const wrongKeys: readonly (readonly [key: string, value: unknown, found: string, wanted: string])[] = [
  ['kubeConfigSecretName', undefined, 'nothing', anyName],
  ['kubeConfigSecretName', null, 'nothing', anyName],
  ['kubeConfigSecretName', '  ', '"  "', secret],
  ['kubeConfigSecretName', 'a,metadata.name=b', '"a,metadata.name=b"', secret],
  ['kubeConfigSecretName', 12, '12', `${secret}, in quotes`],
  ['probeInterval', '0s', '"0s"', above0],
  ['probeInterval', '-1s', '"-1s"', above0],
  ['probeInterval', 30, '30', above0],
  ['probeInterval', '30', '"30"', `${above0}: the unit is missing after 30`],
  ['initialDelay', '-1ms', '"-1ms"', from0],
  ['initialDelay', 0, '0', from0],
  ['probeTimeout', '0', '"0"', above0],
  ['probeTimeout', ['30s'], 'a list of 1', above0],
  ['backoffJitterFactor', -0.1, '-0.1', 'a number from 0 to 1'],
  ['backoffJitterFactor', 1.1, '1.1', 'a number from 0 to 1'],
  ['backoffJitterFactor', '0.2', '"0.2"', 'a number from 0 to 1'],
  ['kcmNodeMonitorGraceDuration', '0s', '"0s"', above0],
  ['nodeLeaseFailureFraction', 0, '0', 'a number above 0, at most 1'],
  ['nodeLeaseFailureFraction', 1.01, '1.01', 'a number above 0, at most 1'],
  ['nodeLeaseFailureFraction', Number.NaN, 'NaN', 'a number above 0, at most 1'],
  ['failureThreshold', 0, '0', 'a whole number, at least 1'],
  ['successThreshold', 1.5, '1.5', 'a whole number, at least 1'],
  ['dependentResourceInfos', undefined, 'nothing', 'a list of at least one resource'],
  ['dependentResourceInfos', [], 'an empty list', 'a list of at least one resource'],
  ['dependentResourceInfos', { ref: kcm }, 'a mapping of ref', 'a list of at least one resource'],
];

test.for(wrongKeys)('1.3, 2 %s: %j is a problem that names key, finding and remedy', ([key, value, found, wanted]) => {
  expect(reading({ ...least, [key]: value }).problems).toEqual([[key, found, wanted]]);
});

const kind = 'one of Deployment, StatefulSet, ReplicaSet: no other kind of apps/v1 has a scale subresource';

const wrongResources: readonly (readonly [key: string, resource: unknown, found: string, wanted: string])[] = [
  ['', null, 'nothing', 'a mapping of ref, optional, scaleUp and scaleDown'],
  ['.ref', { ...resource, ref: undefined }, 'nothing', 'a mapping of apiVersion, kind and name'],
  ['.ref.kind', { ...resource, ref: { ...kcm, kind: 'deployment' } }, '"deployment"', kind],
  ['.ref.kind', { ...resource, ref: { ...kcm, kind: 'DaemonSet' } }, '"DaemonSet"', kind],
  ['.ref.apiVersion', { ...resource, ref: { ...kcm, apiVersion: '' } }, '""', 'group and version, such as apps/v1'],
  ['.ref.name', { ...resource, ref: { ...kcm, name: '../x' } }, '"../x"', `the resource's name: ${name}`],
  ['.optional', { ...resource, optional: 'true' }, '"true"', 'true or false, without quotes'],
  ['.scaleUp', { ...resource, scaleUp: null }, 'nothing', step],
  ['.scaleDown', { ...resource, scaleDown: 1 }, '1', step],
  ['.scaleUp.level', { ...resource, scaleUp: { level: -1 } }, '-1', 'a whole number, at least 0'],
  ['.scaleUp.level', { ...resource, scaleUp: { level: 1e20 } }, '100000000000000000000', 'a whole number, at least 0'],
  ['.scaleDown.timeout', { ...resource, scaleDown: { level: 0, timeout: '0s' } }, '"0s"', above0],
  ['.scaleDown.initialDelay', { ...resource, scaleDown: { level: 0, initialDelay: '-1s' } }, '"-1s"', from0],
];

test.for(wrongResources)('1.3, 2 a resource with a wrong %s (%j) is a problem', ([key, wrong, found, wanted]) => {
  const written = { ...least, dependentResourceInfos: [{ ...resource, ref: { ...kcm, name: 'first' } }, wrong] };
  expect(reading(written).problems).toEqual([[`dependentResourceInfos[1]${key}`, found, wanted]]);
});

test('2 the bounds themselves are accepted', () => {
  const bounds = {
    probeInterval: '1ns',
    initialDelay: '0',
    backoffJitterFactor: 0,
    nodeLeaseFailureFraction: 1,
    dependentResourceInfos: [
      { ref: { apiVersion: 'druid.gardener.cloud/v1alpha1', kind: 'Etcd', name: 'e' }, scaleUp: {}, scaleDown: {} },
    ],
  };
  const { config, problems } = reading({ ...least, ...bounds });
  expect(problems).toEqual([]);
  expect(config).toMatchObject({
    probeInterval: 1,
    initialDelay: 0,
    backoffJitterFactor: 0,
    nodeLeaseFailureFraction: 1,
  });
});

test('1.3 all problems are reported at once, each place once', () => {
  const { places } = reading({
    probeInterval: 0,
    ProbeInterval: 1,
    nodeLeaseFailureFraction: -7,
    dependentResourceInfos: [{ scaleUp: {} }, resource, resource],
  });
  expect(places.toSorted()).toEqual([
    'dependentResourceInfos[0].ref',
    'dependentResourceInfos[0].scaleDown',
    'dependentResourceInfos[2].ref',
    'kubeConfigSecretName',
    'nodeLeaseFailureFraction',
    'probeInterval',
    'probeInterval',
  ]);
});

test.for([undefined, null, '', 'text', 7, [], true])('1.3 %j is no configuration', (written) => {
  expect(reading(written).places).toEqual(['']);
});

test('2 a resource that stands twice is a problem of the second', () => {
  const { problems } = reading({ ...least, dependentResourceInfos: [resource, { ...resource, optional: true }] });
  const found = 'Deployment kube-controller-manager, as in dependentResourceInfos[0]';
  expect(problems).toEqual([['dependentResourceInfos[1].ref', found, 'each resource once']]);
});

test('2 a missing or empty level counts as 0, with a warning', () => {
  const written = { ...least, dependentResourceInfos: [{ ref: kcm, scaleUp: { level: null }, scaleDown: {} }] };
  const { config, warnings } = reading(written);
  expect(config?.dependants[0]).toMatchObject({ scaleUp: { level: 0 }, scaleDown: { level: 0 } });
  expect(warnings).toEqual([
    'dependentResourceInfos[0].scaleUp.level has no value, and counts as 0',
    'dependentResourceInfos[0].scaleDown.level is missing, and counts as 0',
  ]);
});

test('2 a grace of which three quarters are under two renewals of a kubelet is warned of', () => {
  expect(reading({ ...least, kcmNodeMonitorGraceDuration: '26.668s' }).warnings).toEqual([]);
  expect(reading({ ...least, kcmNodeMonitorGraceDuration: '26.666s' }).warnings).toEqual([
    expect.stringMatching(/^kcmNodeMonitorGraceDuration is short: .* 19\.9995s,/),
  ]);
});

test('2 a kube-controller-manager that would be scaled down after nodes are marked is warned of', () => {
  const first = { ref: { ...kcm, name: 'first' }, scaleUp: level0, scaleDown: { level: 0, initialDelay: '10s' } };
  const inOrder = (initialDelay: string) => {
    const second = { ...resource, scaleDown: { level: 1, initialDelay } };
    return reading({ ...least, dependentResourceInfos: [second, first] }).warnings;
  };
  expect(inOrder('0s')).toEqual([]);
  expect(inOrder('1s')).toEqual([
    expect.stringMatching(/^dependentResourceInfos\[0\]\.scaleDown comes too late: .* 11s /),
  ]);
  const counting = reading({ ...least, probeInterval: '30s', failureThreshold: 2 }).warnings;
  expect(counting).toEqual([expect.stringMatching(/^failureThreshold comes too late: .* 30s .* 10s /)]);
});

test('2.1 keys match without regard to case, nested ones too', () => {
  const anyCase = fc.array(fc.boolean(), { minLength: 40, maxLength: 40 });
  fc.assert(
    fc.property(anyCase, (upper) => {
      const respell = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(respell);
        if (typeof value !== 'object' || value === null) return value;
        return Object.fromEntries(
          Object.entries(value).map(([key, nested]) => [
            key.replaceAll(/./g, (letter, at: number) => (upper[at] ? letter.toUpperCase() : letter.toLowerCase())),
            respell(nested),
          ]),
        );
      };
      const respelt = readProberConfig(respell({ ...least, probeTimeout: '5s' }));
      const same = readProberConfig({ ...least, probeTimeout: '5s' });
      expect(respelt).toMatchObject({ ok: true, config: same.ok ? same.config : undefined });
    }),
  );
});

test('2.1 one key in two spellings is a problem', () => {
  expect(reading({ ...least, probeinterval: '1s', probeInterval: '1s' }).problems).toEqual([
    ['probeInterval', 'the key twice, as probeinterval and probeInterval', 'one of them'],
  ]);
});

const typos: readonly (readonly [typo: string, nearest: string])[] = [
  ['probeIntervall', 'probeInterval'],
  ['probeTimout', 'probeTimeout'],
  ['kcmNodeMonitorGracePeriod', 'kcmNodeMonitorGraceDuration'],
  ['nodeLeaseFailureFractoin', 'nodeLeaseFailureFraction'],
];

test.for(typos)('2.1 %s is unknown: a warning that suggests %s, a problem when strict', ([typo, nearest]) => {
  const written = { ...least, [typo]: '1s' };
  expect(reading(written).warnings).toEqual([`${typo} is unknown and has no effect; did you mean ${nearest}?`]);
  expect(reading(written).places).toEqual([]);
  const strict = reading(written, { strict: true });
  expect(strict.problems).toEqual([[typo, 'an unknown key', nearest]]);
  expect(strict.warnings).toEqual([]);
});

test('2.1 a key in another case, or without a value, is a warning, a problem when strict', () => {
  const written = { ...least, probeinterval: '1s', initialDelay: null };
  expect(reading(written)).toMatchObject({
    config: { probeInterval: 1_000, initialDelay: 30_000 },
    warnings: [
      'probeInterval is written probeinterval, which editors and --strict refuse',
      'initialDelay has no value, and counts as 30s',
    ],
  });
  expect(reading(written, { strict: true })).toMatchObject({
    problems: [
      ['probeInterval', 'the key probeinterval', 'the key probeInterval, spelt like this'],
      ['initialDelay', 'no value', 'a value, or no such key'],
    ],
    warnings: [],
  });
});

test('2.1 where no key is near, none is suggested', () => {
  const { warnings } = reading({ ...least, replicas: 1 });
  expect(warnings).toEqual(['replicas is unknown and has no effect']);
  const [, , wanted] = reading({ ...least, replicas: 1 }, { strict: true }).problems[0] ?? [];
  expect(wanted).toMatch(/^one of kubeConfigSecretName, internalKubeConfigSecretName, .*dependentResourceInfos$/);
});

test('2.1 a nested unknown key is reported with its path', () => {
  const nested = { ...resource, scaleUp: { levle: 3 }, scaleDown: level0 };
  const { warnings } = reading({ ...least, dependentResourceInfos: [nested] });
  expect(warnings[0]).toMatch(/^dependentResourceInfos\[0\]\.scaleUp\.levle is unknown .* did you mean level\?$/);
});

test('1.3 whatever is written, it is either a configuration or a list of problems; nothing is thrown', () => {
  const anyValue = fc.anything({ maxDepth: 3, withBigInt: true });
  const keys = [
    'kubeConfigSecretName',
    'probeInterval',
    'dependentResourceInfos',
    'optional',
    'ref',
    '__proto__',
    'name',
  ];
  const anyKeys = fc.dictionary(fc.constantFrom(...keys), anyValue);
  const anyList = fc.record({ dependentResourceInfos: fc.array(fc.oneof(anyKeys, anyValue)) });
  fc.assert(
    fc.property(fc.oneof(anyValue, anyKeys, anyList), (written) => {
      const result = readProberConfig(written);
      expect(result.ok || result.problems.length > 0).toBe(true);
    }),
  );
});
