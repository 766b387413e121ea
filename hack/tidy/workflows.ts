import { parse } from 'yaml';

/** A workflow of GitHub, as far as we ask. */
export type Workflow = Readonly<{ name: string; text: string; jobs: ReadonlyMap<string, Job> }>;
type Job = Readonly<{ permissions?: unknown; uses?: string; 'timeout-minutes'?: number; steps?: readonly Step[] }>;
type Step = Readonly<{ uses?: string; run?: string; with?: Readonly<Record<string, string | number | boolean>> }>;

/** Throws where the text is no workflow: a check that skipped such a file would pass on nothing. */
export function readWorkflow(name: string, text: string): Workflow {
  const { jobs } = parse(text) as Readonly<{ jobs?: Readonly<Record<string, Job>> }>;
  if (jobs === undefined || Object.keys(jobs).length === 0) throw new Error(`${name} has no jobs`);
  return { name, text, jobs: new Map(Object.entries(jobs)) };
}

/** What a workflow may not do, and `actionlint` does not know of. `scripts` are those of package.json. */
export function workflowFaults(workflow: Workflow, scripts: ReadonlySet<string>): readonly string[] {
  const { name, text, jobs } = workflow;
  return [
    ...(/^permissions: \{\}$/m.test(text) ? [] : [`${name} gives permissions to jobs that do not ask for any`]),
    ...[...jobs].flatMap(([job, { permissions, uses, steps = [], 'timeout-minutes': minutes }]) => [
      ...(permissions === undefined ? [`${name}: ${job} does not say what it may do`] : []),
      ...(permissions === 'write-all' || permissions === 'read-all' ? [`${name}: ${job} may do ${permissions}`] : []),
      ...(minutes === undefined && uses === undefined ? [`${name}: ${job} may run for hours`] : []),
      ...steps.flatMap((step) =>
        step.uses?.startsWith('actions/checkout@') === true && step.with?.['persist-credentials'] !== false
          ? [`${name}: ${job} leaves its token in the checkout`]
          : [],
      ),
    ]),
    ...[...text.matchAll(/^[\s-]*uses: (.*)$/gm)].flatMap(([, used = '']) => {
      const isPinned = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used) || used.startsWith('./');
      return isPinned ? [] : [`${name}: ${used} is not pinned by a commit, with its version beside it`];
    }),
    ...scriptsIn(text)
      .filter((script) => !scripts.has(script))
      .map((script) => `${name}: package.json has no script ${script}`),
    // What somebody else wrote (a branch's name, a title) would be run as a part of the script.
    ...[...jobs.values()]
      .flatMap(({ steps = [] }) => steps)
      .filter(({ run }) => run?.includes('${{ github.') === true)
      .map(
        ({ run }) =>
          `${name}: a script takes ${run?.match(/\$\{\{ github\.[^}]*\}\}/)?.[0]} other than by the environment`,
      ),
  ];
}

/** The npm scripts that a text calls. */
export function scriptsIn(text: string): readonly string[] {
  return [...text.matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:-]*)/g)].map(([, script = '']) => script);
}

/** The npm scripts that `.ci/run` calls by its tiers. */
export function tiersOf(ciRun: string): readonly string[] {
  return [...ciRun.matchAll(/^\s*(?:[A-Z_]+=\S+ )*(?:if [^;]*; then )?(?:tier|counted) \d+ ([a-z][\w:-]*)/gm)].map(
    ([, script = '']) => script,
  );
}
