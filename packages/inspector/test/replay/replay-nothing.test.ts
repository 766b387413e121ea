import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runReplay } from '../../commands/replay.ts';
import { journalDriver, recordedFile, replay } from '@dwd/testing/journal-driver.ts';
import { meltdown, ofShoots } from '@dwd/testing/recorded-nights.ts';

const story = await meltdown();

const recorded = () => recordedFile(ofShoots(story, 2));

const journals = 'A journal is a file of --journal-dir (dwd-….jsonl), or what the running program answers at /journal.';

test.each<readonly [string, string | Uint8Array, string]>([
  ['an empty file', '', 'FILE is empty: no event is recorded there'],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), `FILE is not a journal. ${journals}`],
  ['a configuration', 'probeInterval: 30s\n', `FILE is not a journal. ${journals}`],
  ['JSON lines of something else', '{"a":1}\n{"a":2}\n', `FILE is not a journal. ${journals}`],
  ['words without a line break', 'hello', `FILE is not a journal. ${journals}`],
  [
    'the log',
    '{"level":"info","time":"2026-11-21T20:07:57Z","msg":"the prober starts"}\n',
    `FILE is a log, not a journal. ${journals}`,
  ],
  [
    'a packed journal in which nothing happened',
    gzipSync('{"journal":1,"program":"x","version":"0","run":"1","openedAt":1,"configuration":{}}\n'),
    'no event is recorded there',
  ],
  [
    'one that is packed otherwise',
    zstdCompressSync('{"journal":1}\n'),
    'FILE is packed with zstd; unpack it first: zstdcat FILE | dependency-watchdog replay -',
  ],
  ['a journal that was just begun', '{"journal":1,"prog', 'no event is recorded there'],
  [
    'a journal in which nothing happened',
    '{"journal":1,"program":"x","version":"0","run":"1","openedAt":1,"configuration":{}}\n',
    'no event is recorded there',
  ],
])('9.6 %s ends it with 1 and one sentence', async (_, bytes, says) => {
  const { dir } = journalDriver();
  const file = join(dir, 'dwd-prober-x-0001.jsonl');
  writeFileSync(file, bytes);
  for (const args of [[file], [dir], ['--json', file]]) {
    const { code, out, err } = await replay(args);
    expect(err).toBe(`dependency-watchdog replay: ${says.replace('FILE is', `${file} is`)}`);
    expect(code).toBe(1);
    expect(out).not.toMatch(/DAMAGED|came out as recorded/);
  }
});

test('9.6 a journal of another version, alone, ends it with 1 and says why', async () => {
  const { code, out, err } = await replay(['-'], ['{"journal":99,"program":"x"}\n{"seq":1}\n']);
  expect(out).toContain('a journal of version 99; this program reads version 1');
  expect(err).toBe('dependency-watchdog replay: no event could be read there, as told above');
  expect(code).toBe(1);
});

test('9.6 an empty standard input ends it with 1 and says what may have failed', async () => {
  expect(await replay(['-'])).toMatchObject({
    code: 1,
    out: '',
    err: 'dependency-watchdog replay: the standard input is empty: nothing was recorded, or the command before failed',
  });
});

test('9.6 a file that is no journal beside one that is, is named, and the other replayed', async () => {
  const { dir } = journalDriver();
  const picture = join(dir, 'picture.png');
  writeFileSync(picture, '\x89PNG\n'.repeat(5_000));
  const { code, out, err } = await replay([picture, await recorded()]);
  expect(err).toBe(`dependency-watchdog replay: ${picture} is not a journal. ${journals}`);
  expect(out).toContain('Every event that was replayed came out as recorded.');
  expect(out).not.toContain('DAMAGED');
  expect(code).toBe(1);
});

test('9.6 a shoot of which nothing is recorded ends it with 1; one that is near is suggested, else some are named', async () => {
  const file = await recorded();
  expect(await replay(['--shoot=shoot--9', file])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/replay: no event of shoot--9 is recorded there; did you mean shoot--[01]\?$/),
  });
  expect(await replay(['--shoot=nope', file])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/: no event of nope is recorded there; it tells of 2 namespaces: shoot--0, shoot--1$/),
  });
});

const first = story[0]!.at;
const last = story.at(-1)!.at;
const text = (at: number) => new Date(at).toISOString();

test('9.6 a time in which nothing is recorded ends it with 1, and the time that is recorded is told', async () => {
  const file = await recorded();
  for (const range of [`--since=${text(last + 1)}`, `--until=${text(first - 1)}`]) {
    const { code, err, out } = await replay([range, file]);
    expect(code).toBe(1);
    expect(err).toMatch(/replay: no event is recorded (since|until) 19\S+Z; the journal tells of /);
    expect(err).toContain(`${text(first)} to ${text(last)}`);
    expect(out).not.toContain('came out as recorded');
  }
});

const cut = story.find(({ to }) => to === 'scaledDown')!.at;

test('9.6 L3 --since and --until show a part, and every event is replayed all the same', async () => {
  const file = await recorded();
  const { code, out, lines } = await replay(['--all', `--since=${text(cut)}`, `--until=${text(cut + 60_000)}`, file]);
  const shown = lines.filter((line) => /^\d{4}-/.test(line)).map((line) => Date.parse(line.split(' ')[0]!));
  expect(shown).toHaveLength(2 * story.filter(({ at }) => at >= cut && at <= cut + 60_000).length);
  expect(Math.min(...shown)).toBeGreaterThanOrEqual(cut);
  expect(Math.max(...shown)).toBeLessThanOrEqual(cut + 60_000);
  expect(out).not.toContain('could not be replayed');
  expect(out).toContain(`${shown.length} events of 2 shoots, ${shown.length} of them replayed`);
  expect(out).toContain('at the end 2 scaledDown: shoot--0, shoot--1');
  expect(out).toMatch(/^2 outages:/m);
  expect(code).toBe(0);
});

test('9.6 L3 what comes out differently before the time that is shown is told', async () => {
  const file = await recorded();
  const changed = readFileSync(file, 'utf8').replace('"to":"scalingDown"', '"to":"leaseFailed"');
  writeFileSync(file, changed);
  const { code, out } = await replay([`--since=${text(cut + 1_000)}`, file]);
  expect(out).toContain('DIFFERENT: event');
  expect(out).toContain('1 shoot came out differently');
  expect(code).toBe(1);
});

test.each([
  [
    '--since=yesterday',
    /--since must be an instant such as \S+Z, a time of day such as 20:07:00Z, or a length such as 2h, which is counted back from now; found "yesterday"/,
  ],
  ['--since=2026-11-21T20:07:00', /the time zone is missing; Z is UTC/],
  ['--since=2026-11-21', /the time zone is missing/],
  ['--until=-2h', /it is not in the past/],
  ['--since=2026-13-41T20:07:00Z', /must be an instant/],
])('1.2 9.6 %s ends with 2, and says what is expected', async (flag, says) => {
  expect(await replay([flag, 'file'])).toMatchObject({ code: 2, err: expect.stringMatching(says) });
});

test('1.2 9.6 a beginning after the end ends with 2', async () => {
  expect(await replay(['--since=1h', '--until=2h', 'file'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/--since \(20\S+Z\) must be before --until \(20\S+Z\)/),
  });
});

test('9.6 a length is counted back from now', async () => {
  const file = await recorded();
  const [out, err]: [string[], string[]] = [[], []];
  const io = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line), env: {} };
  const code = await runReplay(['--all', '--since=1m', file], io, (async function* () {})(), cut + 60_000);
  expect({ code, err }).toEqual({ code: 0, err: [] });
  expect(Date.parse(out.find((line) => /^\d{4}-/.test(line))!.split(' ')[0]!)).toBe(cut);
});
