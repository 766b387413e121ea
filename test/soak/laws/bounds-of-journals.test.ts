import { expect, test } from 'vitest';
import { live } from '../life.ts';
import { quietPlan } from '../quiet-plan.ts';
import type { Scene } from '../scene.ts';
import { boundsOfJournals } from './bounds-of-journals.ts';
import { begun } from '../made-up.ts';

const lawOf = (slot: object) =>
  begun(boundsOfJournals, { plan: { journals: true }, slots: [{ name: 'prober-0', ...slot }] } as unknown as Scene);

function lookingAt(files: number, bytes = Buffer.alloc(0)): string | undefined {
  const contents = new Map(Array.from({ length: files }, (_, index) => [`/journal/${index}`, bytes]));
  const law = lawOf({ disk: { contents: () => contents } });
  for (let second = 0; second < 30; second += 1) {
    const why = law.look?.();
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
  return lawOf({ process: { journal: () => [chapter] } }).quiet?.();
}

test('9.6 a chapter in memory that nobody closes, and one that a single machine fills', async () => {
  expect(await filled(8, 100_000)).toBe(undefined);
  expect(await filled(8, 250_000)).toContain('a chapter in memory is filled');
  expect(await filled(1, 4_000_000)).toBe(undefined);
});
