import { expect, test } from 'vitest';
import { live } from '../life.ts';
import { begun } from '../made-up.ts';
import type { Scene } from '../scene.ts';
import { quietPlan } from '../seed-plan.ts';
import { boundsOfHosts, neverStands } from './host-laws.ts';
import { boundsOfJournals, recordsStay } from './journals.ts';

const lawOf = (slot: object) =>
  begun(boundsOfJournals, { plan: { journals: true }, slots: [{ name: 'prober-0', ...slot }] } as unknown as Scene);

function lookingAt(files: number, bytes = Buffer.alloc(0)): string | undefined {
  const contents = new Map(Array.from({ length: files }, (_, index) => [`/journal/${index}`, bytes]));
  const law = lawOf({ disk: { contents: () => contents } });
  for (let second = 0; second < 30; second += 1) {
    const why = law.look();
    if (why !== undefined) return why;
  }
  return undefined;
}

test('9.6 one file more than there may be on a disk', () => {
  expect(lookingAt(4_097)).toBe(undefined);
  expect(lookingAt(4_098)).toContain('4098 files');
});

test('9.6 one byte more than a disk may hold', () => {
  const bytes = Buffer.alloc(68 * 1_048_576);
  expect(lookingAt(8, bytes)).toBe(undefined);
  expect(lookingAt(9, bytes)).toContain('bytes, and 570425344 at most');
});

test('9.6 twenty processes, one after the other, leave a file each', async () => {
  let files = 0;
  const { broken } = await live(
    { ...quietPlan, journals: true },
    {
      laws: [boundsOfJournals],
      async conduct(scene, passTo) {
        for (let process = 1; process <= 20; process += 1) {
          await passTo(process * 40_000);
          for (const slot of scene.slots) {
            slot.failures = 0;
            scene.crash(slot);
          }
        }
        await passTo(21 * 40_000);
        for (const { disk } of scene.slots) files = disk.contents().size;
      },
    },
  );
  expect([broken, files]).toEqual([undefined, 21]);
});

/** So many machines, each of which fills a chapter with so many bytes. */
async function filled(machines: number, bytes: number): Promise<string | undefined> {
  const line = (index: number): string =>
    `{"seq":1,"at":1,"kind":"shoot","subject":"s${index}","x":"${'x'.repeat(bytes)}"}\n`;
  const lines = Array.from({ length: machines }, (_, index) => line(index));
  const chapter = Buffer.from(['{"journal":1}\n', ...lines].join(''));
  return lawOf({ process: { journal: () => [chapter] } }).quiet();
}

test('9.6 a chapter in memory that nobody closes, and one that a single machine fills', async () => {
  expect(await filled(8, 100_000)).toBe(undefined);
  expect(await filled(8, 250_000)).toContain('a chapter in memory is filled');
  expect(await filled(1, 4_000_000)).toBe(undefined);
});

// Each law looks at one slot that nobody lived.

const sceneOf = (slot: object, now = 0): Scene =>
  ({ now: () => now, plan: { journals: true }, slots: [{ name: 'prober-0', ...slot }] }) as unknown as Scene;

const standing = (now: number) =>
  begun(neverStands, sceneOf({ process: { name: 'prober-0#1', standsSince: 1_000 } }, now)).look();
const waiting = (lineBytes: number, diskCalls: number) =>
  begun(boundsOfHosts, sceneOf({ process: { name: 'prober-0#1', waiting: () => ({ lineBytes, diskCalls }) } })).look();

test('11.4 a process that stands in a call of its host for half a second, and one millisecond more', () => {
  expect(standing(1_500)).toBeUndefined();
  expect(standing(1_501)).toContain('stands still in a call of its host');
});

test('9.6 11.1 what waits for an output, or for a disk', () => {
  expect(waiting(1_179_648, 6)).toBeUndefined();
  expect(waiting(1_179_649, 6)).toContain('bytes of the log');
  expect(waiting(0, 7)).toContain('7 calls of prober-0#1 wait for its disk');
});

/** What a law says of files that are there one second, and those that are there the next. Sizes are in MiB, in the order in which they were seen. */
function recorded(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  { removedByWriter, deleted = false }: Readonly<{ removedByWriter?: string; deleted?: boolean }> = {},
): string | undefined {
  let files = before;
  const disk = {
    removedByWriter,
    magnifies: 1,
    sizes: () => new Map(Object.entries(files).map(([path, size]) => [path, size * 1_048_576])),
  };
  const law = begun(recordsStay, sceneOf({ disk }));
  const first = law.look();
  if (deleted)
    law.hear({
      at: 0,
      kind: 'happening',
      happening: { at: 0, kind: 'journals deleted', of: { slot: 'prober-0' } },
    });
  files = after;
  return first ?? law.look();
}

test('9.6 what was recorded stays while its bytes allow', () => {
  expect(recorded({ one: 200, two: 200 }, { one: 200, two: 200 })).toBeUndefined();
  expect(recorded({ one: 200, two: 200 }, { two: 200 })).toContain('only 419430400 bytes were recorded');
  expect(recorded({ one: 300, two: 200 }, { two: 200 })).toBeUndefined();
  expect(recorded({ one: 300, two: 200 }, { one: 300 })).toContain('an older file still stands');
  // It has its first line alone, and so recorded nothing.
  expect(recorded({ one: 0.001, two: 200 }, { two: 200 })).toBeUndefined();
  expect(recorded({ one: 200, two: 200 }, {}, { deleted: true })).toBeUndefined();
  expect(recorded({ one: 200 }, { one: 200 }, { removedByWriter: 'one' })).toContain(
    'removed the file that it wrote to',
  );
});
