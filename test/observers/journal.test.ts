import { openSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journalDriver, linesOf, recordedFile, recordedFiles, replay } from '@dwd/testing/journal-driver.ts';
import { meltdown, ofShoots } from '@dwd/testing/recorded-nights.ts';

const story = await meltdown();

test('9.6 L3 a recorded meltdown comes out turn by turn as it was', async () => {
  const { code, out } = await replay(await recordedFiles(story));
  expect(out).toContain('Every event that was replayed came out as recorded.');
  expect(out).toContain('probing → scalingDown');
  expect(out).toMatch(/cut off: 3 of 5 leases expired, threshold crossed 0\.\d s ago/);
  expect(out).toMatch(/scale kube-controller-manager from 2 to 0 \(mark, record 2\)/);
  expect(code).toBe(0);
});

test('9.6 the file is whole when the process ends right after the last turn', async () => {
  const files = await recordedFiles(story);
  expect(files).toHaveLength(1);
  expect(linesOf(files[0]!)).toHaveLength(story.length + 1);
});

test('9.6 nobody but the process’s user reads the journal', async () => {
  const { journal, files } = journalDriver();
  journal.observe(story[0]!);
  await journal.close();
  expect(statSync(files()[0]!).mode & 0o777).toBe(0o600);
});

test('9.6 files are bounded in size and number, and a replay can begin with any of them', async () => {
  const turns = ofShoots(story, 10);
  const { journal, files, dropped } = journalDriver({ limits: { fileBytes: 80_000, files: 4 } });
  for (const turn of turns) {
    journal.observe(turn);
    if (turn.seq % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await journal.close();
  expect(files()).toHaveLength(4);
  // A shoot's first line may bring its snapshot along, and make the file that much longer.
  for (const file of files()) expect(statSync(file).size).toBeLessThan(90_000);
  expect(dropped.filter(({ reason }) => reason === 'files').length).toBeGreaterThan(1);
  for (const file of files()) {
    const { code, out } = await replay([file]);
    expect(out).not.toContain('could not be replayed');
    expect({ code, out }).toMatchObject({ code: 0 });
  }
  const all = await replay(files().toReversed());
  expect(all).toMatchObject({ code: 0 });
  expect(await replay([join(files()[0]!, '..')])).toEqual(all);
});

test('9.6 the journal in memory is bounded in bytes, and what is left of it can be replayed', async () => {
  const turns = ofShoots(story, 20);
  const { journal, dropped } = journalDriver({
    memoryOnly: true,
    limits: { memoryChapterBytes: 30_000, memoryBytes: 30_000 },
  });
  for (const turn of turns) journal.observe(turn);
  expect(dropped.length).toBeGreaterThan(0);
  expect(new Set(dropped.map(({ reason }) => reason))).toEqual(new Set(['memoryBytes']));
  const { code, out } = await replay(['-'], journal.chapters());
  expect({ code, out }).toMatchObject({ code: 0 });
  const lost = dropped.reduce((sum, { turns }) => sum + turns, 0);
  expect(out).toContain(`${turns.length - lost} events of 20 shoots`);
});

test('9.6 the journal in memory is bounded in turns', async () => {
  const { journal, dropped } = journalDriver({
    memoryOnly: true,
    limits: { memoryChapterBytes: 2_000, memoryTurns: 40 },
  });
  for (const turn of story) journal.observe(turn);
  expect(new Set(dropped.map(({ reason }) => reason))).toEqual(new Set(['memoryTurns']));
  const { code, out } = await replay(['-'], journal.chapters());
  expect({ code, out }).toMatchObject({ code: 0 });
});

test('9.6 the chapters of many shoots hold more turns than snapshots, since snapshots do not fill them', () => {
  const { journal } = journalDriver({ memoryOnly: true, limits: { memoryChapterBytes: 60_000 } });
  for (const turn of ofShoots(story, 40)) journal.observe(turn);
  const lines = [...journal.chapters()].join('').split('\n');
  const turns = lines.filter((one) => one.startsWith('{"seq"'));
  const snapshots = turns.filter((one) => one.includes('"before":'));
  expect(snapshots.length / turns.length).toBeLessThan(0.6);
});

test('9.6 a turn beyond its limit is left out, and the shoot’s next one can be replayed', async () => {
  const { journal, files, dropped } = journalDriver({ limits: { turnBytes: 8_000 } });
  const big = { ...story[30]!, notes: [{ kind: 'paused' as const, reason: 'x'.repeat(9_000) }] };
  for (const turn of story) journal.observe(turn === story[30] ? big : turn);
  await journal.close();
  // In memory and in the file.
  expect(dropped.map(({ reason, turns }) => `${reason} ${turns}`)).toEqual(['turnBytes 1', 'turnBytes 1']);
  const { code, out } = await replay(files());
  expect({ code, out }).toMatchObject({ code: 0 });
});

test('9.6 a disk that is too slow costs turns, which are counted, not memory', async () => {
  const { journal, files, dropped, said } = journalDriver({ limits: { backlogBytes: 20_000 } });
  for (const turn of story.slice(0, 60)) journal.observe(turn);
  await expect.poll(() => linesOf(files()[0]!).length + dropped.length).toBe(1 + 60);
  for (const turn of story.slice(60, 70)) journal.observe(turn);
  await journal.close();
  expect(new Set(dropped.map(({ reason }) => reason))).toEqual(new Set(['backlogBytes']));
  expect(said[0]).toMatch(
    /^error: the disk of the journal does not keep up: events are left out of \S+ until it does$/,
  );
  expect(said[1]).toMatch(
    /^info: the disk of the journal keeps up again, after 0\.0 s; \d+ events of that time are missing/,
  );
  const { code, out } = await replay(files());
  expect({ code, out }).toMatchObject({ code: 0 });
});

test('9.6 a full disk is said once, counted, and ends nothing; once there is room again, that is said too', async () => {
  const full = { is: true };
  const { journal, clock, said, dropped, failures, files } = journalDriver({
    disk: { open: async (path) => openSync(full.is ? '/dev/full' : path, full.is ? 'w' : 'wx') },
    limits: { retryPause: 60_000 },
  });
  const lost = () => dropped.reduce((sum, { turns }) => sum + turns, 0);
  for (const [index, turn] of story.slice(0, 20).entries()) {
    journal.observe(turn);
    await expect.poll(lost).toBe(index + 1);
    await clock.advanceBy(10_000);
  }
  expect(failures()).toBeGreaterThan(1);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(
    /^error: the journal cannot be written to .*: no space left on the device\. It is kept in memory only/,
  );
  expect(new Set(dropped.map(({ reason }) => reason))).toEqual(new Set(['writeFailed']));

  full.is = false;
  await clock.advanceBy(60_000);
  journal.observe(story[20]!);
  await expect.poll(files).toHaveLength(1);
  await expect.poll(() => linesOf(files()[0]!)).toHaveLength(2);
  for (const turn of story.slice(21)) journal.observe(turn);
  await journal.close();
  expect(lost()).toBe(20);
  expect(said.slice(1).map((text) => text.replace(/to .* again/, 'again'))).toEqual([
    'info: the journal is written again, after 4m20s; 20 events of that time are missing there',
  ]);
  const { code, out } = await replay(files());
  expect({ code, out }).toMatchObject({ code: 0 });
});

test('9.6 a place that is no directory is said once; the journal goes on in memory', async () => {
  const { dir } = journalDriver();
  writeFileSync(join(dir, 'file'), '');
  const { journal, said, failures } = journalDriver({ dir: join(dir, 'file', 'deeper') });
  for (const turn of story) journal.observe(turn);
  await journal.close();
  expect(said).toHaveLength(1);
  expect(failures()).toBe(1);
  expect((await replay(['-'], journal.chapters())).code).toBe(0);
});

test('9.6 files of an earlier run count, other files are left alone', async () => {
  const { dir, journal, files } = journalDriver({ limits: { files: 2 } });
  const earlier = ['dwd-prober-00000001-20200101T000000000Z.jsonl', 'dwd-prober-00000002-20200102T000000000Z.jsonl'];
  const foreign = ['dwd-weeder-00000001-20200101T000000000Z.jsonl', 'notes.txt', 'dwd-prober-old.jsonl'];
  for (const name of [...earlier, ...foreign]) writeFileSync(join(dir, name), 'x');
  journal.observe(story[0]!);
  await journal.close();
  const names = files().map((path) => path.slice(dir.length + 1));
  expect(names).toEqual(expect.arrayContaining([...foreign, earlier[1]!]));
  expect(names).not.toContain(earlier[0]);
  expect(names).toHaveLength(5);
});

test('9.6 a cut-off last line is no error, wherever it is cut', async () => {
  const file = await recordedFile(story.slice(0, 40));
  const last = Buffer.byteLength(linesOf(file).at(-1)!);
  for (let cut = 2; cut <= last; cut += 97) {
    truncateSync(file, statSync(file).size - (cut === 2 ? 2 : 97));
    const { code, out } = await replay([file]);
    expect(out).toContain('line 41 is cut off');
    expect(out).toContain('39 events');
    expect(code).toBe(0);
  }
});

test('9.6 a turn after the journal was closed is dropped in silence', async () => {
  const { journal, files } = journalDriver();
  journal.observe(story[0]!);
  await journal.close();
  journal.observe(story[1]!);
  await journal.close();
  expect(linesOf(files()[0]!)).toHaveLength(2);
});
