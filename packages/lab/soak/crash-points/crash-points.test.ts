import { expect, test } from 'vitest';
import { laws } from '../laws.ts';
import { flows } from './flows.ts';
import { judge, tryFlow } from './trial.ts';
import { play, quietOf, type Mode } from './play.ts';
import { readCrashPointsOptions } from './options.ts';
import { Tally } from './tally.ts';

const names = flows.map(({ name }) => name);
const small = 'two levels of Deployments, no election';

/** So many points of each flow and mode; `npm run soak -- crash-points` strikes them all. */
const fewPoints = 3;

async function wrongsOf(flow: string, mode: Mode, points: readonly number[]): Promise<readonly string[]> {
  const wrongs: string[] = [];
  for await (const { blows, wrongs: found } of play({ flow, mode, points }))
    wrongs.push(...found.map((wrong) => `${blows.map(({ point }) => point.words).join(', ')}: ${wrong}`));
  return wrongs;
}

test.each(names)('a crash at some points changes nothing: %s', async (name) => {
  const count = (await quietOf(name)).trial.points.length;
  const some = Array.from({ length: fewPoints }, (_, index) => Math.floor(((index + 0.5) * count) / fewPoints));
  expect(await wrongsOf(name, 'crash', some)).toEqual([]);
});

test.each(names.filter((name) => name.includes('standby')))('nor does a pause of a minute: %s', async (name) => {
  const count = (await quietOf(name)).trial.points.length;
  expect(await wrongsOf(name, 'pause', [Math.floor(count / 2)])).toEqual([]);
});

test('a crash at any point of the writes changes nothing, down and up', async () => {
  const { points } = (await quietOf(small)).trial;
  const writes = points.flatMap(({ words }, index) => (words.includes(' PATCH ') ? [index] : []));
  // Two Deployments of two replicas: one write down, two up (6.5), and four points of each.
  expect(writes).toHaveLength((1 + 2) * 2 * 4);
  expect(await wrongsOf(small, 'crash', writes)).toEqual([]);
});

test.each([small, 'two levels by two paths, no election'])(
  'the quiet life writes each dependant once down and twice up, and the window ends when all is as before: %s',
  async (name) => {
    const { trial, deadline } = await quietOf(name);
    // Two replicas are recorded. On the way up a second write takes mark and record away, once the answer to the first has shown the replicas (6.5).
    expect(trial.writes.map(({ words }) => words.split('/').at(-1))).toEqual([
      'machine-controller-manager',
      'kube-controller-manager',
      'kube-controller-manager',
      'kube-controller-manager',
      'machine-controller-manager',
      'machine-controller-manager',
    ]);
    expect(trial.ends.at(-1)).toBe('kube-controller-manager 2/2 []; machine-controller-manager 2/2 []');
    expect(trial.points.at(-1)?.at).toBeGreaterThan(trial.writes.at(-1)?.at ?? Infinity);
    expect(trial.safeAt).toBeLessThan(deadline ?? 0);
  },
);

test('a pause before a request delays the request by the pause, and does not lose it', async () => {
  const flow = flows.find(({ name }) => name === small)!;
  const { points } = (await quietOf(small)).trial;
  const point = points.find(({ words }) => words.includes('before PATCH'))!;
  const length = 5_000;
  const trial = await tryFlow(flow, laws, [{ point, blow: { kind: 'pause', length } }]);
  const sent = trial.points.find(({ words, index }) => index > point.index && words.includes('sent PATCH'));
  expect(sent?.at).toBe(point.at + length);
});

test('what is sent before a pause is carried out during it', async () => {
  const flow = flows.find(({ name }) => name === small)!;
  const { points, writes } = (await quietOf(small)).trial;
  const point = points.find(({ words }) => words.includes('sent PATCH'))!;
  const trial = await tryFlow(flow, laws, [{ point, blow: { kind: 'pause', length: 5_000 } }]);
  expect(trial.writes[0]).toEqual(writes[0]);
});

test('the judge sees a blow that did not strike, another end, a late write, a broken law, a bug, and a marked node', async () => {
  const quiet = await quietOf(small);
  const [point] = quiet.trial.points;
  const blows = [{ point: point!, blow: { kind: 'crash' } as const }];
  const struck = { ...quiet.trial, struck: [point!] };
  const wrongsIn = (trial: typeof quiet.trial): readonly string[] =>
    judge(quiet, blows, trial, { elects: false, opens: false }).wrongs;
  expect(wrongsIn(struck)).toEqual([]);
  expect(wrongsIn(quiet.trial)).toEqual([expect.stringContaining('did not strike')]);
  expect(wrongsIn({ ...struck, struck: [quiet.trial.points[1]!] })).toEqual([expect.stringContaining('not at')]);
  expect(wrongsIn({ ...struck, ends: ['nothing'] })).toHaveLength(3);
  expect(wrongsIn({ ...struck, writes: [{ at: Infinity, words: 'a write' }] })).toEqual([
    'after all was over: a write',
  ]);
  expect(wrongsIn({ ...struck, broken: { law: 'S9', why: 'because', at: 0 } })).toEqual(['S9: because']);
  expect(wrongsIn({ ...struck, bugs: ['oh'] })).toEqual(['a bug: oh']);
  expect(wrongsIn({ ...struck, marks: [0] })).toEqual(['a node was marked']);
});

test('where a standby must wait for the Lease just before the way down, a marked node is told, and no wrong', async () => {
  const name = 'two levels of Deployments, a leader with a standby';
  const quiet = await quietOf(name);
  const point = quiet.trial.points.find(({ words }) => words.includes('before PATCH'))!;
  const trial = { ...quiet.trial, struck: [point], marks: [0] };
  const blows = [{ point, blow: { kind: 'crash' } as const }];
  expect(judge(quiet, blows, trial, { elects: true, opens: false })).toEqual({
    wrongs: [],
    judgedMarks: false,
    marked: true,
  });
});

test('a tally with nothing in it is not good, nor one with a wrong', () => {
  const tally = new Tally();
  expect(tally.isGood).toBe(false);
  const played = { blows: [], wrongs: [], judgedMarks: true, marked: false };
  const aimed = { point: { index: 1, at: 0, process: 'p', words: 'w' }, blow: { kind: 'crash' } as const };
  tally.count({ flow: 'a', mode: 'crash' }, { ...played, blows: [aimed] });
  expect(tally.isGood).toBe(true);
  expect(tally.lines().at(-1)).toBe('1 lives, 1 crashes and pauses, 0 wrong');
  tally.count({ flow: 'a', mode: 'crash' }, { ...played, wrongs: ['no'] });
  expect(tally.isGood).toBe(false);
});

test.each([
  [[], { only: '', modes: ['crash', 'pause', 'pair'], every: 1, from: 0, workers: 2 }],
  [['--modes', 'pause', '--every', '7'], { only: '', modes: ['pause'], every: 7, from: 0, workers: 2 }],
  [['--modes', 'nap'], { wrong: '--modes knows crash, pause, pair; found "nap"' }],
  [['--help'], 'help'],
])('options %j', (args, read) => {
  expect(readCrashPointsOptions(args, 2)).toEqual(read);
});
