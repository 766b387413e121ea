import { expect, test } from 'vitest';
import type { Law } from './law.ts';
import { diskTroubles } from './happenings/hosts.ts';
import { laws } from './laws.ts';
import { journals, recordsStay } from './laws/journals.ts';
import { live } from './life.ts';
import type { MemoryDisk } from './memory/memory-disk.ts';
import { quietPlan, type SeedPlan } from './seed-plan.ts';
import { hearing } from './made-up.ts';

function planWith(trouble: string): SeedPlan {
  const of = { slot: 'prober-0', by: 700 };
  return {
    ...quietPlan,
    journals: true,
    weather: 200_000,
    happenings: [
      { at: 40_000, kind: trouble, of },
      { at: 60_000, kind: 'nodes cut off', shoot: 'shoot--demo--01', of: { fraction: 1 } },
      { at: 110_000, kind: 'disk well', of },
    ],
  };
}

test.each(diskTroubles)('9.6 %s: an outage is survived, and what the journal lacks is counted', async (trouble) => {
  let kept = 0;
  let marks = 0;
  const { broken, judged } = await live(planWith(trouble), {
    laws,
    observe: ({ kind }) => void (marks += kind === 'marked' ? 1 : 0),
    atEnd(scene) {
      for (const { disk } of scene.slots) kept += disk.contents().size;
    },
  });
  expect([broken, marks]).toEqual([undefined, 0]);
  expect(kept).toBeGreaterThan(0);
  expect(judged['journals read from their disks']).toBe(trouble === 'journals deleted' ? 0 : 1);
});

test.each(['disk hung', 'core slowed', 'started in the future'])('11.4 %s: an outage is survived', async (trouble) => {
  const { happenings, ...plan } = planWith(trouble);
  const ends = happenings.map((one) => (one.kind === 'disk well' ? { ...one, kind: 'host well' } : one));
  let marks = 0;
  const { broken } = await live(
    { ...plan, happenings: ends, hostFails: true },
    { laws, observe: ({ kind }) => void (marks += kind === 'marked' ? 1 : 0) },
  );
  expect([broken, marks]).toEqual([undefined, 0]);
});

test.each(['started in the future', 'started again and again'])(
  '9.6 a process that was %s costs no recorded outage',
  async (kind) => {
    const happenings = [
      { at: 60_000, kind: 'nodes cut off', shoot: 'shoot--demo--01', of: { fraction: 1 } },
      { at: 160_000, kind, of: { slot: 'prober-0', starts: 30 } },
    ];
    const plan = { ...quietPlan, journals: true, hostFails: true, weather: 400_000, happenings };
    const { broken } = await live(plan, { laws: [recordsStay] });
    expect(broken).toBeUndefined();
  },
);

/** The law, where what it reads is spoilt first, and where it has heard so many turns more than there were. */
function spoilt(more: number, spoil: (disk: MemoryDisk) => void): Law {
  let left = more;
  const heard = hearing(journals, (seen) => {
    const twice = seen.kind === 'turn' && left > 0;
    if (twice) left -= 1;
    return twice ? [seen, seen] : [seen];
  });
  return {
    ...heard,
    begin(scene, court) {
      const inForce = heard.begin(scene, court);
      return {
        ...inForce,
        quiet() {
          spoil(scene.slots[0]!.disk);
          return inForce.quiet?.();
        },
      };
    },
  };
}

const brokenBy = async (more: number, spoil: (disk: MemoryDisk) => void = () => undefined) =>
  (await live(planWith('disk slow'), { laws: [spoilt(more, spoil)] })).broken?.why;

test('9.6 a turn that is on no disk, and that nobody counted, breaks the law; so does a line that cannot be read', async () => {
  expect(await brokenBy(0)).toBeUndefined();
  expect(await brokenBy(1)).toMatch(/^prober-0 took \d+ turns; its journal has \d+, and only 0 are counted as lost$/);
  const unreadable = await brokenBy(0, (disk) => {
    for (const bytes of disk.contents().values()) bytes.fill('x', bytes.indexOf('\n') + 1, bytes.indexOf('\n') + 9);
  });
  expect(unreadable).toMatch(/line 2: it is not JSON$/);
  expect(await brokenBy(0, (disk) => disk.deleteAll())).toMatch(/its journal has 0, and only 0 are counted as lost$/);
});
