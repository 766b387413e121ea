import { expect, test } from 'vitest';
import { whatIfReport } from '../../commands/replay/what-if-report.ts';
import { jsonReport } from '../../commands/replay/json-report.ts';
import { recordedFile, replay } from '@dwd/testing/journal-driver.ts';
import { meltdown, ofShoots } from '@dwd/testing/recorded-nights.ts';

const story = await meltdown();
const three = ofShoots(story, 3);

test('9.12 replay --what-if puts each outage beside what it would have been, and sums up', async () => {
  const file = await recordedFile(three);
  const { out, code } = await replay(['--what-if', 'nodeLeaseFailureFraction=0.7', file]);
  expect(code).toBe(0);
  expect(out).toMatch(/^SHOOT +CUT OFF +AS RECORDED +WHAT IF$/m);
  expect(
    out.match(/^shoot--\d {2}\S+Z {2}scaled down \S+, 6\.2 s in time {2}scaled down 1\.7 s later, 4\.5 s before/gm),
  ).toHaveLength(3);
  expect(out).toContain('nodeLeaseFailureFraction=0.7: 3 later; none too late.');
  expect(out).toContain('Every event that was replayed came out as recorded.');
  expect(out).not.toContain('probe 1 answered');
});

test('9.12 several values count together, and of one key the last; --shoot asks for one', async () => {
  const file = await recordedFile(three);
  const args = ['--what-if', 'failureThreshold=2', '--what-if=failureThreshold=3', '--what-if', 'probeInterval=10s'];
  const { out } = await replay([...args, '--shoot=shoot--1', file]);
  expect(out).toContain('failureThreshold=3 probeInterval=10s: 1 later; 1 too late.');
  expect(out).not.toContain('shoot--2');
});

test('9.12 --since and --until choose outages, of a record that is played whole', async () => {
  const file = await recordedFile(three);
  const { out } = await replay(['--what-if=nodeLeaseFailureFraction=0.7', '--since=1970-01-01T00:24:00Z', file]);
  expect(out).toContain('nothing was scaled down, and nothing would have been.');
});

test('9.12 the same for programs', async () => {
  const file = await recordedFile(three);
  const { lines } = await replay(['--what-if', 'nodeLeaseFailureFraction=0.7', '--json', file]);
  const told = lines.map((line) => JSON.parse(line) as Record<string, Record<string, unknown>>);
  const rows = told.flatMap(({ whatIf }) => whatIf ?? []);
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatchObject({
    shoot: 'shoot--0',
    fate: 'later',
    tooLate: false,
    laterByMs: 1_700,
    did: { decidedAt: expect.any(String) },
    would: { decidedAt: expect.any(String) },
  });
  expect(told.flatMap(({ whatIfNight }) => whatIfNight ?? [])).toMatchObject([
    { changed: ['nodeLeaseFailureFraction=0.7'], later: 3, fewer: 0, tooLate: 0, shoots: 3, notPlayed: [] },
  ]);
  expect(told.at(-1)).toHaveProperty('summary');
});

test.each([
  [
    'nodeLeaseFailureFraktion=0.7',
    /KEY one of nodeLeaseFailureFraction, kcmNodeMonitorGraceDuration, .*did you mean nodeLeaseFailureFraction\?/,
  ],
  ['nodeLeaseFailureFraction', /write nodeLeaseFailureFraction=VALUE/],
  ['nodeLeaseFailureFraction=7', /nodeLeaseFailureFraction: "7" cannot be used\. Write a number above 0, at most 1/],
  ['probeInterval=', /the value is missing/],
  ['kcmNodeMonitorGraceDuration=soon', /Write a length above 0/],
  ['=3', /must be KEY=VALUE/],
])('9.12 --what-if %s is refused, with what to write', async (written, expected) => {
  const file = await recordedFile(story);
  const { code, err } = await replay(['--what-if', written, file]);
  expect(code).toBe(2);
  expect(err).toMatch(expected);
});

test.each(['--outages', '--all'])('9.12 --what-if is no %s', async (flag) => {
  const file = await recordedFile(story);
  const { code, err } = await replay(['--what-if=probeInterval=10s', flag, file]);
  expect([code, err]).toEqual([2, expect.stringContaining(`so leave out ${flag}`)]);
});

test('9.12 the work has a limit, what is left out is named, and whoever waits hears how far it is', () => {
  const said: string[] = [];
  let now = 0;
  const report = whatIfReport(
    jsonReport(),
    { changes: { probeInterval: 10_000 }, written: ['probeInterval=10s'] },
    { json: true, say: (sentence) => said.push(sentence), now: () => (now += 2_500), mostSteps: 100 },
  );
  for (const { before: _, after: __, from: ___, ...turn } of three) report.taken?.(turn, 'a-run');
  const lines = report.end(emptySummary());
  const night = lines.map((line) => JSON.parse(line) as Record<string, unknown>).find((one) => 'whatIfNight' in one);
  expect(night?.['whatIfNight']).toMatchObject({
    notPlayed: ['shoot--1', 'shoot--2'],
    notSaid: [{ because: expect.stringContaining('too many steps'), shoots: ['shoot--0'] }],
  });
  expect(said).toEqual(['1 of 3 shoots played']);
});

function emptySummary(): Parameters<ReturnType<typeof jsonReport>['end']>[0] {
  return {
    turns: 1,
    subjects: { shoot: 3, weeder: 0 },
    checked: 1,
    ended: 0,
    withoutBeginning: 0,
    damaged: 0,
    differences: [],
    episodes: [],
    episodesLeftOut: 0,
    leads: [],
    noJournals: [],
    read: { turns: 1, firstAt: 0, lastAt: 0, namespaces: new Set() },
    finalStates: new Map(),
  };
}
