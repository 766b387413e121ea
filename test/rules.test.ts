import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRules } from '../hack/rules/read-rules.ts';
import { readTests } from '../hack/rules/read-tests.ts';
import { rulesNamed } from '../hack/rules/rules-named.ts';
import { weighRules } from '../hack/rules/weigh-rules.ts';
import { parseSource, readSources } from '../hack/source.ts';

const root = join(import.meta.dirname, '..');
const namesIn = (text: string) => readTests(parseSource('test/some.test.ts', text)).map(({ name }) => name);
const named = (name: string, ...within: string[]) => ({ path: 'test/a.test.ts', line: 7, name, within });

describe('the specification and the tests of this project', () => {
  const weighing = weighRules(
    readRules(readFileSync(join(root, 'docs/specification.md'), 'utf8')),
    ['test', 'packages'].flatMap((folder) => readSources(root, folder)).flatMap(readTests),
  );

  test('have no tag and no name that is wrong', () => {
    expect(weighing.problems).toEqual([]);
  });

  test('leave no built rule without a test', () => {
    expect(weighing.untested.map(({ id, title }) => `${id} ${title}`)).toEqual([]);
  });
});

describe('rules are read from headings and tags', () => {
  const page = [
    '## 4 The probe',
    '### 4.1 Fresh',
    'Text. <!-- rule 4.1 built -->',
    '## 8 Election',
    '<!-- rule 8 later -->',
    '### S1 Silence',
    '<!-- rule S1 partly -->',
  ];

  test('with their number, title and status, in their order', () => {
    expect(readRules(page.join('\n'))).toEqual({
      rules: [
        { id: '4.1', title: 'Fresh', status: 'built' },
        { id: '8', title: 'Election', status: 'later' },
        { id: 'S1', title: 'Silence', status: 'partly' },
      ],
      problems: [],
    });
  });

  test.each([
    ['a rule without a tag', ['### 4.1 Fresh', 'Text.'], 'line 1: rule 4.1 has no tag'],
    [
      'a rule whose tag comes after the next heading',
      ['### 4.1 Fresh', '### 4.2 Next', '<!-- rule 4.2 built -->', '<!-- rule 4.1 built -->'],
      'line 1: rule 4.1 has no tag',
    ],
    [
      'a tag under another rule',
      ['### 4.1 Fresh', '<!-- rule 4.2 built -->'],
      'line 2: the tag of rule 4.2 stands under 4.1',
    ],
    [
      'a tag under a heading without a number',
      ['## Facts', '<!-- rule 4.2 built -->'],
      'line 2: the tag of rule 4.2 stands under no rule',
    ],
    [
      'two tags',
      ['### 4.1 Fresh', '<!-- rule 4.1 built -->', '<!-- rule 4.1 later -->'],
      'line 3: rule 4.1 has a second tag',
    ],
    [
      'a number twice',
      ['### S1 A', '<!-- rule S1 built -->', '### S1 B', '<!-- rule S1 built -->'],
      'line 3: rule S1 stands here a second time',
    ],
    ['an unknown status', ['### 4.1 Fresh', '<!-- rule 4.1 done -->'], 'line 2: a tag reads'],
    ['a tag without a status', ['### 4.1 Fresh', '<!-- rule 4.1 -->'], 'line 2: a tag reads'],
  ])('%s is a problem', (_, lines, problem) => {
    expect(readRules(lines.join('\n')).problems).toContainEqual(expect.stringContaining(problem));
  });
});

describe('names are read from tests', () => {
  test.each([
    ["test('4.1 a', () => {})", ['4.1 a']],
    ['it("4.1 a", () => {})', ['4.1 a']],
    ["describe('6.4 b', () => { test('c', () => {}) })", ['6.4 b', 'c']],
    ["describe.each([1])('S1 %s', () => {})", ['S1 %s']],
    ["test.each`a | b\n${1} | ${2}`('4.2 $a', () => {})", ['4.2 $a']],
    ["test.skipIf(x).for([1])('L1 %s', () => {})", ['L1 %s']],
    ["test.concurrent('4.3 a', () => {})", ['4.3 a']],
    ['test(`4.4 ${x} b`, () => {})', ['4.4 ']],
    ['test(`4.${x} b`, () => {})', [undefined]],
    ["test('4.5 ' + x, () => {})", ['4.5 ']],
    ['test(x, () => {})', [undefined]],
    ["for (const x of y) test('4.6 a', () => {})", ['4.6 a']],
  ])('%s', (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });

  test.each([
    ...['skip', 'todo'].flatMap((dormant) => [
      [`test.${dormant}('4.1 a', () => {})`],
      [`describe.${dormant}('x', () => { test('4.1 a', () => {}) })`],
    ]),
    ["// test('4.1 a', () => {})"],
    ['const text = "test(\'4.1 a\')"'],
    ["other('4.1 a', () => {})"],
    ["machine.test('4.1 a')"],
    ['test.beforeEach(() => {})'],
  ])('%s is no test that runs', (text) => {
    expect(namesIn(text)).toEqual([]);
  });

  test('with the line on which they stand', () => {
    expect(readTests(parseSource('test/a.test.ts', "\n\ntest('4.1 a', () => {})"))).toEqual([
      { path: 'test/a.test.ts', line: 3, name: '4.1 a', within: [] },
    ]);
  });

  test('with the blocks around them', () => {
    const [, inner] = readTests(parseSource('test/a.test.ts', "describe('4.1 a', () => test('b', () => {}))"));
    expect(inner).toMatchObject({ name: 'b', within: ['4.1 a'] });
  });

  test('and not from a text that is no TypeScript', () => {
    expect(() => namesIn('test(')).toThrow('cannot be parsed');
  });
});

describe('a name begins with its rules', () => {
  const known = new Set(['2', '4.1', '6.4', '6.5', '6.10', 'S1', 'L3']);

  test.each([
    ['4.1 a Secret', ['4.1'], []],
    ['6.4 6.5 6.10 a record', ['6.4', '6.5', '6.10'], []],
    ['6.4, 6.5: a record', ['6.4', '6.5'], []],
    ['S1 L3 silence', ['S1', 'L3'], []],
    ['2 every default', ['2'], []],
    ['6.4 0.75 of the grace', ['6.4'], []],
    ['4.1 1.5h and 429', ['4.1'], []],
    ['a kubeconfig of 4.1', [], []],
    ['', [], []],
    ['4.11 a', [], ['4.11']],
    ['6.4 6.55 a', ['6.4'], ['6.55']],
    ['S9 a', [], ['S9']],
    ['6.4-6.10 a', [], ['6.4-6.10']],
    ['4.1 6.4–6.10 a', ['4.1'], ['6.4–6.10']],
    ['100 shoots', [], ['100']],
  ])('%s', (name, rules, wrong) => {
    expect(rulesNamed(name, known)).toEqual({ rules, wrong });
  });
});

describe('rules and tests are weighed', () => {
  const one = { rules: [{ id: '4.1', title: 'Fresh', status: 'built' }], problems: [] } as const;

  test('a built rule with a test is well', () => {
    expect(weighRules(one, [named('4.1 a')])).toMatchObject({ untested: [], problems: [], nameless: [] });
  });

  test('a built rule without one is not', () => {
    expect(weighRules(one, [named('a')])).toMatchObject({ untested: [{ id: '4.1' }], nameless: [named('a')] });
  });

  test('a test within a block that names a rule is not nameless', () => {
    expect(weighRules(one, [named('4.1 a'), named('b', '4.1 a'), named('c', 'd')]).nameless).toEqual([named('c', 'd')]);
  });

  test('a partly built rule needs one as well', () => {
    const partly = { rules: [{ id: '4.1', title: 'Fresh', status: 'partly' }], problems: [] } as const;
    expect(weighRules(partly, [named('a')]).untested).toHaveLength(1);
  });

  test('a later rule may have one or not', () => {
    const later = { rules: [{ id: '4.9', title: 'Old', status: 'later' }], problems: [] } as const;
    expect(weighRules(later, [named('a')])).toMatchObject({ untested: [], problems: [] });
    expect(weighRules(later, [named('4.9 a')])).toMatchObject({ untested: [], problems: [] });
  });

  test('a name with a rule that does not exist is told with its place', () => {
    expect(weighRules(one, [named('4.1 a'), named('4.7 b')]).problems).toEqual([
      'test/a.test.ts:7 names 4.7, which is no rule: "4.7 b"',
    ]);
  });

  test('no rules, no tests, and a broken specification are problems', () => {
    expect(weighRules({ rules: [], problems: [] }, [named('a')]).problems).toEqual([
      'no rule was found in the specification',
    ]);
    expect(weighRules(one, []).problems).toEqual(['no test was found']);
    expect(weighRules({ ...one, problems: ['line 3: x'] }, [named('4.1 a')]).problems).toEqual([
      'docs/specification.md line 3: x',
    ]);
  });
});
