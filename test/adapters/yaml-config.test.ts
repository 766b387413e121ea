import { expect, test } from 'vitest';
import { readYamlConfig } from '../../src/adapters/config/yaml-config.ts';
import {
  writePath,
  type ConfigProblem,
  type ConfigReading,
  type ConfigWarning,
} from '../../src/domain/config/config-remark.ts';
import { readProberConfig } from '../../src/domain/config/read-prober-config.ts';

function places(remarks: readonly (ConfigProblem | ConfigWarning)[]): string[] {
  return remarks.map(({ path, line }) => `${line} ${writePath(path)}`);
}

/** Accepts everything as a configuration, to show what the parser makes of the text. */
const asItIs = (written: unknown): ConfigReading<unknown> => ({
  ok: true,
  config: written,
  warnings: [],
  defaults: [],
});

function valueOf(text: string): unknown {
  const reading = readYamlConfig(text, asItIs);
  return reading.ok ? reading.config : reading.problems.map(({ found, line }) => `${line}: ${found}`);
}

test('2.1 YAML 1.1 booleans are understood, in every case that Go accepts, and only without quotes', () => {
  const trues = ['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE'];
  expect(valueOf(`[${trues.join()}]`)).toEqual(trues.map(() => true));
  const falses = ['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False', 'FALSE'];
  expect(valueOf(`[${falses.join()}]`)).toEqual(falses.map(() => false));
  expect(valueOf('optional: "yes"\nother: yEs')).toEqual({ optional: 'yes', other: 'yEs' });
});

test('2.1 numbers are read as Go reads them; a time of day stays a text', () => {
  expect(valueOf('{a: 0x10, b: 017, c: 1_000, d: 1.0, e: .5, f: 1:30, g: 2001-12-14}')).toEqual({
    a: 16,
    b: 15,
    c: 1_000,
    d: 1,
    e: 0.5,
    f: '1:30',
    g: '2001-12-14',
  });
});

test('2.1 a %YAML line changes nothing, anchors and merges are followed', () => {
  expect(valueOf('%YAML 1.2\n---\na: &x {on: yes}\nb: {<<: *x, c: no}\n')).toEqual({
    a: { true: true },
    b: { true: true, c: false },
  });
});

test('1.3 a document that is followed by empty ones is one document', () => {
  expect(valueOf('---\na: 1\n...\n# the end\n---\n# nothing\n')).toEqual({ a: 1 });
});

const broken: readonly (readonly [text: string, told: readonly string[]])[] = [
  ['', ['undefined: an empty file']],
  ['# only words\n', ['undefined: an empty file']],
  ['a: 1\n---\nb: 1\n', ['2: more than one YAML document']],
  [
    'a: 1\nb: [1, 2\n',
    ['3: Flow sequence in block collection must be sufficiently indented and end with a ], at column 1'],
  ],
  ['a: b: c\n', ['1: Nested mappings are not allowed in compact mappings, at column 4']],
  ['a: 1\nb:\n  c: 1\n  c: 2\na: 2\n', ['4: the key twice', '5: the key twice']],
];

test.for(broken)('1.3 the text %j is refused, with its lines', ([text, told]) => {
  expect(valueOf(text)).toEqual(told);
});

test('1.3 a template is named as one, where nothing can be made of it', () => {
  const reading = readYamlConfig('# {{ a comment }}\nkubeConfigSecretName: {{ .Values.name }}\n', readProberConfig);
  expect(reading).toMatchObject({ ok: false, problems: [{ found: 'a template, with {{ … }}', line: 2 }] });
  expect(valueOf('{{- if .Values.prober }}\na: 1\n{{- end }}\n')).toEqual(['1: a template, with {{ … }}']);
  expect(valueOf('a: "{{ b }}"\n')).toEqual({ a: '{{ b }}' });
});

test('1.3 a repeated key is named with its whole path', () => {
  const reading = readYamlConfig('a:\n- x: 1\n- {x: 1, q: {z: 1, z: 2}}\n', asItIs);
  expect(reading.ok ? [] : reading.problems.map(({ path }) => writePath(path))).toEqual(['a[1].q.z']);
});

test('1.3 what is made to exhaust a parser is refused', () => {
  const tenfold = ['x', '*a', '*b', '*c', '*d'].map((item) => Array.from({ length: 10 }, () => item).join());
  const bomb = tenfold.map((items, at) => `${'abcde'[at]}: &${'abcde'[at]} [${items}]\n`).join('');
  expect(valueOf(bomb)).toEqual([expect.stringMatching(/^undefined: YAML that cannot be read: Excessive alias count/)]);
  const deep = valueOf('['.repeat(50_000));
  expect(deep).toContainEqual(expect.stringMatching(/^1: nesting that is too deep/));
  expect(deep).toHaveLength(3);
});

test('1.3 problems and warnings bear the line of their key, or of what surrounds a missing one', () => {
  const text = `KUBECONFIGSECRETNAME: x
probeIntervall: 1s
probetimeout: 30
dependentResourceInfos:
  - &kcm
    ref: {apiVersion: apps/v1, kind: Deployment, name: a}
    scaleUp: {}
    scaleDown:
      level: 0
      timeout: 5
  - *kcm
  -
    ref: {apiVersion: apps/v1, kind: Deployment, name: b}
    scaleDown: {level: 1}
`;
  const reading = readYamlConfig(text, readProberConfig);
  expect(places(reading.ok ? [] : reading.problems)).toEqual([
    '3 probeTimeout',
    '6 dependentResourceInfos[1].ref',
    '10 dependentResourceInfos[0].scaleDown.timeout',
    '10 dependentResourceInfos[1].scaleDown.timeout',
    '13 dependentResourceInfos[2].scaleUp',
  ]);
  expect(places(reading.warnings)).toEqual([
    '1 kubeConfigSecretName',
    '2 probeIntervall',
    '3 probeTimeout',
    '7 dependentResourceInfos[0].scaleUp.level',
    '7 dependentResourceInfos[1].scaleUp.level',
  ]);
});
