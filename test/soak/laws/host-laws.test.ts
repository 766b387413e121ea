import { expect, test } from 'vitest';
import { begun } from '../made-up.ts';
import type { Scene } from '../scene.ts';
import { boundsOfHosts, neverStands } from './host-laws.ts';
import { recordsStay } from './records-stay.ts';

// Each law looks at one slot that nobody lived.

const sceneOf = (slot: object, now = 0): Scene =>
  ({ now: () => now, plan: { journals: true }, slots: [{ name: 'prober-0', ...slot }] }) as unknown as Scene;

const standing = (now: number) =>
  begun(neverStands, sceneOf({ process: { name: 'prober-0#1', standsSince: 1_000 } }, now)).look?.();
const waiting = (lineBytes: number, diskCalls: number) =>
  begun(
    boundsOfHosts,
    sceneOf({ process: { name: 'prober-0#1', waiting: () => ({ lineBytes, diskCalls }) } }),
  ).look?.();

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
  const first = law.look?.();
  if (deleted)
    law.hear?.({
      at: 0,
      kind: 'happening',
      happening: { at: 0, kind: 'journals deleted', of: { slot: 'prober-0' } },
    });
  files = after;
  return first ?? law.look?.();
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
