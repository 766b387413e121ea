import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readProberConfig } from '../../src/domain/config/read-prober-config.ts';
import { hasTwoPaths, secretNames } from '../../src/domain/prober/prober-config.ts';
import { plainReading } from '../support/plain-reading.ts';

const kcm = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'kube-controller-manager' };
const level0 = { level: 0 };
const resource = { ref: kcm, scaleUp: level0, scaleDown: level0 };
const names = { internalKubeConfigSecretName: 'inside', externalKubeConfigSecretName: 'outside' };
const least = { ...names, dependentResourceInfos: [resource] };

function reading(written: unknown, options?: { strict: boolean }) {
  return plainReading(readProberConfig(written, options));
}

test("2.2 the older generation's names bring its own defaults, and none of the leases'", () => {
  const { config, defaults, problems, warnings } = reading(least, { strict: true });
  expect(config).toMatchObject({
    ...names,
    internalProbeFailureBackOffDuration: 30_000,
    probeInterval: 10_000,
    initialDelay: 30_000,
    failureThreshold: 3,
    successThreshold: 1,
  });
  expect(config).not.toHaveProperty('kubeConfigSecretName');
  expect(config && secretNames(config)).toEqual(['inside', 'outside']);
  expect(defaults).toEqual(
    expect.arrayContaining(['failureThreshold', 'successThreshold', 'internalProbeFailureBackOffDuration']),
  );
  expect(defaults).not.toContain('nodeLeaseFailureFraction');
  expect([problems, warnings]).toEqual([[], []]);
});

test('2.2 what is written outranks the defaults of the generation', () => {
  const written = { failureThreshold: 2, successThreshold: 4, internalProbeFailureBackOffDuration: '1m' };
  expect(reading({ ...least, ...written }).config).toMatchObject({
    failureThreshold: 2,
    successThreshold: 4,
    internalProbeFailureBackOffDuration: 60_000,
  });
});

test('2.2 a key without a value counts as the default of its generation', () => {
  const { config, warnings } = reading({ ...least, failureThreshold: null });
  expect(config?.failureThreshold).toBe(3);
  expect(warnings).toEqual(['failureThreshold has no value, and counts as 3']);
});

test('2.2 the names count in any case, as every key does', () => {
  const { config } = reading({
    INTERNALKUBECONFIGSECRETNAME: 'inside',
    externalkubeconfigsecretname: 'outside',
    dependentResourceInfos: [resource],
  });
  expect(config).toMatchObject({ ...names, failureThreshold: 3 });
});

const { dependentResourceInfos } = least;
const both = 'internalKubeConfigSecretName and externalKubeConfigSecretName';
const beside =
  'nothing beside kubeConfigSecretName: either that one alone, and shoots are judged by their leases; or ' +
  `${both}, and they are judged by two paths`;
const other = (given: string) =>
  `the name of the Secret for the other path, since ${given} is there; or kubeConfigSecretName in place of both`;

type Wrong = readonly [what: string, written: object, problems: readonly (readonly [string, string, string])[]];

const wrongNames: readonly Wrong[] = [
  [
    'both generations at once',
    { ...names, kubeConfigSecretName: 'probe' },
    [
      ['internalKubeConfigSecretName', '"inside"', beside],
      ['externalKubeConfigSecretName', '"outside"', beside],
    ],
  ],
  [
    'the newer name beside one of the older',
    { kubeConfigSecretName: 'probe', externalKubeConfigSecretName: 'outside' },
    [['externalKubeConfigSecretName', '"outside"', beside]],
  ],
  [
    'the internal name alone',
    { internalKubeConfigSecretName: 'inside' },
    [['externalKubeConfigSecretName', 'nothing', other('internalKubeConfigSecretName')]],
  ],
  [
    'the external name alone',
    { externalKubeConfigSecretName: 'outside' },
    [['internalKubeConfigSecretName', 'nothing', other('externalKubeConfigSecretName')]],
  ],
  [
    'an external name without a value',
    { internalKubeConfigSecretName: 'inside', externalKubeConfigSecretName: null },
    [['externalKubeConfigSecretName', 'nothing', other('internalKubeConfigSecretName')]],
  ],
];

test.for(wrongNames)('1.3, 2.2 %s: each problem with its path and the remedy, strict or not', ([, written, wanted]) => {
  for (const strict of [false, true])
    expect(reading({ ...written, dependentResourceInfos }, { strict }).problems).toEqual(wanted);
});

test('1.3, 2.2 a name that is none is the problem, and not that the other one lacks', () => {
  const { problems } = reading({ ...least, internalKubeConfigSecretName: 'In Side', externalKubeConfigSecretName: 12 });
  const wanted = 'the name of a Secret: lower-case letters, digits, "-" and ".", at most 253 of them';
  expect(problems).toEqual([
    ['internalKubeConfigSecretName', '"In Side"', wanted],
    ['externalKubeConfigSecretName', '12', `${wanted}, in quotes`],
  ]);
});

test('2.2 what the older generation leaves behind is accepted beside the newer name with a warning, even when strict', () => {
  const written = {
    kubeConfigSecretName: 'probe',
    name: 'shoot-kube-apiserver',
    namespace: '',
    internalProbeFailureBackOffDuration: '30s',
    dependentResourceInfos: [{ ref: kcm, scaleUp: { level: 0, replicas: 1 }, scaleDown: { level: 0, replicas: 0 } }],
  };
  const { config, warnings } = reading(written, { strict: true });
  expect(config?.dependants[0]?.scaleUp).toEqual({ level: 0, initialDelay: 0, timeout: 30_000 });
  expect(config && hasTwoPaths(config)).toBe(false);
  expect(warnings.toSorted()).toEqual([
    'dependentResourceInfos[0].scaleDown.replicas has no effect',
    'dependentResourceInfos[0].scaleUp.replicas has no effect',
    `internalProbeFailureBackOffDuration has no effect: it belongs to the two paths of ${both}`,
    'name has no effect',
    'namespace has no effect',
  ]);
});

test('2.2 a fraction of leases has no effect where no lease is judged', () => {
  expect(reading({ ...least, nodeLeaseFailureFraction: 0.5 }, { strict: true }).warnings).toEqual([
    `nodeLeaseFailureFraction has no effect: with ${both} no lease is judged`,
  ]);
});

test("2.2 the redesign's own example is accepted as it stands, with the warnings one expects", () => {
  const text = readFileSync(new URL('../support/redesign-config.yaml', import.meta.url), 'utf8');
  const { config, problems, warnings } = reading(parse(text));
  expect(problems).toEqual([]);
  expect(config).toMatchObject({
    internalKubeConfigSecretName: 'dws-interal-probe-secret-name',
    externalKubeConfigSecretName: 'dwd-external-probe-secret-name',
    internalProbeFailureBackOffDuration: 30_000,
    probeInterval: 20_000,
    initialDelay: 5_000,
    backoffJitterFactor: 0.2,
    failureThreshold: 3,
    successThreshold: 1,
    dependants: [
      {
        ref: kcm,
        scaleUp: { level: 1, initialDelay: 10_000, timeout: 60_000 },
        scaleDown: { level: 0, initialDelay: 15_000, timeout: 45_000 },
      },
      { ref: { name: 'machine-controller-manager' }, scaleUp: { level: 1 }, scaleDown: { level: 0 } },
      { ref: { name: 'cluster-autoscaler' }, scaleUp: { level: 0 }, scaleDown: { level: 1 } },
    ],
  });
  const replicas = [0, 1, 2].flatMap((index) =>
    ['scaleUp', 'scaleDown'].map((step) => `dependentResourceInfos[${index}].${step}.replicas has no effect`),
  );
  expect(warnings.toSorted()).toEqual(
    [
      'backoffJitterFactor is written backOffJitterFactor, which editors and --strict refuse',
      'name has no effect',
      'namespace has no effect',
      ...replicas,
      'probeInterval is too long: the kube-controller-manager may be scaled down 57.334s after the external path ' +
        'broke (24s to the next probe, 18.334s to count the failures, 15s of delays), but it may mark nodes from 30s ' +
        'after the break on',
    ].toSorted(),
  );
});

test('2.2 one Secret for both paths is warned of: they could only fail together', () => {
  const { config, warnings } = reading({ ...least, externalKubeConfigSecretName: 'inside' });
  expect(config && secretNames(config)).toEqual(['inside']);
  expect(warnings).toEqual([expect.stringMatching(/^externalKubeConfigSecretName is the Secret of the internal path/)]);
});

type Late = readonly [what: string, written: object, late: readonly string[]];

/** Of 30 s that are left by a grace of 40 s: to the next probe, to count the failures with all their time, and the delays. */
const lateness: readonly Late[] = [
  ['the defaults', {}, []],
  ['an interval of 12s: 12 + 15', { probeInterval: '12s', backoffJitterFactor: 0 }, []],
  ['15s: exactly 15 + 15', { probeInterval: '15s', backoffJitterFactor: 0 }, []],
  ['15.001s', { probeInterval: '15.001s', backoffJitterFactor: 0 }, ['probeInterval is too long']],
  ['chance: 12.6 × 1.2 + 15', { probeInterval: '12.6s' }, ['probeInterval is too long']],
  ['one failure more: 12 + 20', { failureThreshold: 4 }, ['failureThreshold comes too late']],
  ['one failure is enough: 24 + 5', { probeInterval: '20s', failureThreshold: 1 }, []],
  ['a shorter time-out: 12 + 4 × 3.333 + 1', { probeTimeout: '1s', failureThreshold: 5 }, []],
  ['a time-out beyond the eighth counts as the eighth', { probeTimeout: '1m' }, []],
  ['a longer grace', { kcmNodeMonitorGraceDuration: '2m', probeInterval: '30s' }, []],
  ['a grace of which nothing is left', { kcmNodeMonitorGraceDuration: '5s' }, ['probeInterval is too long']],
];

test.for(lateness)('2.2 4.9 too late or not: %s', ([, written, late]) => {
  const { warnings } = reading({ ...least, ...written });
  expect(warnings.map((warning) => warning.replace(/: the kube-controller-manager .*/, ''))).toEqual(late);
});

test('2.2 4.9 the delays before the kube-controller-manager count', () => {
  const first = { ref: { ...kcm, name: 'first' }, scaleUp: level0, scaleDown: { level: 0, initialDelay: '2s' } };
  const inOrder = (initialDelay: string) => {
    const second = { ...resource, scaleDown: { level: 1, initialDelay } };
    return reading({ ...least, dependentResourceInfos: [second, first] }).warnings;
  };
  expect(inOrder('1s')).toEqual([]);
  expect(inOrder('1001ms')).toEqual([expect.stringMatching(/ 30\.001s after .*, 3\.001s of delays/)]);
  expect(inOrder('20s')).toEqual([expect.stringMatching(/^dependentResourceInfos\[0\]\.scaleDown comes too late/)]);
});

test('2.2 without a lease to judge, no threshold of leases is warned of', () => {
  expect(
    reading({ ...least, kcmNodeMonitorGraceDuration: '26s', failureThreshold: 1, probeInterval: '5s' }),
  ).toMatchObject({
    warnings: [],
  });
});
