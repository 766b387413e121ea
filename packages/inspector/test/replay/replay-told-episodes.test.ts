import { expect, test } from 'vitest';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';
import { recordedFiles, replay } from '@dwd/testing/journal-driver.ts';
import { meltdown, recovery } from '@dwd/testing/recorded-nights.ts';

const story: readonly Turn[] = [...(await meltdown()), ...(await recovery())].map((turn, index) => ({
  ...turn,
  seq: index + 1,
}));

const files = (turns = story) => recordedFiles(turns);

const outage =
  'cut off: 3 of 5 leases were 30 s old at 00:20:25.1; decided 0.01 s later; machine-controller-manager, cluster-autoscaler and kube-controller-manager were at 0 after 0.42 s, 6.2 s before a node could be marked; connected again at 00:21:30.1; everything was brought back 36 s later';

test('9.9 replay tells what happened by its consequence, the newest last, in place of the events', async () => {
  const { code, lines } = await replay(['--outages', ...(await files())]);
  expect(code).toBe(0);
  const heads = lines.filter((line) => /^1970-\S+Z {2}/.test(line));
  expect(heads.map((line) => line.replace(/^\S+Z {2}/, ''))).toEqual([
    'shoot--sim--one  outage, grave',
    'shoot--sim--one/kube-apiserver  recovery, notable',
    'shoot--sim--one/kube-apiserver  refusal, grave',
    'shoot--sim--one  pause, notable',
    'shoot--sim--one/kube-apiserver  recovery, notable',
  ]);
  const at = lines.findIndex((line) => line.includes('outage, grave'));
  expect(lines.slice(at, at + 5)).toEqual([
    '1970-01-01T00:20:25.100Z  shoot--sim--one  outage, grave',
    `    ${outage}`,
    '    leases: 3 of 5 expired (node-1 silent for 33.4 s, node-2 for 31.7 s, node-3 for 30.0 s)',
    '    replicas: machine-controller-manager 2 → 0 → 2, cluster-autoscaler 2 → 0 → 2, kube-controller-manager 2 → 0 → 2',
    '    cut off 00:20:25.1 → decided +0.01 s → protected +0.41 s → connected again +64.6 s → brought back +36 s',
  ]);
  expect(lines.at(-1)).toBe('Every event that was replayed came out as recorded.');
  // The summary would say it again.
  expect(lines).not.toContain('1 outage:');
});

test('9.9 --json tells the same to programs, with the turns that it leads to', async () => {
  const { lines } = await replay(['--outages', '--json', ...(await files())]);
  const values = lines.map((line) => JSON.parse(line) as Record<string, Record<string, unknown>>);
  const told = values.flatMap(({ episode }) => (episode === undefined ? [] : [episode]));
  expect(told.map(({ kind }) => kind)).toEqual(['outage', 'recovery', 'refusal', 'pause', 'recovery']);
  const decided = story.find(({ notes }) => notes.some(({ kind }) => kind === 'decided'))!;
  expect(told[0]).toMatchObject({
    sentence: outage,
    turn: { kind: 'shoot', subject: 'shoot--sim--one', seq: decided.seq, run: expect.stringMatching(/^\d+-7$/) },
    data: { decidedAfterMs: 8, marginMs: 6_184 },
  });
  expect(values.at(-1)).toHaveProperty('summary.outages');
  expect(values.filter(({ seq }) => seq !== undefined)).toEqual([]);
});

test.each<[string, readonly string[], readonly string[]]>([
  ['of one shoot', ['--shoot=shoot--sim--one'], ['outage', 'recovery', 'refusal', 'pause', 'recovery']],
  [
    'from a time on, what went on then',
    ['--since=1970-01-01T00:21:00Z'],
    ['outage', 'recovery', 'refusal', 'pause', 'recovery'],
  ],
  ['until a time', ['--until=1970-01-01T00:20:26Z'], ['outage']],
])('9.9 it tells what was asked for: %s', async (_, flags, kinds) => {
  const { lines } = await replay(['--outages', ...flags, ...(await files())]);
  const heads = lines.filter((line) => /^1970-\S+Z {2}/.test(line));
  expect(heads.map((line) => /(no answer|\w+), \w+(?:, open when the record ends)?$/.exec(line)?.[1])).toEqual(kinds);
});

test('9.9 where nothing happened, that is said', async () => {
  const calm = story.slice(0, 10);
  const { code, lines } = await replay(['--outages', ...(await files(calm))]);
  expect(code).toBe(0);
  expect(lines).toContain('Nothing happened: no outage, no recovery, no pause, nothing refused. Nothing to do.');
});
