import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectorText, type LabelSelector, writtenLabelSelector } from '../../src/domain/config/label-selector.ts';
import { labelSelector } from '@dwd/simulator/api/selection.ts';

type Labels = Readonly<Record<string, string>>;
type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

const texts: readonly (readonly [text: string, selector: LabelSelector])[] = [
  ['', {}],
  ['', { matchLabels: {}, matchExpressions: [] }],
  ['app=etcd,role=main', { matchLabels: { role: 'main', app: 'etcd' } }],
  ['app=', { matchLabels: { app: '' } }],
  ['role in (apiserver)', { matchExpressions: [{ key: 'role', operator: 'In', values: ['apiserver'] }] }],
  ['role notin (Z,a,b)', { matchExpressions: [{ key: 'role', operator: 'NotIn', values: ['b', 'a', 'Z', 'b'] }] }],
  ['role in ()', { matchExpressions: [{ key: 'role', operator: 'In', values: [''] }] }],
  ['role notin (,a)', { matchExpressions: [{ key: 'role', operator: 'NotIn', values: ['a', ''] }] }],
  [
    'Z,a,!b',
    { matchExpressions: ['a', 'Z', 'a'].map(exists).concat({ key: 'b', operator: 'DoesNotExist', values: [] }) },
  ],
  ['a,a in (b),a=b', { matchLabels: { a: 'b' }, matchExpressions: [exists('a'), isIn('a', ['b']), exists('a')] }],
];

test.for(texts)('7 %j is how the API server is asked for %j', ([text, selector]) => {
  expect(selectorText(selector)).toBe(text);
});

const keys = ['a', 'b', 'in', 'notin', 'example.org/a', 'A-_.9'] as const;
const values = ['', 'a', 'b', 'in', 'x-_.Y'] as const;
const anyRequirement: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({
    key: fc.constantFrom(...keys),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ key: fc.constantFrom(...keys), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);
const anyLabels = fc.dictionary(fc.constantFrom(...keys), fc.constantFrom(...values));
const anySelector: fc.Arbitrary<LabelSelector> = fc.record(
  { matchLabels: anyLabels, matchExpressions: fc.array(anyRequirement, { maxLength: 4 }) },
  { requiredKeys: [] },
);

test("7 the text selects the labels that Kubernetes' definition of the selector selects", () => {
  fc.assert(
    fc.property(anySelector, fc.array(anyLabels, { minLength: 20, maxLength: 20 }), (selector, pods) => {
      const selects = labelSelector(selectorText(selector));
      expect(pods.map(selects)).toEqual(pods.map((labels) => isSelected(labels, selector)));
    }),
    { numRuns: 500 },
  );
});

test('7 selectors that differ in order and repetition only are one text', () => {
  fc.assert(
    fc.property(anySelector, ({ matchLabels = {}, matchExpressions = [] }) => {
      const turned = {
        matchLabels: Object.fromEntries(Object.entries(matchLabels).toReversed()),
        matchExpressions: [...matchExpressions, ...matchExpressions.toReversed()].map((requirement) => ({
          ...requirement,
          values: requirement.values?.toReversed(),
        })),
      };
      expect(selectorText(turned)).toBe(selectorText({ matchLabels, matchExpressions }));
    }),
  );
});

test('7 what is written well is accepted as it is', () => {
  fc.assert(
    fc.property(anySelector, (selector) => {
      expect(writtenLabelSelector.parse(selector)).toEqual(selector);
    }),
  );
});

const long = (length: number) => 'x'.repeat(length);
const domains = (length: number) => `${'abcdefghi.'.repeat(26).slice(0, length - 1)}z`;

/** As the API server's own code judges them (IsQualifiedName and IsValidLabelValue of apimachinery v0.34). */
const rightKeys = [
  'a',
  '9',
  'A.b-c_D',
  'a/b',
  '1.2-3.x/Y_z',
  long(63),
  `${domains(253)}/${long(63)}`,
  'a..b',
  'a--b/c__d',
];
const wrongKeys = ['', 'a b', ' a', 'a\n', '-a', 'a-', '_a', 'a.', 'ä', '!a', 'a=b', 'a,b', '(a)', long(64)].concat([
  'a/',
  '/a',
  'a/b/c',
  'A.b/c',
  'a_b/c',
  'a..b/c',
  '.a/b',
  'a./b',
  'a-/b',
  `a/${long(64)}`,
  `${domains(254)}/a`,
]);
const rightValues = ['', 'a', '9', 'A.b-c_D', 'a..b', long(63)];
const wrongValues = ['a b', ' ', 'a\n', '-a', 'a-', '_', '.', 'ä', 'a/b', 'a=b', 'a,b', ')', long(64)];

test.for(rightKeys)('7 %j can be a label', (key) => {
  expect(writtenLabelSelector.safeParse({ matchExpressions: [exists(key)] }).success).toBe(true);
});

test.for(wrongKeys)('7 %j cannot be a label', (key) => {
  expect(writtenLabelSelector.safeParse({ matchExpressions: [exists(key)] }).success).toBe(false);
});

test.for(rightValues)("7 %j can be a label's value", (value) => {
  expect(writtenLabelSelector.safeParse({ matchExpressions: [isIn('a', [value])] }).success).toBe(true);
  expect(writtenLabelSelector.safeParse({ matchLabels: { a: value } }).success).toBe(true);
});

test.for(wrongValues)("7 %j cannot be a label's value", (value) => {
  expect(writtenLabelSelector.safeParse({ matchExpressions: [isIn('a', [value])] }).success).toBe(false);
  expect(writtenLabelSelector.safeParse({ matchLabels: { a: value } }).success).toBe(false);
});

function exists(key: string): Requirement {
  return { key, operator: 'Exists' };
}

function isIn(key: string, values: string[]): Requirement {
  return { key, operator: 'In', values };
}

/** Kubernetes' definition, word for word: NotIn selects what lacks the label too. */
function isSelected(labels: Labels, { matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  const has = (key: string) => Object.hasOwn(labels, key);
  const valued = Object.entries(matchLabels).every(([key, value]) => has(key) && labels[key] === value);
  return (
    valued &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const among = has(key) && values.includes(labels[key] ?? '');
      return { In: among, NotIn: !among, Exists: has(key), DoesNotExist: !has(key) }[operator];
    })
  );
}
