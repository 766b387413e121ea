import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import {
  changeLine,
  journalDriver,
  linesOf,
  recordedFile,
  recordedFiles,
  replay,
} from '@dwd/testing/journal-driver.ts';
import { meltdown, ofShoots } from '@dwd/testing/recorded-nights.ts';

const story = await meltdown();

const scaling = story.findIndex(({ to, from }) => to === 'scalingDown' && from !== to);
// The header takes the first line.
const lineOf = (index: number) => index + 2;

test('9.6 L3 the first turn that comes out differently is reported with both versions, and ends it with 1', async () => {
  for (const [what, change, where] of [
    ['another state', (text: string) => text.replace('"to":"scalingDown"', '"to":"leaseFailed"'), '"leaseFailed"'],
    [
      'another commands, at [1].params.change.replicas',
      (text: string) => text.replace('"replicas":0', '"replicas":5'),
      5,
    ],
    [
      'another notes, at [0].expired',
      (text: string) => text.replace(/"expired":3(?=,"candidates":\d,"looked")/, '"expired":2'),
      2,
    ],
  ] as const) {
    const file = await recordedFile(story);
    changeLine(file, lineOf(scaling), change);
    const { code, out } = await replay([file]);
    expect(out).toContain(`DIFFERENT: event ${scaling + 1} of shoot--sim--one (${file}, line ${lineOf(scaling)})`);
    expect(out).toContain(what);
    expect(out).toContain(`recorded: ${where}`);
    expect(out.match(/DIFFERENT/g)).toHaveLength(1);
    expect(out).toContain(`first in event ${scaling + 1} of shoot--sim--one`);
    expect(code).toBe(1);
  }
});

test('9.6 L3 one shoot that comes out differently does not hide the others', async () => {
  const file = await recordedFile(ofShoots(story, 3));
  const line =
    readFileSync(file, 'utf8')
      .split('\n')
      .findIndex((text) => /"subject":"shoot--1".*"to":"scalingDown"/.test(text)) + 1;
  changeLine(file, line, (text) => text.replace('"to":"scalingDown"', '"to":"idle"'));
  const { code, out } = await replay([file]);
  expect(out).toContain('1 shoot came out differently');
  expect(out.match(/scaledDown → scalingUp/g)).toHaveLength(3);
  expect(code).toBe(1);
  expect((await replay(['--shoot=shoot--2', file])).code).toBe(0);
});

test('9.6 L3 a snapshot at a file’s beginning that is not the one arrived at is a difference', async () => {
  const files = await recordedFiles(story, { fileBytes: 15_000 });
  expect(files.length).toBeGreaterThan(2);
  changeLine(files[1]!, 2, (text) => text.replace('"failuresInRow":', '"failuresInRow":1'));
  const { code, out } = await replay(files);
  expect(out).toContain('another snapshot before, at context.probe.failuresInRow');
  expect(code).toBe(1);
  // Without the file before it, nothing contradicts that snapshot.
  expect((await replay(files.slice(1, 2))).code).toBe(0);
});

test('9.6 a file that is missing between two leaves a gap, and no difference', async () => {
  const files = await recordedFiles(story, { fileBytes: 15_000 });
  const { code, out } = await replay([files[0]!, ...files.slice(2)]);
  expect({ code, out }).toMatchObject({ code: 0 });
});

test('9.6 a journal without its beginning says what it could not take again', async () => {
  const file = await recordedFile(story);
  const lines = linesOf(file);
  const { code, out } = await replay(['-'], [`${lines.slice(20).join('\n')}\n`]);
  expect(out).toContain('could not be replayed: the journal does not tell where they began');
  expect(code).toBe(0);
});

test('9.6 a file that is given twice is refused, not taken for a difference', async () => {
  const file = await recordedFile(story);
  expect((await replay([file, file])).code).toBe(0);
  const twice = await replay([file, '-'], [readFileSync(file)]);
  expect(twice.err).toContain('give each file once');
  expect(twice.code).toBe(1);
});

test('9.6 two runs of the process follow each other', async () => {
  const first = await recordedFile(story);
  const second = await recordedFile(story);
  const text = readFileSync(second, 'utf8').replace(/"run":"\d+-7"/, '"run":"1790000001000-8"');
  writeFileSync(second, text);
  const { code, out } = await replay([first, second]);
  expect({ code, out }).toMatchObject({ code: 0 });
  expect(out.match(/journal opened/g)).toHaveLength(2);
  expect(out).toContain(`${2 * story.length} events of 1 shoot, ${2 * story.length - 2} of them replayed`);
  expect(out).toContain('2 events only say that a machine ended: nothing to replay');
});

test('9.6 a run whose beginning is missing does not go on from where the run before it ended', async () => {
  const first = await recordedFile(story.slice(0, 40));
  const [header, ...lines] = readFileSync(await recordedFile(story), 'utf8').split('\n');
  const second = [header, ...lines.slice(40)].join('\n').replace(/"run":"\d+-7"/, '"run":"1790000001000-8"');
  const { code, out } = await replay([first, '-'], [second]);
  // The last turn comes from the runtime, and no machine takes it.
  expect(out).toContain(`${story.length - 41} events could not be replayed`);
  expect(code).toBe(0);
});

test('9.6 events without news are counted, and shown with --all', async () => {
  const file = await recordedFile(story);
  const folded = await replay([file]);
  const all = await replay(['--all', file]);
  expect(folded.out).toMatch(/… \d+ events of shoot--sim--one without news since 1970-/);
  expect(all.out).not.toContain('without news');
  const shown = all.lines.filter((line) => /^\d{4}-/.test(line));
  expect(shown).toHaveLength(story.length);
  const hidden = [...folded.out.matchAll(/… (\d+) events? of \S+ without news/g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
  expect(folded.lines.filter((line) => /^\d{4}-/.test(line))).toHaveLength(story.length - hidden);
});

test('9.6 a failing probe is shown once, and its end', async () => {
  const { out } = await replay([await recordedFile(story)]);
  expect(out.match(/probe \d+ failed: version, unreachable: the shoot is down/g)).toHaveLength(1);
  expect(story.filter(({ event }) => event.type === 'probe.failed').length).toBeGreaterThan(2);
});

test('9.6 --shoot shows one shoot', async () => {
  const file = await recordedFile(ofShoots(story, 3));
  const { out, code } = await replay(['--shoot', 'shoot--1', file]);
  expect(out).toContain(`${story.length} events of 1 shoot`);
  expect(out).not.toContain('shoot--2');
  expect(code).toBe(0);
});

test('9.6 --json gives a line for each turn and one for the summary', async () => {
  const { lines, code } = await replay(['--json', await recordedFile(story)]);
  const values = lines.map((line) => JSON.parse(line));
  expect(values).toHaveLength(story.length + 2);
  expect(values[scaling + 1]).toMatchObject({
    shoot: 'shoot--sim--one',
    to: 'scalingDown',
    eventful: true,
    replayed: { outcome: 'same' },
  });
  expect(values.at(-1)).toMatchObject({ summary: { turns: story.length, checked: story.length - 1, differences: [] } });
  expect(code).toBe(0);
});

test('9.6 a bug is shown with the event that met it', async () => {
  const last = story[20]!;
  const during = { type: 'woken', at: last.at } as const;
  const ended: ShootTurn = {
    ...last,
    seq: 22,
    event: { type: 'ended', at: last.at, because: 'bug', error: 'Error: no', during },
  };
  const { out, code } = await replay([await recordedFile([...story.slice(0, 21), ended])]);
  expect(out).toContain('ended by a bug at "its wait is over": Error: no');
  expect(code).toBe(0);
});

test('1.2 9.6 a command line that names no file, or an unknown flag, ends with 2', async () => {
  expect(await replay([])).toMatchObject({ code: 2, err: expect.stringContaining('FILE… is missing') });
  expect(await replay(['--shot=x', 'a'])).toMatchObject({ code: 2, err: expect.stringContaining('--shoot') });
  expect(await replay(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('replay [flags] FILE…') });
});

test('9.6 a file that is not there is reported, and ends it with 1', async () => {
  expect(await replay(['no-such-file'])).toMatchObject({
    code: 1,
    out: '',
    err: 'dependency-watchdog replay: no-such-file cannot be read: no such file',
  });
  const { dir } = journalDriver();
  expect(await replay([dir])).toMatchObject({ code: 1, err: expect.stringContaining('no journal file') });
});
