import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { disk as realDisk, type Disk } from 'dependency-watchdog/adapters/record/journal/kept-files.ts';
import { MemoryDisk } from '@dwd/lab/soak/memory/memory-disk.ts';
import { Agenda } from '../store/agenda.ts';

let parent: string;
beforeEach(() => void (parent = mkdtempSync(join(tmpdir(), 'dwd-disk-'))));
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const kinds: readonly (readonly [string, () => Disk])[] = [
  ["the machine's", () => realDisk],
  ['the one in memory', () => new MemoryDisk(new Agenda(systemClock)).as((task) => task())],
];

const codeOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: NodeJS.ErrnoException) => error.code);

/** A directory of a disk, and a place in it where no file is yet. */
async function made(disk: Disk) {
  const dir = join(parent, 'journals');
  await disk.make(dir);
  return { disk, dir, path: join(dir, 'a') };
}

function written(disk: Disk, descriptor: number, text: string, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    disk.write(descriptor, Buffer.from(text), position, (error, taken) => (error ? reject(error) : resolve(taken)));
  });
}

describe.each(kinds)('9.6 the disk that a journal is written to: %s', (_, make) => {
  test('a directory is made once, and a file only in one that is there', async () => {
    const disk = make();
    const dir = join(parent, 'journals');
    expect(await codeOf(disk.open(join(dir, 'a')))).toBe('ENOENT');
    expect(await codeOf(disk.list(dir))).toBe('ENOENT');
    await disk.make(dir);
    await disk.make(dir);
    expect(await disk.list(dir)).toEqual([]);
  });

  test('a new file is nobody else’s', async () => {
    const { disk, dir, path } = await made(make());
    const first = await disk.open(path);
    expect(await codeOf(disk.open(path))).toBe('EEXIST');
    expect(await written(disk, first, 'one', 0)).toBe(3);
    disk.close(first);
    expect(await disk.list(dir)).toEqual(['a']);
  });

  test('bytes go where they are told to, over what was there', async () => {
    const { disk, path } = await made(make());
    const descriptor = await disk.open(path);
    await written(disk, descriptor, 'abcdef', 0);
    expect(await written(disk, descriptor, 'XYZ', 4)).toBe(3);
    disk.close(descriptor);
    expect(await disk.size(path)).toBe(7);
    expect(await disk.remove(path)).toBe(7);
    expect(await codeOf(disk.remove(path))).toBe('ENOENT');
    expect(await codeOf(disk.size(path))).toBe('ENOENT');
  });

  test('a file that was deleted takes writes, and no longer stands at its path', async () => {
    const { disk, path } = await made(make());
    const descriptor = await disk.open(path);
    expect(await disk.isAt(descriptor, path)).toBe(true);
    await disk.remove(path);
    expect(await written(disk, descriptor, 'lost', 0)).toBe(4);
    expect(await disk.isAt(descriptor, path)).toBe(false);
    disk.close(descriptor);
  });
});
