import type { Rule, RulesRead } from './read-rules.ts';
import type { NamedTest } from './read-tests.ts';
import { rulesNamed } from './rules-named.ts';

type WeighedRule = Rule & Readonly<{ tests: readonly NamedTest[] }>;

/** The rules with the tests that name them. `untested` and `problems` are what a check fails for. */
export type Weighing = Readonly<{
  rules: readonly WeighedRule[];
  /** Said to be built, wholly or partly, and named by no test. */
  untested: readonly WeighedRule[];
  /** Tags, names of tests, or nothing found at all. */
  problems: readonly string[];
  /** Tests that begin with no rule, or cannot be read, and stand within no describe block that does. */
  nameless: readonly NamedTest[];
}>;

/** Finding nothing is a problem too: a check that looked at the wrong place must not pass. */
export function weighRules(read: RulesRead, tests: readonly NamedTest[]): Weighing {
  const known = new Set(read.rules.map(({ id }) => id));
  const testsOf = new Map<string, NamedTest[]>(read.rules.map(({ id }) => [id, []]));
  const problems = read.problems.map((problem) => `docs/specification.md ${problem}`);
  const nameless: NamedTest[] = [];

  if (read.rules.length === 0) problems.push('no rule was found in the specification');
  if (tests.length === 0) problems.push('no test was found');

  for (const test of tests) {
    const { rules, wrong } = rulesNamed(test.name ?? '', known);
    for (const id of rules) testsOf.get(id)?.push(test);
    for (const id of wrong) problems.push(`${test.path}:${test.line} names ${id}, which is no rule: "${test.name}"`);
    if ([test.name ?? '', ...test.within].every((name) => rulesNamed(name, known).rules.length === 0))
      nameless.push(test);
  }

  const rules = read.rules.map((rule) => ({ ...rule, tests: testsOf.get(rule.id) ?? [] }));
  const untested = rules.filter((rule) => rule.status !== 'later' && rule.tests.length === 0);
  return { rules, untested, problems, nameless };
}
