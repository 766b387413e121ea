import { closeSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { disk, type Disk } from '../../src/adapters/record/journal/kept-files.ts';
import { temporaryFolder } from '@dwd/testing/temporary-folder.ts';
import { journalDriver, linesOf, replay } from '@dwd/testing/journal-driver.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';

const story = await meltdown();

/** A directory that earlier runs have filled to the limit of four files. */
function filled() {
  const dir = temporaryFolder();
  const earlier = [1, 2, 3, 4].map((day) => `dwd-prober-0000000${day}-2020010${day}T000000000Z.jsonl`);
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
  await journal.close();
  expect(names()).toHaveLength(4);
  expect(names().slice(0, 3)).toEqual(earlier.slice(1));
  expect(linesOf(join(dir, names()[3]!))).toHaveLength(1 + story.length - 6);
});

/** A kernel that takes as many bytes of each write as `most` says, and returns how many it took. */
function shortWrites(most: number): Partial<Disk> {
  return {
    write: (descriptor, bytes, position, taken) => {
      const written = writeSync(descriptor, bytes, 0, Math.min(most, bytes.length), position);
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
    await journal.close();
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
      },
    });
    for (const turn of story) {
      journal.observe(turn);
      await loopTurns(1);
      await clock.advanceBy(10_000);
    }
    await journal.close();
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

test('9.6 what a disk took of its first turns before it was full stays, and only the others count as lost', async () => {
  // The kernel takes what fits, and refuses the next write.
  let room = 20_000;
  const { journal, files, failures, dropped } = journalDriver({
    disk: {
      write: (descriptor, bytes, position, taken) => {
        const full = room === 0 ? new Error('ENOSPC: full') : null;
        const written = full === null ? writeSync(descriptor, bytes, 0, Math.min(room, bytes.length), position) : 0;
        room -= written;
        setImmediate(() => taken(full, written));
      },
    },
  });
  for (const turn of story) journal.observe(turn);
  await vi.waitFor(() => expect(failures()).toBe(1));
  await journal.close();
  const text = readFileSync(files()[0]!, 'utf8');
  expect(text).toHaveLength(20_000);
  const kept = text.split('\n').length - 2;
  expect(kept).toBeGreaterThan(10);
  expect(dropped.reduce((sum, { turns }) => sum + turns, 0)).toBe(story.length - kept);
});

test('9.6 files that were begun and not yet written are whole, too, when the process ends', async () => {
  const { journal, files } = journalDriver({ limits: { fileBytes: 8_000 } });
  for (const turn of story) journal.observe(turn);
  await journal.close();
  expect(files().length).toBeGreaterThan(2);
  const lines = files().flatMap((file) => linesOf(file));
  expect(lines.map((line) => JSON.parse(line).seq).filter((seq) => seq !== undefined)).toEqual(
    story.map(({ seq }) => seq),
  );
});

test('9.6 a file that is there is never written over, though another program made it after the last look', async () => {
  const { dir, journal, said, files } = journalDriver({ disk: { list: () => Promise.resolve([]) } });
  const path = join(dir, 'dwd-prober-00000001-20260921T141320000Z.jsonl');
  writeFileSync(path, 'somebody else’s');
  journal.observe(story[0]!);
  await journal.close();
  expect(readFileSync(path, 'utf8')).toBe('somebody else’s');
  expect(files()[1]).toMatch(/dwd-prober-00000002-20260921T141320000Z\.jsonl$/);
  expect(linesOf(files()[1]!)).toHaveLength(2);
  expect(said).toEqual([]);
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
  await journal.close();
  expect(said).toHaveLength(1);
  expect(linesOf(files()[0]!)).toHaveLength(1 + story.length - 11);
  expect(await replay(files())).toMatchObject({ code: 0, err: '' });
});

test.each(['full', 'the last'])(
  '9.6 a file that somebody deletes, and that is %s before the next look, is not closed unseen',
  async (which) => {
    const { journal, said, dropped, dir, files } = journalDriver({
      limits: { fileBytes: which === 'full' ? 20_000 : 2 ** 25 },
    });
    for (const turn of story.slice(0, 3)) journal.observe(turn);
    await vi.waitFor(() => expect(linesOf(files()[0]!)).toHaveLength(4));
    for (const name of readdirSync(dir)) rmSync(join(dir, name));
    for (const turn of story.slice(3)) journal.observe(turn);
    await journal.close();
    const kept = files()
      .flatMap((path) => linesOf(path))
      .filter((line) => line.includes('"subject"')).length;
    const lost = dropped.filter(({ reason }) => reason === 'writeFailed').reduce((sum, { turns }) => sum + turns, 0);
    expect(kept + lost).toBe(story.length);
    expect(lost).toBeGreaterThanOrEqual(3);
    expect(said).toEqual([expect.stringMatching(/is gone: somebody deleted it/)]);
    expect(kept > 0).toBe(which === 'full');
  },
);

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

/** A disk on which this never answers from the given call on. */
function hanging(what: 'make' | 'list' | 'open' | 'write', after = 0): Partial<Disk> {
  let calls = 0;
  const real = { ...disk, write: (...args: Parameters<Disk['write']>) => disk.write(...args) };
  const hangs = (...args: readonly unknown[]): unknown => {
    calls += 1;
    return calls > after ? new Promise(() => undefined) : (real[what] as (...some: unknown[]) => unknown)(...args);
  };
  return { [what]: hangs };
}

test.each([
  ['make', 0],
  ['list', 0],
  ['open', 0],
  ['write', 0],
  ['write', 1],
] as const)(
  '9.6 11.1 on a disk that hangs (%s, after %i calls) what waits is bounded, and the end waits no longer than it is told to',
  async (what, after) => {
    const backlogBytes = 20_000;
    const { journal, clock, dropped, said, files } = journalDriver({
      limits: { backlogBytes },
      disk: hanging(what, after),
    });
    for (const turn of story) {
      journal.observe(turn);
      await loopTurns(2);
      await clock.advanceBy(1_000);
    }
    let ended = false;
    const ending = journal.close(clock.wakeAt(clock.now() + 1_000)).then(() => (ended = true));
    await loopTurns(20);
    expect(ended).toBe(false);
    await clock.advanceBy(1_000);
    await ending;

    const written = files().flatMap((file) => linesOf(file).slice(1)).length;
    const lost = dropped.reduce((sum, { turns }) => sum + turns, 0);
    expect(written + lost, 'each turn is on the disk, or counted').toBe(story.length);
    // What waited until the end, which is never more than it may be.
    const last = dropped.at(-1)!;
    expect(last.reason).toBe('writeFailed');
    expect(last.bytes).toBeLessThanOrEqual(backlogBytes);
    expect(said.slice(0, -1)).toEqual([expect.stringMatching(/^error: the disk of the journal does not keep up: /)]);
    expect(said.at(-1)).toMatch(
      /^error: the disk of the journal does not answer: at the end \d+ events? may be missing in /,
    );
  },
);

test('9.6 a hundred starts within an hour cost no recorded outage', async () => {
  const first = journalDriver();
  const { dir } = first;
  for (const turn of story) first.journal.observe(turn);
  await first.journal.close();
  const [night] = first.files();
  for (let start = 1; start <= 100; start++) {
    const { journal, said } = journalDriver({ dir });
    for (const turn of story.slice(0, 3)) journal.observe(turn);
    await journal.close();
    expect(said).toEqual([]);
  }
  expect(first.files()).toHaveLength(101);
  expect(first.files()[0]).toBe(night);
  expect(linesOf(night!)).toHaveLength(story.length + 1);
});

test.each([
  ['ahead', '20990101'],
  ['behind', '19700101'],
])('9.6 a clock that was once %s changes neither the order of files nor which of them goes', async (_, day) => {
  const { dir, files } = journalDriver();
  const earlier = ['00000006-20260101', `00000007-${day}`].map((part) => `dwd-prober-${part}T000000000Z.jsonl`);
  for (const name of earlier) writeFileSync(join(dir, name), 'x'.repeat(10_000));
  const removed: string[] = [];
  const { journal, said, dropped } = journalDriver({
    dir,
    limits: { fileBytes: 12_000, directoryBytes: 80_000 },
    disk: {
      remove: (path) => {
        removed.push(path);
        return disk.remove(path);
      },
    },
  });
  for (const turn of story) {
    journal.observe(turn);
    await loopTurns(4);
  }
  await journal.close();
  expect(removed.slice(0, 2)).toEqual(earlier.map((name) => join(dir, name)));
  const order = [...removed, ...files()].map((path) => Number(path.slice(dir.length + 12, dir.length + 20)));
  expect(order).toEqual(order.map((_one, index) => 6 + index));
  expect(said).toEqual([]);
  expect(new Set(dropped.map(({ reason }) => reason))).toEqual(new Set(['directoryBytes']));
});

test('9.6 the file that is written is never removed, whatever the other names are and however much there is', async () => {
  const { journal, dir, clock, said, failures, files } = journalDriver({
    limits: { files: 2, directoryBytes: 30_000 },
  });
  journal.observe(story[0]!);
  await vi.waitFor(() => expect(files()).toHaveLength(1));
  const [own] = files();
  for (let number = 2; number < 9; number++)
    writeFileSync(join(dir, `dwd-prober-9000000${number}-20260101T000000000Z.jsonl`), 'x'.repeat(20_000));
  await journal.close();
  for (const turn of story.slice(1, 8)) {
    journal.observe(turn);
    await loopTurns(4);
    await clock.advanceBy(10_000);
  }
  expect(files()).toContain(own);
  expect([said, failures()]).toEqual([[], 0]);
});

test('9.6 two programs of a role that share a directory keep their files, and never take one for the other’s', async () => {
  const one = journalDriver();
  const { dir } = one;
  const other = journalDriver({ dir });
  const weeder = journalDriver({
    dir,
    program: { role: 'weeder', version: '0.1.0', processId: 8, configuration: {} },
  });
  for (const turn of story) for (const { journal } of [one, other, weeder]) journal.observe(turn);
  await Promise.all([one, other, weeder].map(({ journal }) => journal.close()));
  expect(one.files()).toHaveLength(3);
  for (const file of one.files()) expect(linesOf(file)).toHaveLength(story.length + 1);
  expect([one, other, weeder].flatMap(({ said }) => said)).toEqual([]);
});

test('9.6 an old file that another program removed at the same moment is no trouble', async () => {
  const { journal, dir, said, failures, files } = journalDriver({
    limits: { files: 1 },
    disk: {
      async size(path) {
        if (path.includes('-20260101T')) rmSync(path);
        return await disk.size(path);
      },
    },
  });
  writeFileSync(join(dir, 'dwd-prober-00000001-20260101T000000000Z.jsonl'), 'x');
  journal.observe(story[0]!);
  await journal.close();
  expect(files()).toHaveLength(1);
  expect([said, failures()]).toEqual([[], 0]);
});
