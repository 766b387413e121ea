import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runReplay } from '../../commands/replay.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';
import { journalDriver, replay } from '@dwd/testing/journal-driver.ts';
import { meltdown, apiserver, recovery } from '@dwd/testing/recorded-nights.ts';

const outage = await meltdown();
const weeded = await recovery();
const shoot = outage[0]!.subject;
const decided = outage.find(({ notes }) => notes.some(({ kind }) => kind === 'decided'))!;
const opened = weeded.find(({ notes }) => notes.some(({ kind }) => kind === 'windowOpened'))!;
const iso = (at: number) => new Date(at).toISOString();

async function recorded(turns: readonly Turn[]): Promise<string> {
  const { journal, files } = journalDriver();
  for (const turn of turns) journal.observe(turn);
  await journal.close();
  return files()[0]!;
}

const explainOf = async (name: string, turns: readonly Turn[] = outage) =>
  replay(['--explain', name, await recorded(turns)]);

test('9.6 9.7 the turn of a decision is told by its guards, with what they saw and their rules', async () => {
  const { code, lines, err } = await explainOf(`${shoot}@${iso(decided.at)}#${decided.seq}`);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(lines.filter((line) => /^ {4}(YES|no ) /.test(line))).toEqual([
    '    no   Does it answer the probe that is under way, and must nodes and Machines be asked for?',
    '    YES  Does it answer the probe that is under way? → probe.resting',
    '    YES  Is the shoot cut off? → shield.leaseFailed',
    '    YES  Was it cut off often enough in a row? → shield.scalingDown',
    '    no   Is every dependant where it is to be?',
  ]);
  expect(lines.filter((line) => line.includes('because: '))).toEqual([
    '    because: Is the shoot cut off? Yes.',
    '    because: Was it cut off often enough in a row? Yes.',
  ]);
  const text = lines.join('\n');
  expect(text).toContain(`${iso(decided.at)}  ${shoot}  probe `);
  expect(text).toMatch(
    new RegExp(`probing → scalingDown; event ${decided.seq}, .+, line ${decided.seq + 1}; a replay comes to the same`),
  );
  expect(text).toContain('; 5.1 When a lease is expired; 5.3 The verdicts');
  expect(text).toMatch(/- leases: \d of 5 expired \(\d+ %\)\n +- needed: 60 %, which is 3 of 5\n +- silent longest: /);
  expect(text).toMatch(/- threshold: 30.0 s without renewal, 75 % of the grace of 40.0 s/);
  expect(text).toContain(
    '\nCommands:\n    ask for an early probe in 5.0 s\n    scale machine-controller-manager from 2 to 0 (mark, record 2), urgently (request ',
  );
  expect(text).toContain('\n    streak.of: connected → cutOff\n');
});

test('9.7 the turn of a service is told in the same way', async () => {
  const { code, out } = await explainOf(`${apiserver}@${iso(opened.at)}#${opened.seq}`, weeded);
  expect(code).toBe(0);
  expect(out).toContain(
    '    YES  Is the service available? → recovering\n         isAvailable in down; rule 7.1 When a service is available',
  );
  expect(out).toMatch(/- ready: \d of \d endpoints\n +- ready before: 0 of 0 endpoints/);
  expect(out).toMatch(/What was judged:\n[^]*window ends: .+, in 5m00s/);
});

describe('9.7 a time means all of its last digit, and the last event in it', () => {
  const at = Date.parse('2026-11-21T20:07:57.153Z');
  const turnsAt = (offsets: readonly number[]) =>
    outage.slice(0, offsets.length).map((turn, index) => ({ ...turn, at: at + offsets[index]! }));

  test.each([
    ['2026-11-21T20:07:57.153Z', 1],
    ['2026-11-21T20:07:57.154Z', 2],
    ['2026-11-21T20:07:57.1Z', 2],
    ['2026-11-21T20:07:57.2Z', 3],
    ['2026-11-21T20:07:57Z', 4],
    ['2026-11-21T20:07Z', 5],
    ['2026-11-21T21:07:57.153+01:00', 1],
    ['2026-11-21T20:07:57Z#2', 2],
    ['2026-11-22T00:00:00Z', 5],
  ])('%s is event %i', async (time, seq) => {
    const { out } = await explainOf(`${shoot}@${time}`, turnsAt([0.4, 1.5, 99, 500, 1_500]));
    expect(out).toContain(`; event ${seq}, `);
  });

  const day = 86_400_000;

  test.each([
    ['20:07:57.153Z', [0, 2, 99], 1],
    ['20:07:57', [0, 2, 99], 3],
    ['20:07Z', [0, 2_000, 3_000], 2],
    ['20:07:57#1', [0, 2, 99], 1],
    // Of many days, the one on which something happened right then.
    ['20:07:57Z', [0, day + 5_000, 2 * day + 5_000], 1],
    ['20:07:57Z', [-day - 5_000, 0, day + 5_000], 2],
    // Of many, the one that the record went on over.
    ['20:07:57Z', [-5_000, 5_000], 1],
  ])('the time of day %s among %j is event %i', async (time, offsets, seq) => {
    const { out } = await explainOf(`${shoot}@${time}`, turnsAt(offsets));
    expect(out).toContain(`; event ${seq}, `);
  });

  test.each([
    [
      '20:07:57Z',
      [0, day],
      `20:07:57Z was on 2 days of NAME; write --explain NAME@2026-11-21T20:07:57Z or NAME@2026-11-22T20:07:57Z`,
    ],
    [
      '20:07:57',
      [-5_000, 5_000, day + 5_000],
      `20:07:57 was on 2 days of NAME; write --explain NAME@2026-11-21T20:07:57Z or NAME@2026-11-22T20:07:57Z`,
    ],
    [
      '20:08',
      [0, 2_000],
      `nothing was recorded at 20:08: what is recorded of NAME goes from 2026-11-21T20:07:57.153Z to 2026-11-21T20:07:59.153Z`,
    ],
    [
      '20:07:57#7',
      [0, 2_000],
      `no event 7 was recorded at 20:07:57: what is recorded of NAME goes from 2026-11-21T20:07:57.153Z to 2026-11-21T20:07:59.153Z`,
    ],
  ])('the time of day %s among %j is not clear: %s', async (time, offsets, says) => {
    const { code, err } = await explainOf(`${shoot}@${time}`, turnsAt(offsets));
    expect(code).toBe(1);
    expect(err.trim()).toBe(`dependency-watchdog replay: ${says.replaceAll('NAME', shoot)}`);
  });

  test('and a length is counted back from now', async () => {
    const lines: string[] = [];
    const io = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line), env: {} };
    const file = await recorded(turnsAt([0, 60_000, 120_000]));
    expect(await runReplay(['--explain', `${shoot}@1m30s`, file], io, undefined, at + 160_000)).toBe(0);
    expect(lines.join('\n')).toContain('; event 2, ');
  });
});

const must =
  'must be SHOOT@TIME or NAMESPACE/SERVICE@TIME, such as shoot--dev--one@2026-11-21T20:07:00Z, @20:07:00Z, or @5m for five minutes ago';

test.each<readonly [readonly string[], string]>([
  [['--explain', shoot], `--explain ${must}; found "${shoot}": the time is missing`],
  [
    ['--explain', '@5m'],
    `--explain ${must}; found "@5m": before @ stands the namespace of a shoot, or NAMESPACE/SERVICE`,
  ],
  [
    ['--explain', 'a/b/c@5m'],
    `--explain ${must}; found "a/b/c@5m": before @ stands the namespace of a shoot, or NAMESPACE/SERVICE`,
  ],
  [
    ['--explain', 'a@noon'],
    `--explain ${must}; found "a@noon": behind @ stands an instant, a time of day or a length of time`,
  ],
  [
    ['--explain', 'a@2026-11-21T20:07:00'],
    `--explain ${must}; found "a@2026-11-21T20:07:00": the time zone is missing; Z is UTC, as replay shows it`,
  ],
  [['--explain', 'a@5m', '--shoot', 'a'], '--explain shows one event, so leave out --shoot'],
  [['--since', '1h', '--explain', 'a@5m'], '--explain shows one event, so leave out --since'],
  [['--all', '--explain', 'a@5m'], '--explain shows one event, so leave out --all'],
  [['--outages', '--explain', 'a@5m'], '--explain shows one event, so leave out --outages'],
])('1.2 9.7 %j is refused before anything is read', async (args, says) => {
  const { code, out, err } = await replay([...args, 'FILE']);
  expect(err.split('\n')[0]).toBe(`dependency-watchdog replay: ${says}`);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});

const first = outage[0]!;
const last = outage.at(-1)!;

test.each([
  [`${shoot}x@${iso(last.at)}`, `no event of ${shoot}x is recorded there; did you mean ${shoot}?`],
  [
    `${shoot}@${iso(first.at - 10)}`,
    `no event of ${shoot} is recorded at or before ${iso(first.at - 10)}; its first one is at ${iso(first.at)}`,
  ],
  [
    `${shoot}/etcd@${iso(last.at)}`,
    `no event of ${shoot}/etcd is recorded there, but of ${shoot}; write --explain ${shoot}@${iso(last.at)}`,
  ],
  [
    `${shoot}@${iso(last.at)}#99999`,
    `no event 99999 of ${shoot} is recorded at or before ${iso(last.at)}; the last one then is event ${last.seq}, at ${iso(last.at)}`,
  ],
])('9.7 %s, which is not there, ends it with 1 and one sentence', async (name, says) => {
  const { code, out, err } = await explainOf(name);
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: `dependency-watchdog replay: ${says}` });
});

test('9.7 --json tells the same on one line', async () => {
  const file = await recorded(outage);
  const { code, lines } = await replay(['--json', '--explain', `${shoot}@${iso(decided.at)}#${decided.seq}`, file]);
  expect({ code, lines: lines.length }).toEqual({ code: 0, lines: 1 });
  const told = JSON.parse(lines[0]!);
  expect(told).toMatchObject({
    kind: 'shoot',
    time: iso(decided.at),
    place: `${file}, line ${decided.seq + 1}`,
    turn: { seq: decided.seq, to: 'scalingDown' },
    replayed: { outcome: 'same' },
    explained: {
      after: { value: { shield: 'scalingDown' } },
      taken: [{ state: 'probe.asking' }, { state: 'shield.probing', index: 0 }, { state: 'shield.leaseFailed' }],
    },
  });
  expect(told.explained.guards.map(({ guard, answer }: { guard: string; answer: boolean }) => [guard, answer])).toEqual(
    [
      ['isCurrentAndMustLook', false],
      ['isCurrent', true],
      ['isCutOff', true],
      ['failureThresholdMet', true],
      ['isFlowFinished', false],
    ],
  );
});

test('9.6 9.7 a turn that comes out otherwise is explained all the same, and ends it with 1', async () => {
  const file = await recorded(outage);
  const name = `${shoot}@${iso(decided.at)}#${decided.seq}`;
  writeFileSync(file, readFileSync(file, 'utf8').replace('"to":"scalingDown"', '"to":"leaseFailed"'));
  const { code, out } = await replay(['--explain', name, file]);
  expect(code).toBe(1);
  expect(out).toContain('a replay comes to something else: without --explain, replay shows what');
  expect(out).toContain('YES  Is the shoot cut off? → shield.leaseFailed');
});
