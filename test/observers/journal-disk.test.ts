import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Disk } from '../../src/adapters/journal/disk.ts';
import { journalDriver, linesOf, replay } from './journal-driver.ts';
import { meltdown } from './story.ts';

const story = await meltdown();

/** A directory that earlier runs have filled to the limit of four files. */
function filled() {
  const dir = mkdtempSync(join(tmpdir(), 'journal-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const earlier = [1, 2, 3, 4].map((day) => `dwd-prober-2020010${day}T000000000Z-0001.jsonl`);
  for (const name of earlier) writeFileSync(join(dir, name), 'x');
  return { dir, earlier, names: () => readdirSync(dir).toSorted() };
}

test('9.6 a disk that takes nothing, tried again and again, costs no earlier file and leaves no empty one', async () => {
  const { dir, earlier, names } = filled();
  const broken = { is: true };
  const { journal, clock, failures } = journalDriver({
    dir,
    limits: { files: 4 },
    disk: {
      open: async (path) => {
        const descriptor = openSync(path, 'wx');
        if (broken.is) closeSync(descriptor);
        return descriptor;
      },
    },
  });
  for (const [index, turn] of story.slice(0, 6).entries()) {
    journal.observe(turn);
    await vi.waitFor(() => expect(failures()).toBe(index + 1));
    await clock.advanceBy(60_000);
  }
  await vi.waitFor(() => expect(names()).toEqual(earlier));

  broken.is = false;
  for (const turn of story.slice(6)) journal.observe(turn);
  journal.close();
  expect(names()).toHaveLength(4);
  expect(names().slice(0, 3)).toEqual(earlier.slice(1));
  expect(linesOf(join(dir, names()[3]!))).toHaveLength(1 + story.length - 6);
});

/** A kernel that takes as many bytes of each write as `most` says, and returns how many it took. */
function shortWrites(most: number): Partial<Disk> {
  const writeNow = (descriptor: number, bytes: Buffer, position: number) =>
    writeSync(descriptor, bytes, 0, Math.min(most, bytes.length), position);
  return {
    writeNow,
    write: (descriptor, bytes, position, taken) => {
      const written = writeNow(descriptor, bytes, position);
      setImmediate(() => taken(null, written));
    },
  };
}

test.each([
  ['all the time', 1_000_000],
  ['at the end only', 0],
])(
  '9.6 a kernel that takes a few bytes of each write leaves whole lines, when the program writes %s',
  async (_, rounds) => {
    const { journal, files } = journalDriver({ disk: shortWrites(1_009) });
    for (const turn of story) {
      journal.observe(turn);
      for (let round = 0; round < Math.min(rounds, 40); round++) await new Promise(setImmediate);
    }
    journal.close();
    expect(linesOf(files()[0]!).map((line) => JSON.parse(line).seq ?? 0)).toEqual([0, ...story.map(({ seq }) => seq)]);
    expect(await replay(files())).toMatchObject({ code: 0, err: '' });
  },
);

/** So many turns of the event loop. */
async function loopTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

// A file may be full before it is open, and the next one is begun. On a real disk that depends on how busy the machine is.
test.each([0, 20, 120, 250])(
  '9.6 a disk on which nothing can be removed gets one file more than it may have, and no further one, where it is open after %i turns of the event loop',
  async (opening) => {
    const { dir, earlier, names } = filled();
    const { journal, clock, said } = journalDriver({
      dir,
      limits: { files: 4, fileBytes: 15_000 },
      disk: {
        make: () => loopTurns(1),
        isAt: () => Promise.resolve(true),
        open: async (path) => {
          await loopTurns(opening);
          return openSync(path, 'wx');
        },
        list: (path) => Promise.resolve(readdirSync(path)),
        remove: () => Promise.reject(new Error('EPERM: not yours')),
        removeNow: () => {
          throw new Error('EPERM: not yours');
        },
      },
    });
    for (const turn of story) {
      journal.observe(turn);
      await loopTurns(1);
      await clock.advanceBy(10_000);
    }
    journal.close();
    expect(names().slice(0, 4)).toEqual(earlier);
    expect(names()).toHaveLength(5);
    expect(said[0]).toMatch(/^error: the journal cannot be written to .*EPERM: not yours/);
  },
);

test('9.6 a disk that has room for the first line only costs no earlier file either', async () => {
  const { dir, earlier, names } = filled();
  const { journal, clock, failures } = journalDriver({
    dir,
    limits: { files: 4 },
    disk: {
      write: (descriptor, bytes, position, taken) => {
        const full = position > 0 ? new Error('ENOSPC: full') : null;
        const written = full === null ? writeSync(descriptor, bytes, 0, bytes.length, 0) : 0;
        setImmediate(() => taken(full, written));
      },
    },
  });
  for (const [index, turn] of story.slice(0, 5).entries()) {
    journal.observe(turn);
    await vi.waitFor(() => expect(failures()).toBe(index + 1));
    await clock.advanceBy(60_000);
  }
  await vi.waitFor(() => expect(names()).toEqual(earlier));
});

test('9.6 files that were begun and not yet written are whole, too, when the process ends', () => {
  const { journal, files } = journalDriver({ limits: { fileBytes: 8_000 } });
  for (const turn of story) journal.observe(turn);
  journal.close();
  expect(files().length).toBeGreaterThan(2);
  const lines = files().flatMap((file) => linesOf(file));
  expect(lines.map((line) => JSON.parse(line).seq).filter((seq) => seq !== undefined)).toEqual(
    story.map(({ seq }) => seq),
  );
});

test('9.6 a file that is there is never written over', () => {
  const { dir, journal, said } = journalDriver();
  const path = join(dir, 'dwd-prober-20260921T141320000Z-0001.jsonl');
  writeFileSync(path, 'somebody else’s');
  journal.observe(story[0]!);
  journal.close();
  expect(readFileSync(path, 'utf8')).toBe('somebody else’s');
  expect(said[0]).toMatch(/^error: .*a file of that name exists already/);
});

test.each([
  ['the directory', (dir: string) => rmSync(dir, { recursive: true })],
  ['the file', (dir: string) => readdirSync(dir).forEach((name) => rmSync(join(dir, name)))],
])('9.6 when somebody deletes %s, that is said once, and a new file is begun', async (_, remove) => {
  const { journal, clock, said, dropped, failures, dir, files } = journalDriver();
  for (const turn of story.slice(0, 10)) journal.observe(turn);
  await vi.waitFor(() => expect(linesOf(files()[0]!)).toHaveLength(11));
  remove(dir);
  await clock.advanceBy(10_000);
  journal.observe(story[10]!);
  await vi.waitFor(() => expect(failures()).toBe(1));
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(
    /^error: the journal's file .*jsonl is gone: somebody deleted it, or .*\. The journal has lost 11 events, and goes on in a new file$/,
  );
  expect(dropped).toMatchObject([{ reason: 'writeFailed', turns: 11 }]);

  for (const turn of story.slice(11)) journal.observe(turn);
  journal.close();
  expect(said).toHaveLength(1);
  expect(linesOf(files()[0]!)).toHaveLength(1 + story.length - 11);
  expect(await replay(files())).toMatchObject({ code: 0, err: '' });
});

test('9.6 a turn that was just written to a file that is gone is counted once', async () => {
  const { journal, clock, dropped, files } = journalDriver({
    disk: {
      async isAt() {
        for (let round = 0; round < 20; round++) await new Promise(setImmediate);
        return false;
      },
    },
  });
  for (const turn of story.slice(0, 10)) journal.observe(turn);
  await vi.waitFor(() => expect(linesOf(files()[0]!)).toHaveLength(11));
  await clock.advanceBy(10_000);
  journal.observe(story[10]!);
  await vi.waitFor(() => expect(dropped).toHaveLength(1));
  expect(dropped).toMatchObject([{ reason: 'writeFailed', turns: 11 }]);
});

test('9.6 a directory whose disk never answers holds nobody up', async () => {
  const never = new Promise<never>(() => undefined);
  const { journal, dropped, said } = journalDriver({ limits: { backlogBytes: 20_000 }, disk: { make: () => never } });
  for (const turn of story) journal.observe(turn);
  await new Promise(setImmediate);
  expect(new Set(dropped.map(({ reason }) => reason))).toEqual(new Set(['backlogBytes']));
  expect(said).toEqual([expect.stringMatching(/^error: the disk of the journal does not keep up: /)]);
  // What waits is written when the process ends.
  journal.close();
});
