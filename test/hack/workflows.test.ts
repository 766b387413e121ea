import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkflow, scriptsIn, tiersOf, workflowFaults } from '../../hack/tidy/workflows.ts';

const root = join(import.meta.dirname, '../..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const scripts = new Set(Object.keys((JSON.parse(text('package.json')) as { scripts: object }).scripts));

const faults = (workflow: string) => workflowFaults(readWorkflow('w', workflow), new Set(['test']));

describe('the workflows', () => {
  const workflows = readdirSync(join(root, '.github/workflows')).map((file) =>
    readWorkflow(file, text(`.github/workflows/${file}`)),
  );

  test('are there', () => {
    expect(workflows.map(({ name }) => name).toSorted()).toEqual(['ci.yaml', 'nightly.yaml', 'release.yaml']);
  });

  test.each(workflows)('$name may do no more than it needs, and takes no action that can be moved', (workflow) => {
    expect(workflowFaults(workflow, scripts)).toEqual([]);
  });

  test('each change is checked by all of .ci/run, and a release by all that checks a change', () => {
    const [ci, , release] = workflows.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const runs = [...(ci?.jobs.values() ?? [])].flatMap(({ steps = [] }) => steps.map(({ run }) => run));
    const tiers = tiersOf(text('.ci/run'));
    expect(tiers.length).toBeGreaterThan(12);
    expect(tiers).toEqual(
      expect.arrayContaining(['check', 'test:all', 'histories', 'soak', 'mutants', 'test:apiserver', 'test:kind']),
    );
    const missed = runs.some((run) => /(?:^|\s)\.ci\/run$/m.test(run ?? ''))
      ? []
      : tiers.filter((tier) => !runs.some((run) => scriptsIn(run ?? '').includes(tier)));
    expect(missed).toEqual([]);
    expect([...(release?.jobs.values() ?? [])].map(({ uses }) => uses)).toContain('./.github/workflows/ci.yaml');
  });

  test('each value that the image is built with is one that the Dockerfile asks for', () => {
    const known = new Set([...text('Dockerfile').matchAll(/^ARG (\w+)/gm)].map(([, name]) => name));
    const given = workflows.flatMap(({ jobs }) =>
      [...jobs.values()].flatMap(({ steps = [] }) =>
        steps.flatMap(({ with: values }) =>
          [...String(values?.['build-args'] ?? '').matchAll(/^(\w+)=/gm)].map(([, name]) => name),
        ),
      ),
    );
    expect(given.length).toBeGreaterThan(2);
    expect(given.filter((name) => !known.has(name))).toEqual([]);
  });

  test('what .ci/run calls is in package.json', () => {
    expect(tiersOf(text('.ci/run')).filter((tier) => !scripts.has(tier))).toEqual([]);
  });
});

describe('a workflow is seen wrong', () => {
  const sha = '0'.repeat(40);
  const good = `permissions: {}
jobs:
  one:
    permissions: { contents: read }
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@${sha} # v1.2.3
        with: { persist-credentials: false }
      - run: npm run test -- "$GITHUB_REF_NAME"
  two:
    permissions: { contents: read }
    uses: ./.github/workflows/ci.yaml
`;

  test('and right', () => {
    expect(faults(good)).toEqual([]);
  });

  test.each([
    ['permissions: {}\n', '', 'w gives permissions to jobs that do not ask for any'],
    ['    permissions: { contents: read }\n    timeout', '    timeout', 'w: one does not say what it may do'],
    ['permissions: { contents: read }\n    timeout', 'permissions: write-all\n    timeout', 'w: one may do write-all'],
    ['    timeout-minutes: 5\n', '', 'w: one may run for hours'],
    ['persist-credentials: false', 'fetch-depth: 0', 'w: one leaves its token in the checkout'],
    [`${sha} # v1.2.3`, 'v1', 'w: actions/checkout@v1 is not pinned by a commit, with its version beside it'],
    [`@${sha}`, '@v1.2.3', 'w: actions/checkout@v1.2.3 # v1.2.3 is not pinned by a commit, with its version beside it'],
    [
      `@${sha}`,
      '@0123abc',
      'w: actions/checkout@0123abc # v1.2.3 is not pinned by a commit, with its version beside it',
    ],
    [' # v1.2.3', '', `w: actions/checkout@${sha} is not pinned by a commit, with its version beside it`],
    ['npm run test', 'npm run tests', 'w: package.json has no script tests'],
    [
      '"$GITHUB_REF_NAME"',
      '${{ github.ref_name }}',
      'w: a script takes ${{ github.ref_name }} other than by the environment',
    ],
  ])('where %j is %j', (find, put, fault) => {
    expect(good).toContain(find);
    expect(faults(good.replace(find, put))).toEqual([fault]);
  });

  test('where it has no jobs', () => {
    expect(() => readWorkflow('w', 'name: w\n')).toThrow('w has no jobs');
  });
});
