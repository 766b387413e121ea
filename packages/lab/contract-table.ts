/**
 * Prints, as Markdown, each contract with its tests on the embedded seed, on its server in memory, and on a real API server, and the
 * differences that were found and mended. Runs all of them to say so, unless it is given vitest's JSON reports of runs in which they
 * were. Ends with 1 where a test fails, or runs on one of embedded and real only. What needs a wire is not run in memory.
 *
 *   npm run check -- contracts [--embedded REPORT] [--real REPORT]…
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { differences, toleratedDifferences } from './contracts/differences.ts';
import { helpOfHeader } from './options/help-of-header.ts';

type Ran = Readonly<{ ancestorTitles: readonly string[]; title: string; status: string }>;

/** Of one contract on one server: by what a test is called whether it passed. */
type Outcome = ReadonlyMap<string, boolean>;

const sides = ['embedded', 'memory', 'real'] as const;
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
helpOfHeader('check -- contracts', import.meta.filename);
const { values } = parseArgs({
  options: { embedded: { type: 'string' }, real: { type: 'string', multiple: true } },
});
const directory = mkdtempSync(join(tmpdir(), 'dwd-contracts-'));

const ofSimulator = values.embedded ?? (await reportOf('embedded', ['packages/simulator/contract']));
const [embedded, memory] = [outcomesIn([ofSimulator], 'embedded'), outcomesIn([ofSimulator], 'memory')];
const real = outcomesIn(
  values.real ?? [await reportOf('real', ['--config', 'vitest.apiserver.config.ts', ...realFiles()])],
  'real',
);
rmSync(directory, { recursive: true });

const contracts = [...new Set([...embedded.keys(), ...real.keys()])].toSorted();
const rows = contracts.map((contract) => {
  const mended = differences.filter((one) => one.contract === contract).length;
  const counts = [embedded, memory, real].map((side) => countOf(side.get(contract)));
  return `| ${[contract, ...counts, mended === 0 ? 'none' : `${mended}, mended`].join(' | ')} |`;
});
const totals = [embedded, memory, real].map((side) =>
  countOf(new Map([...side].flatMap(([of, ran]) => prefixed(of, ran)))),
);
const found = differences.map((one) => `| ${[one.contract, one.real, one.embedded].join(' | ')} |`);

process.stdout.write(
  [
    `| contract | ${sides.join(' | ')} | differences found |`,
    '|---|---|---|---|---|',
    ...rows,
    `| all | ${totals.join(' | ')} | ${differences.length}, mended |`,
    '',
    '| contract | a real API server | the embedded seed, before |',
    '|---|---|---|',
    ...found,
    '',
    'What differs still:',
    ...toleratedDifferences.map((one) => `- ${one}`),
    '',
  ].join('\n'),
);

const wrong = [
  ...contracts.flatMap((contract) => unlike(contract, embedded.get(contract), real.get(contract))),
  ...[...memory].flatMap(([contract, outcome]) => failedIn(contract, outcome)),
  ...(memory.size === 0 ? ['no contract was run in memory'] : []),
  ...differences.flatMap(({ contract, test }) =>
    isAmong(real.get(contract), test) ? [] : [`${contract}: no test is called “${test}”`],
  ),
];
for (const line of wrong) process.stderr.write(`${line}\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;

function realFiles(): readonly string[] {
  const files = [
    'embedded-rules',
    'machine-lifecycle',
    'node-lifecycle',
    'restored-seed-contracts',
    'seed-contracts',
    'shoot-api',
    'shoot-paths',
  ];
  return files.map((of) => `packages/lab/test/apiserver/${of}.test.ts`);
}

/** Runs tests, and answers where vitest's report of them is. */
async function reportOf(name: string, what: readonly string[]): Promise<string> {
  const file = join(directory, `${name}.json`);
  const child = spawn(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${file}`, ...what], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise((resolve) => child.once('exit', resolve));
  return file;
}

/** By contract: suites are called `contract, embedded`, `contract, memory`, `contract, real`. Others are nobody's contract. */
function outcomesIn(files: readonly string[], side: (typeof sides)[number]): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Map<string, boolean>>();
  for (const { ancestorTitles, title, status } of files.flatMap(testsIn)) {
    const [suite = '', ...within] = ancestorTitles;
    if (!suite.endsWith(`, ${side}`)) continue;
    const contract = suite.slice(0, -`, ${side}`.length);
    const outcome = outcomes.get(contract) ?? new Map<string, boolean>();
    outcomes.set(contract, outcome);
    outcome.set([...within, title].join(': '), status === 'passed');
  }
  return outcomes;
}

function testsIn(file: string): readonly Ran[] {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
    testResults: readonly Readonly<{ assertionResults: readonly Ran[] }>[];
  };
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}

function countOf(outcome: Outcome = new Map()): string {
  const passed = [...outcome.values()].filter((is) => is).length;
  return passed === outcome.size ? String(passed) : `${passed} of ${outcome.size}`;
}

/** A test that is run for several kinds is called after each. */
function isAmong(outcome: Outcome = new Map(), test: string): boolean {
  return [...outcome.keys()].some((name) => name === test || name.endsWith(`: ${test}`));
}

function prefixed(contract: string, outcome: Outcome): readonly (readonly [string, boolean])[] {
  return [...outcome].map(([name, passed]) => [`${contract}: ${name}`, passed] as const);
}

function failedIn(contract: string, outcome: Outcome): readonly string[] {
  return [...outcome].flatMap(([name, passed]) => (passed ? [] : [`${contract}: ${name}: failed in memory`]));
}

function unlike(contract: string, one: Outcome = new Map(), other: Outcome = new Map()): readonly string[] {
  const names = [...new Set([...one.keys(), ...other.keys()])];
  return names.flatMap((name) =>
    one.get(name) === true && other.get(name) === true
      ? []
      : [
          `${contract}: ${name}: ${String(one.get(name) ?? 'not run')} embedded, ${String(other.get(name) ?? 'not run')} real`,
        ],
  );
}
