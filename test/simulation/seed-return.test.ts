import { expect, test } from 'vitest';
import { watchedSeed } from '../support/watched-seed.ts';

test.each([
  [27, 95_100],
  [33, 102_900],
  [3, 91_000],
])(
  '5.1 a shoot’s API server is away for 90 s, and its kubelets renew once it is back: nothing is scaled (number %i)',
  async (seedNumber, after) => {
    await using stage = await watchedSeed({ seedNumber });
    await stage.pass(after);
    await stage.shoot().down();
    await stage.pass(90_000);
    await stage.shoot().up();
    await stage.pass(60_000);
    expect(stage.changes.ours).toEqual([]);
    expect(stage.state()).toBe('probing');
    expect(stage.marks).toBe(0);
  },
);

test.each([27, 33, 3])(
  '5.1 9.2 nobody renews once it is back: down one renewal later, in time, with the margin from the return (number %i)',
  async (seedNumber) => {
    await using stage = await watchedSeed({ seedNumber });
    await stage.pass(95_100);
    await stage.shoot().down();
    await stage.pass(90_000);
    stage.shoot().cutOff();
    await stage.shoot().up();
    const returned = stage.clock.now();
    await stage.untilState('scaledDown', 40_000);
    const [doubt] = stage.notesOf('leasesInDoubt');
    const [shielded] = stage.notesOf('shielded');
    expect(doubt).toMatchObject({ leases: 5, silentFor: expect.any(Number) });
    expect(stage.notesOf('decided')[0]?.crossedAt).toBe(doubt!.until);
    expect(shielded!.firstMarkAt).toBeGreaterThan(stage.clock.now() + 5_000);
    expect(stage.clock.now() - returned).toBeLessThan(30_000);
    await stage.pass(60_000);
    expect(stage.marks).toBe(0);
  },
);
