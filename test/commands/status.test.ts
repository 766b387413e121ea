import { readFileSync } from 'node:fs';
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runStatus } from '../../src/commands/status.ts';
import { beginStatus, row, status } from '../support/ran-status.ts';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';
import { leader, leads, originalReplicas, seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';
import { mark, record } from '@dwd/testing/stage.ts';

const kcm = 'kube-controller-manager';

/** As a prober that was killed in an outage leaves it. */
function leaveDown({ dependants }: EmbeddedShoot): void {
  for (const name of dependants.names) {
    dependants.annotate(name, { [mark]: '', [record]: String(originalReplicas[name]) });
    dependants.scale(name, 0);
  }
}

/** Until as many pods are ready as are wanted. */
async function settled(stage: SeedStage): Promise<void> {
  const { dependants } = stage.shoot;
  const all = () => dependants.names.map((name) => dependants.get(name)).filter((one) => one !== undefined);
  await stage.until(() => all().every(({ desired, ready }) => desired === ready), 'the pods have followed');
}

const cases: readonly (readonly [string, (shoot: EmbeddedShoot) => void, string, number])[] = [
  ['all is up', () => undefined, 'watched  -  3  4  2', 0],
  ['all is down', leaveDown, 'scaled down  unknown  0 (3)  0 (4)  0 (2)', 0],
  [
    'some is down',
    (shoot) => {
      leaveDown(shoot);
      shoot.dependants.scale(kcm, 2);
      shoot.dependants.annotate(kcm, { [mark]: null, [record]: null });
    },
    'partly scaled down  unknown  0 (3)  0 (4)  2',
    0,
  ],
  [
    'a mark is left behind',
    ({ dependants }) => dependants.annotate(kcm, { [mark]: '' }),
    `watched  -  3  4  2 marked  Deployment ${kcm} has 2 replicas, and still carries the mark`,
    1,
  ],
  [
    'a record is left without a mark',
    ({ dependants }) => dependants.annotate(kcm, { [record]: '7' }),
    `watched  -  3  4  2  Deployment ${kcm} has a record ("7") without the mark`,
    0,
  ],
  [
    'somebody else scaled to 0',
    ({ dependants }) => dependants.scale(kcm, 0),
    `scaled down by others  -  3  4  0  Deployment ${kcm} is at 0 replicas, but not by the watchdog`,
    1,
  ],
  [
    'a record says nothing',
    (shoot) => {
      leaveDown(shoot);
      shoot.dependants.annotate(kcm, { [record]: 'two' });
    },
    `scaled down  unknown  0 (3)  0 (4)  0 (two)  Deployment ${kcm} is at 0 replicas, and nothing readable tells what it had; it will get 1`,
    1,
  ],
  ['it is hibernated', (shoot) => shoot.hibernate(), 'left alone  -  3  4  2  the shoot is hibernated', 0],
  [
    'it is hibernated, and marked',
    (shoot) => {
      shoot.hibernate();
      shoot.dependants.annotate(kcm, { [mark]: '' });
    },
    `left alone  -  3  4  2 marked  the shoot is hibernated; Deployment ${kcm} carries the mark, and nobody takes it away: the shoot is hibernated`,
    1,
  ],
  [
    'it is being made',
    (shoot) => shoot.lastOperation('Create', 'Processing'),
    "not probed yet  -  3  4  2  the shoot's last operation is Create, Processing",
    0,
  ],
  ['its Cluster cannot be read', (shoot) => shoot.makeUnreadable(), 'unreadable  -  3  4  2  spec.shoot', 1],
  [
    'a dependant is missing',
    ({ dependants }) => dependants.remove(kcm),
    `watched  -  3  4  -  Deployment ${kcm} does not exist`,
    1,
  ],
  [
    'a dependant is ignored',
    ({ dependants }) => dependants.annotate(kcm, { 'dependency-watchdog.gardener.cloud/ignore-scaling': 'true' }),
    'watched  -  3  4  2 ignored',
    0,
  ],
];

test.for(cases)('9.8 the row where %s', async ([, twist, text, code], context) => {
  const stage = await seedStage(context, { shoots: ['shoot--a--b'] });
  leads(stage);
  twist(stage.shoot);
  await settled(stage);
  const told = await status(stage);
  expect({ ...told, out: row(told.out, 'shoot--a--b') }).toEqual({
    code,
    err: '',
    out: expect.stringContaining(`shoot--a--b  ${text}`),
  });
});

test('9.8 it reads Clusters, Deployments and the Lease, never a Secret, writes nothing, and asks no more where there are more shoots', async (context) => {
  const stage = await seedStage(context, { shoots: 30, nodes: 0 });
  leads(stage);
  expect(await status(stage)).toMatchObject({ code: 0, err: '' });
  const asked = stage.asked.map(({ verb, resource }) => `${verb} ${resource}`);
  // Watches are opened as soon as a list is in; the command may be over by then.
  expect(asked.filter((one) => !one.startsWith('watch ')).toSorted()).toEqual([
    'get leases',
    // Clusters come in pages of 100, and there is one list for each dependant, and one for the marks on what is none.
    'list clusters',
    'list deployments',
    'list deployments',
    'list deployments',
    'list deployments',
  ]);
  expect(asked.every((one) => !one.includes('secrets'))).toBe(true);
});

test('9.8 the worst comes first, and the last line counts', async (context) => {
  const stage = await seedStage(context, { shoots: ['shoot--a', 'shoot--b', 'shoot--c', 'shoot--d'], nodes: 0 });
  leads(stage);
  const [, b, c, d] = stage.seed.shoots;
  leaveDown(b!);
  c!.hibernate();
  d!.dependants.annotate(kcm, { [mark]: '' });
  const { code, out } = await status(stage);
  expect(code).toBe(1);
  expect(out.match(/^shoot--\w/gm)).toEqual(['shoot--d', 'shoot--b', 'shoot--c', 'shoot--a']);
  expect(out).toMatch(/\n4 shoots: 1 scaled down, 1 left alone, 2 watched; 1 is at odds with what should be$/);
});

type Situation = Readonly<{ title: string; of: (stage: SeedStage) => void; says: string; row: string; sum: string }>;

const situations: readonly Situation[] = [
  {
    title: 'a prober holds the Lease',
    of: leads,
    says: 'The prober dwd-prober-5d9c leads: it renewed its Lease garden/dwd-prober-leader-election ',
    row: 'watched  -  3  4  2',
    sum: '1 shoot: 1 watched; none is at odds with what should be',
  },
  {
    title: 'the Lease is stale',
    of: leader(3_600_000),
    says: 'Nobody leads: the Lease garden/dwd-prober-leader-election has no holder that renewed it lately. No shoot is watched now.',
    row: 'unprotected  -  3  4  2  nobody leads',
    sum: '1 shoot: 1 unprotected; 1 is at odds with what should be, and nobody leads',
  },
  {
    title: 'the Lease is stale, and all is scaled down',
    of: (stage) => [leader(3_600_000)(stage), leaveDown(stage.shoot)],
    says: 'Nobody leads: ',
    row: 'scaled down  unknown  0 (3)  0 (4)  0 (2)',
    sum: '1 shoot: 1 scaled down; none is at odds with what should be, but nobody leads',
  },
  {
    title: 'there is no Lease, as after an uninstall',
    of: () => undefined,
    says: 'Nobody is seen to lead: there is no Lease garden/dwd-prober-leader-election. No shoot counts as watched.',
    row: 'unprotected  -  3  4  2  nobody is seen to lead',
    sum: '1 shoot: 1 unprotected; 1 is at odds with what should be, and nobody is seen to lead',
  },
  {
    title: 'the Lease may not be read',
    of: (stage) => [leads(stage), (stage.permits = ({ resource }) => resource !== 'leases')],
    says: 'Who leads is not known, so no shoot counts as watched: get leases garden/dwd-prober-leader-election',
    row: 'unprotected  -  3  4  2  who leads is not known',
    sum: '1 shoot: 1 unprotected; 1 is at odds with what should be, and who leads is not known',
  },
];

test.for(situations)('9.8 what it says where $title', async ({ of, says, row: shown, sum }, context) => {
  const stage = await seedStage(context, { shoots: ['shoot--a--b'] });
  of(stage);
  await settled(stage);
  const { code, out } = await status(stage);
  expect(out.slice(0, says.length)).toBe(says);
  expect(row(out, 'shoot--a--b')).toBe(`shoot--a--b  ${shown}`);
  expect(out.split('\n').at(-1)).toBe(sum);
  const { atOdds } = JSON.parse((await status(stage, '-o=json')).out) as Readonly<{ atOdds: boolean }>;
  expect({ code, atOdds }).toEqual(sum.includes('1 watched') ? { code: 0, atOdds: false } : { code: 1, atOdds: true });
});

test('9.8 Deployments that may not be listed are said to be so, without a request for each shoot', async (context) => {
  const stage = await seedStage(context, { shoots: 3, nodes: 0 });
  stage.permits = ({ resource }) => resource !== 'deployments';
  const { code, out } = await status(stage);
  expect(code).toBe(1);
  expect(out).toContain('could not be read: the seed does not let this user list and watch Deployments');
  expect(stage.asked.filter(({ verb }) => verb === 'get').map(({ resource }) => resource)).toEqual(['leases']);
});

test('9.8 JSON and YAML say the same, in the shape of the docs', async (context) => {
  const stage = await seedStage(context, { shoots: ['shoot--a--b'] });
  leaveDown(stage.shoot);
  await settled(stage);
  const [json, yaml] = [await status(stage, '-o=json'), await status(stage, '--output', 'yaml')];
  const told = JSON.parse(json.out) as Readonly<Record<string, unknown>>;
  expect({ ...(parse(yaml.out) as object), at: '' }).toEqual({ ...told, at: '' });
  expect(told).toMatchObject({
    status: 1,
    leader: { is: 'noLease', lease: 'garden/dwd-prober-leader-election' },
    atOdds: true,
    summary: { shoots: 1, atOdds: 0, states: { scaledDown: 1 } },
    shoots: [
      {
        shoot: 'shoot--a--b',
        state: 'scaledDown',
        atOdds: [],
        scaledDown: { since: 'unknown', by: 'unknown' },
        dependants: [{}, {}, { name: kcm, release: `scale Deployment ${kcm} from 0 to 2` }],
      },
    ],
  });
  // Each field of it is explained.
  const docs = readFileSync(new URL('../../docs/status.md', import.meta.url), 'utf8');
  const fields = (value: unknown): readonly string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...fields(inner)])
      : [];
  expect(fields(told).length).toBeGreaterThan(30);
  expect([...new Set(fields(told))].filter((field) => !docs.includes(`\`${field}\``))).toEqual([]);
});

test('9.8 wide has the names in full, and who and since when', async (context) => {
  const stage = await seedStage(context);
  const { out } = await status(stage, '-o', 'wide');
  expect(out).toMatch(
    /^SHOOT .* AT 0 SINCE +BY +machine-controller-manager +cluster-autoscaler +kube-controller-manager /m,
  );
});

test.each([
  ['--prober=a b', '--prober must be an address such as localhost:9645; found "a b"'],
  ['-o=xml', '-o must be one of table, wide, name, json, yaml'],
])('9.8 %s ends with code 2', async (flag, line) => {
  const { io, err } = heardIo();
  expect(await runStatus(['--config-file=x', flag], io)).toBe(2);
  expect(err.join('\n')).toContain(line);
});

test('9.8 a prober that does not answer is said, with code 1, and the cluster is shown all the same', async (context) => {
  const stage = await seedStage(context);
  leads(stage);
  const { code, out, err } = await status(stage, '--prober=127.0.0.1:1');
  expect({ code, err }).toEqual({
    code: 1,
    err: 'dependency-watchdog status: the prober at http://127.0.0.1:1 cannot be asked: connection refused',
  });
  expect(row(out, 'shoot--')).toContain('watched');
});

/** Waits until a line has come that says so. */
async function said(lines: readonly string[], what: RegExp): Promise<void> {
  const limit = AbortSignal.timeout(20_000);
  while (!lines.some((line) => what.test(line))) {
    if (limit.aborted) throw new Error(`not said: ${String(what)}\n${lines.join('\n')}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('9.8 --watch goes on and appends the rows that change, until it is interrupted; its code is that of the last status', async (context) => {
  const stage = await seedStage(context, { shoots: ['shoot--a--b', 'shoot--a--c'], nodes: 0 });
  const interrupted$ = new Subject<void>();
  leads(stage);
  const { out, err, run } = beginStatus(stage, ['--watch'], { interrupted$ });
  await said(out, /^2 shoots: 2 watched; none/);
  stage.shoot.dependants.annotate(kcm, { [mark]: '' });
  await said(out, /^\d{4}-\S+Z {2}2 shoots: 2 watched; 1 is at odds/);
  const rows = out.filter((line) => /^\d{4}-/.test(line));
  expect(rows[0]).toMatch(/^\S+Z {2}shoot--a--b .*still carries the mark$/);
  expect(rows.length).toBe(2);
  interrupted$.next();
  expect({ code: await run, err }).toEqual({ code: 1, err: [] });
});

test('9.8 --watch as JSON is one line for each status that differs', async (context) => {
  const stage = await seedStage(context, { nodes: 0 });
  const interrupted$ = new Subject<void>();
  leads(stage);
  const { out, run } = beginStatus(stage, ['--watch', '-o=json'], { interrupted$ });
  await said(out, /"watched":1/);
  leaveDown(stage.shoot);
  await said(out, /"scaledDown":1/);
  interrupted$.next();
  expect(await run).toBe(0);
  for (const line of out) expect(JSON.parse(line)).toMatchObject({ status: 1 });
});

test.for([80, 50, 30])(
  '9.8 in a terminal of %d columns everything is there, below what it does not fit beside',
  async (columns, context) => {
    const stage = await seedStage(context);
    leads(stage);
    stage.shoot.dependants.annotate(kcm, { [mark]: '' });
    const terminal = { colours: false, size: () => ({ columns, rows: 20 }), write: () => undefined };
    const around = { terminal: { ...terminal, onResize: () => () => undefined, onExit: () => () => undefined } };
    const narrow = beginStatus(stage, [], around);
    expect(await narrow.run).toBe(1);
    // A word alone may be longer: it is not broken.
    expect(narrow.out.filter((line) => line.length > columns && line.trim().includes(' '))).toEqual([]);
    const { out } = await status(stage);
    expect([...wordsOf(out).difference(wordsOf(narrow.out.join('\n')))]).toEqual([]);
  },
);

/** Without numbers: the Lease's age grows. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => !/^[\d.]+$/.test(word)));
}

test('9.8 --no-headers leaves the rows, and -o name the names as kubectl writes them', async (context) => {
  const stage = await seedStage(context, { shoots: 2 });
  leads(stage);
  const { out, code } = await status(stage, '--no-headers');
  expect([code, out.split('\n').map((line) => line.slice(0, 24))]).toEqual([
    0,
    ['shoot--demo--01  watched', 'shoot--demo--02  watched'],
  ]);
  expect(await status(stage, '-o', 'name')).toMatchObject({
    code: 0,
    out: 'cluster.extensions.gardener.cloud/shoot--demo--01\ncluster.extensions.gardener.cloud/shoot--demo--02',
  });
});

test('9.8 in a terminal no line is wider, and colours stand beside words; --watch paints as many rows as there is room for', async (context) => {
  const stage = await seedStage(context, { shoots: 40, nodes: 0 });
  leads(stage);
  const paints: string[] = [];
  const interrupted$ = new Subject<void>();
  const terminal = {
    colours: true,
    size: () => ({ columns: 60, rows: 20 }),
    write: (text: string) => {
      paints.push(text);
      if (paints.length > 2) interrupted$.next();
    },
    onResize: () => () => undefined,
    onExit: () => () => undefined,
  };
  const once = beginStatus(stage, [], { terminal, colours: true });
  expect(await once.run).toBe(0);
  const plain = once.out
    .join('\n')
    .replaceAll(/\p{Cc}\[\d*m/gu, '')
    .split('\n');
  expect(plain.filter((line) => line.length > 60)).toEqual([]);
  expect(once.out.join('\n')).toContain('\u001b[32mwatched');
  expect(await beginStatus(stage, ['--watch'], { terminal, colours: true, interrupted$ }).run).toBe(0);
  expect(paints.join('')).toMatch(/and 3\d more/);
  for (const paint of paints) expect(paint.split('\n').length).toBeLessThanOrEqual(20);

  paints.length = 0;
  const small = { ...terminal, size: () => ({ columns: 50, rows: 8 }) };
  await beginStatus(stage, ['--watch'], { terminal: small, interrupted$ }).run;
  for (const paint of paints) expect(paint.split('\n').length).toBeLessThanOrEqual(8);
  expect(paints.join('')).toMatch(/shoot--demo--01 [^]*and 3\d more/);
});
