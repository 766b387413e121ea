import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readYamlConfig } from '../../src/adapters/config/yaml-config.ts';
import { gardenerWeederConfig as simulated } from '@dwd/simulator/commands/simulate/story/story-config.ts';
import { readWeederConfig } from '../../src/domain/config/read-weeder-config.ts';
import { roleOfConfig } from '../../src/domain/config/misplaced-config.ts';
import { plainReading } from '../support/plain-reading.ts';
import { gardenerWeederConfig } from '@dwd/testing/weeder-configs.ts';

const gardener = readFileSync(new URL('../../deploy/base/weeder/dep-config.yaml', import.meta.url), 'utf8');
const apiserver = { matchLabels: { role: 'apiserver' } };
const least = { servicesAndDependantSelectors: { etcd: { podSelectors: [apiserver] } } };

function reading(written: unknown, options?: { strict: boolean }) {
  return plainReading(readWeederConfig(written, options));
}

/** What is wrong with a selector that stands beside one that is right. */
function problemsOf(selector: unknown): readonly (readonly string[])[] {
  const place = 'servicesAndDependantSelectors.etcd.podSelectors[1]';
  const written = { servicesAndDependantSelectors: { etcd: { podSelectors: [apiserver, selector] } } };
  return reading(written).problems.map(([path = '', ...rest]) => [path.replace(place, ''), ...rest]);
}

test("7 Gardener's configuration is read without a warning, and is what simulations work by", () => {
  const { config, defaults, warnings } = reading(parse(gardener), { strict: true });
  expect(config).toEqual(gardenerWeederConfig);
  expect([defaults, warnings]).toEqual([[], []]);
  expect(readYamlConfig(simulated, readWeederConfig)).toMatchObject({ ok: true, config, warnings });
});

test('7 watchDuration is five minutes if it is left out, and distinguished from a written one', () => {
  const services = [{ name: 'etcd', podSelectors: ['role=apiserver'] }];
  expect(reading(least)).toMatchObject({ config: { watchDuration: 300_000, services }, defaults: ['watchDuration'] });
  expect(reading({ ...least, watchDuration: null }).defaults).toEqual(['watchDuration']);
  expect(reading({ ...least, watchDuration: '1ns' }).config?.watchDuration).toBe(1);
});

const above0 = 'a duration above 0 with its unit, such as 30s or 1m30s';
const services = 'a mapping of at least one service to its podSelectors';
const serviceName =
  'the name of a service: lower-case letters, digits and "-", at most 63 of them, a letter or digit first and last';
const selectors = 'a list of at least one label selector';

const wrongKeys: readonly (readonly [path: string, written: unknown, found: string, wanted: string])[] = [
  ['watchDuration', { watchDuration: '0s' }, '"0s"', above0],
  ['watchDuration', { watchDuration: '-1s' }, '"-1s"', above0],
  ['watchDuration', { watchDuration: 300 }, '300', above0],
  ['', { servicesAndDependantSelectors: undefined }, 'nothing', services],
  ['', { servicesAndDependantSelectors: null }, 'nothing', services],
  ['', { servicesAndDependantSelectors: {} }, 'an empty mapping', services],
  ['', { servicesAndDependantSelectors: [least] }, 'a list of 1', services],
  ['.etcd', { servicesAndDependantSelectors: { etcd: null } }, 'nothing', 'a mapping with podSelectors'],
  ['.etcd', { servicesAndDependantSelectors: { etcd: [apiserver] } }, 'a list of 1', 'a mapping with podSelectors'],
  ['.etcd.podSelectors', { servicesAndDependantSelectors: { etcd: {} } }, 'nothing', selectors],
  ['.etcd.podSelectors', { servicesAndDependantSelectors: { etcd: { podSelectors: [] } } }, 'an empty list', selectors],
  [
    '.etcd.podSelectors',
    { servicesAndDependantSelectors: { etcd: { podSelectors: apiserver } } },
    'a mapping of matchLabels',
    selectors,
  ],
];

test.for(wrongKeys)('1.3, 7 %s of %j is a problem that names key, finding and remedy', ([path, wrong, ...rest]) => {
  const place = path === 'watchDuration' ? path : `servicesAndDependantSelectors${path}`;
  expect(reading({ ...least, ...(wrong as object) }).problems).toEqual([[place, ...rest]]);
});

const long = (length: number) => 'x'.repeat(length);

test.for(['Etcd', 'etcd_main', '-etcd', 'etcd-', 'etcd.main', '', 'a b', '__proto__', long(64)])(
  '1.3, 7 %j cannot be the name of a service',
  (name) => {
    const services = [name, 'etcd'].map((service) => [service, { podSelectors: [apiserver] }] as const);
    const written = { servicesAndDependantSelectors: Object.fromEntries(services) };
    const { problems } = reading(written);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.slice(1)).toEqual([expect.stringMatching(/^the key "/), serviceName]);
  },
);

test.for(['etcd', 'e', '1', '12-a', 'constructor', long(63)])('7 %j can be the name of a service', (name) => {
  const { config, problems } = reading({ servicesAndDependantSelectors: { [name]: { podSelectors: [apiserver] } } });
  expect(problems).toEqual([]);
  expect(config?.services).toEqual([{ name, podSelectors: ['role=apiserver'] }]);
});

const signs = 'letters, digits, "-", "_" and ".", at most 63 of them, a letter or digit first and last';
const label = `a label, such as role or example.org/role: ${signs}`;
const value = `a label's value: "" or ${signs}`;
const boolean = `${value}, in quotes: YAML takes yes, no, on and off without them for true and false`;
const anyOperator = 'one of In, NotIn, Exists, DoesNotExist';
const requirement = 'a mapping of key, operator and values';

const wrongSelectors: readonly (readonly [path: string, selector: unknown, found: string, wanted: string])[] = [
  ['', null, 'nothing', 'a mapping of matchLabels and matchExpressions'],
  ['', 'role=apiserver', '"role=apiserver"', 'a mapping of matchLabels and matchExpressions'],
  ['.matchLabels', { matchLabels: ['role'] }, 'a list of 1', 'a mapping of labels to their values'],
  ['.matchLabels.role', { matchLabels: { role: true } }, 'true', boolean],
  ['.matchLabels.role', { matchLabels: { role: 1 } }, '1', `${value}, in quotes`],
  ['.matchLabels.role', { matchLabels: { role: null } }, 'nothing', value],
  ['.matchLabels.role', { matchLabels: { role: ['a'] } }, 'a list of 1', value],
  ['.matchLabels.role', { matchLabels: { role: 'a b' } }, '"a b"', value],
  ['.matchLabels."a b"', { matchLabels: { 'a b': 'a' } }, 'the key "a b"', label],
  ['.matchLabels.__proto__', { matchLabels: { ['__proto__']: 'a' } }, 'the key "__proto__"', label],
  [
    '.matchExpressions',
    { matchExpressions: { key: 'a' } },
    'a mapping of key',
    `a list of mappings of key, operator and values`,
  ],
  ['.matchExpressions[0]', { matchExpressions: [null] }, 'nothing', requirement],
  ['.matchExpressions[0].key', expression(undefined, 'Exists'), 'nothing', label],
  ['.matchExpressions[0].key', expression('a b', 'Exists'), '"a b"', label],
  ['.matchExpressions[0].key', expression(true, 'Exists'), 'true', label + boolean.slice(value.length)],
  ['.matchExpressions[0].operator', expression('a', undefined), 'nothing', anyOperator],
  ['.matchExpressions[0].operator', expression('a', 'in', ['b']), '"in"', anyOperator],
  ['.matchExpressions[0].operator', expression('a', 'Gt', ['1']), '"Gt"', anyOperator],
  ['.matchExpressions[0].values', expression('a', 'In'), 'nothing', 'a list of at least one value for In'],
  ['.matchExpressions[0].values', expression('a', 'In', null), 'nothing', 'a list of at least one value for In'],
  [
    '.matchExpressions[0].values',
    expression('a', 'NotIn', []),
    'an empty list',
    'a list of at least one value for NotIn',
  ],
  ['.matchExpressions[0].values', expression('a', 'Exists', ['b']), 'a list of 1', 'nothing: Exists takes no values'],
  [
    '.matchExpressions[0].values',
    expression('a', 'DoesNotExist', ['', 'b']),
    'a list of 2',
    'nothing: DoesNotExist takes no values',
  ],
  ['.matchExpressions[0].values', expression('a', 'In', 'b'), '"b"', 'a list of values'],
  ['.matchExpressions[0].values[1]', expression('a', 'In', ['b', false]), 'false', boolean],
  ['.matchExpressions[0].values[0]', expression('a', 'NotIn', [1]), '1', `${value}, in quotes`],
  ['.matchExpressions[0].values[0]', expression('a', 'In', [null]), 'nothing', value],
  ['.matchExpressions[0].values[0]', expression('a', 'In', [long(64)]), `"${long(58)}…`, value],
];

test.for(wrongSelectors)('1.3, 7 the selector with %s of %j is a problem', ([path, selector, ...rest]) => {
  expect(problemsOf(selector)).toEqual([[path, ...rest]]);
});

test('1.3 all problems are reported at once, those beside a wrong key or operand too', () => {
  const { places } = reading({
    watchDuration: 5,
    servicesAndDependantSelectors: {
      Etcd: { podSelectors: [{ matchLabels: { '-': '-' } }] },
      kube: {
        podSelectors: [
          null,
          { matchExpressions: [{ operator: 'In' }, { key: 'a', operator: 'Exists', values: [true] }] },
        ],
      },
    },
  });
  expect(places.toSorted()).toEqual([
    'servicesAndDependantSelectors.Etcd',
    'servicesAndDependantSelectors.Etcd.podSelectors[0].matchLabels.-',
    'servicesAndDependantSelectors.Etcd.podSelectors[0].matchLabels.-',
    'servicesAndDependantSelectors.kube.podSelectors[0]',
    'servicesAndDependantSelectors.kube.podSelectors[1].matchExpressions[0].key',
    'servicesAndDependantSelectors.kube.podSelectors[1].matchExpressions[0].values',
    'servicesAndDependantSelectors.kube.podSelectors[1].matchExpressions[1].values',
    'servicesAndDependantSelectors.kube.podSelectors[1].matchExpressions[1].values[0]',
    'watchDuration',
  ]);
});

test('7 a selector that matches everything is warned of, and taken', () => {
  const empty = [{}, { matchLabels: {}, matchExpressions: [] }];
  for (const selector of empty) {
    const { config, warnings } = reading({ servicesAndDependantSelectors: { etcd: { podSelectors: [selector] } } });
    expect(config?.services).toEqual([{ name: 'etcd', podSelectors: [''] }]);
    expect(warnings).toEqual([
      "servicesAndDependantSelectors.etcd.podSelectors[0] selects every pod in the service's namespace, " +
        'whether it depends on the service or not',
    ]);
  }
});

test('7 the same selector twice in one service is warned of, and taken once', () => {
  const other = { matchExpressions: [{ key: 'role', operator: 'NotIn', values: ['a', 'b'] }] };
  const again = { matchExpressions: [{ key: 'role', operator: 'NotIn', values: ['b', 'a', 'b'] }] };
  const { config, warnings } = reading({
    servicesAndDependantSelectors: {
      etcd: { podSelectors: [apiserver, other, again] },
      kube: { podSelectors: [other] },
    },
  });
  expect(config?.services).toEqual([
    { name: 'etcd', podSelectors: ['role=apiserver', 'role notin (a,b)'] },
    { name: 'kube', podSelectors: ['role notin (a,b)'] },
  ]);
  expect(warnings).toEqual([
    'servicesAndDependantSelectors.etcd.podSelectors[2] says the same as podSelectors[1], and is taken once',
  ]);
});

test("2.1 keys match without regard to case; services, labels and operators are the operator's words", () => {
  const written = {
    WATCHDURATION: '1s',
    servicesanddependantselectors: {
      etcd: {
        PodSelectors: [
          {
            matchlabels: { Role: 'a', role: 'b' },
            MATCHEXPRESSIONS: [{ KEY: 'Operator', Operator: 'In', vALUES: ['X', 'x'] }],
          },
        ],
      },
    },
  };
  const { config, warnings } = reading(written);
  expect(warnings).toHaveLength(8);
  expect(config).toEqual({
    watchDuration: 1000,
    services: [{ name: 'etcd', podSelectors: ['Operator in (X,x),Role=a,role=b'] }],
  });
});

test('2.1 an unknown key is a warning that names the nearest, a problem when strict', () => {
  const typo = 'servicesAndDependantSelectors.etcd.podSelectors[0].matchLabel';
  const written = {
    watchDuraton: '1s',
    servicesAndDependantSelectors: { etcd: { podSelectors: [{ ...apiserver, matchLabel: {} }] } },
  };
  expect(reading(written)).toMatchObject({
    problems: [],
    warnings: [
      'watchDuraton is unknown and has no effect; did you mean watchDuration?',
      `${typo} is unknown and has no effect; did you mean matchLabels?`,
    ],
  });
  expect(reading(written, { strict: true })).toMatchObject({
    problems: [
      ['watchDuraton', 'an unknown key', 'watchDuration'],
      [typo, 'an unknown key', 'matchLabels'],
    ],
    warnings: [],
  });
});

test('1.3 services that differ in case only are reported with their own lines', () => {
  const text = 'servicesAndDependantSelectors:\n  Etcd: {podSelectors: [{}]}\n  etcd: {podSelectors: []}\n';
  const result = readYamlConfig(text, readWeederConfig);
  expect(result.ok ? [] : result.problems.map(({ path, line }) => [path[1], line])).toEqual([
    ['Etcd', 2],
    ['etcd', 3],
  ]);
});

const roles: readonly (readonly [role: string | undefined, written: unknown])[] = [
  ['weeder', { servicesAndDependantSelectors: 1 }],
  ['weeder', { WatchDuration: null, name: 'a' }],
  ['prober', { kubeconfigSecretName: 'a' }],
  ['prober', { internalKubeConfigSecretName: 'a', probeInterval: '1s' }],
  [undefined, { watchDuration: '1s', kubeconfigSecretName: 'a' }],
  [undefined, { servicesAndDependantSelectors: {}, dependentResourceInfos: [] }],
  [undefined, {}],
  [undefined, null],
  [undefined, 'watchDuration'],
];

test.for(roles)('1.1 a configuration of the %s is known by its keys, where they show it: %j', ([role, written]) => {
  expect(roleOfConfig(written)).toBe(role);
});

test('1.3 whatever is written, it is either a configuration or a list of problems; nothing is thrown', () => {
  const words = ['matchLabels', 'matchExpressions', 'key', 'operator', 'values', 'In', 'Exists', 'a', 'podSelectors'];
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6, depthSize: 'small' },
      fc.constantFrom<unknown>(...words, 'In', null, true, 1, ''),
      fc.array(tie('tree'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom(...words, '__proto__', 'toString'), tie('tree'), { maxKeys: 3 }),
      fc.anything({ maxDepth: 2, withBigInt: true }),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.boolean(), (value, deep) => {
      const written = { servicesAndDependantSelectors: deep ? { etcd: { podSelectors: [value] } } : value };
      const result = readWeederConfig(written);
      expect(result.ok || result.problems.length > 0).toBe(true);
    }),
    { numRuns: 500 },
  );
});

function expression(key: unknown, operator: unknown, values?: unknown) {
  return { matchExpressions: [{ key, operator, values }] };
}
