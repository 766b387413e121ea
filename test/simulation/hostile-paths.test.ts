import { expect, test } from 'vitest';
import type { Millis } from '../../src/domain/time.ts';
import type { ShootPath } from '../../src/domain/prober/shoot-path.ts';
import { attacks, launchAttack } from '@dwd/testing/attacks.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { watchedSeed, type WatchedSeed } from '../support/watched-seed.ts';

const config = { ...twoPathConfig, initialDelay: 0, probeInterval: 5_000, backoffJitterFactor: 0 };
/** Of the shoots. */
const [cutOff, honest, hostile] = [0, [1, 2], 3] as const;

async function stageOf(): Promise<WatchedSeed> {
  return watchedSeed({ config, shoots: 4, sharedCertificates: true, proberLater: true });
}

/** The longest time without a question on the internal path; between two honest probes it is an interval. */
function longestGap(stage: WatchedSeed, index: number): Millis {
  const asked = stage
    .turnsOf(stage.shoot(index).name)
    .filter(({ commands }) =>
      commands.some(({ type, params }) => type === 'askPath' && 'path' in params && params.path === 'internal'),
    )
    .map(({ at }) => at);
  const ends = [...asked, stage.clock.now()];
  return Math.max(...ends.slice(1).map((at, place) => at - (ends[place] ?? at)));
}

const scaled = (stage: WatchedSeed, index: number) =>
  stage.turnsOf(stage.shoot(index).name).some(({ commands }) => commands.some(({ type }) => type === 'scale'));

/** The others are asked in time, and not scaled; the one that is cut off is protected. */
async function expectOthersProtected(stage: WatchedSeed): Promise<void> {
  await stage.shoot(cutOff).paths.break('external', { kind: 'cut' });
  await stage.untilState('scaledDown', 60_000, cutOff);
  expect(stage.shoot(cutOff).marks).toEqual([]);
  for (const index of honest) {
    expect(longestGap(stage, index)).toBeLessThanOrEqual(1.2 * config.probeInterval);
    expect(scaled(stage, index)).toBe(false);
  }
}

const possible = attacks.filter(
  ({ tiresome, answers = {} }) => tiresome !== true && !('leases' in answers || 'nodes' in answers),
);

test.each(possible)(
  '4.7 4.9 3.4 $name: the other shoots are asked and protected as if nothing were',
  async (attack) => {
    await using stage = await stageOf();
    launchAttack(stage.seed, stage.shoot(hostile), attack, stage.clock);
    await stage.start();
    await stage.pass(20_000);
    await expectOthersProtected(stage);
    // Both paths end at the same API server: what it says on the internal one keeps the external one from being asked.
    expect(scaled(stage, hostile)).toBe(false);
  },
);

test.each(['internal', 'external'] as const)(
  '4.1 4.9 S1 a shoot without its %s Secret is not scaled, and the others are protected; with it, an outage is found',
  async (path: ShootPath) => {
    await using stage = await stageOf();
    stage.shoot(hostile).removeSecret(path);
    await stage.start();
    await stage.pass(20_000);
    await stage.shoot(hostile).paths.break('external', { kind: 'cut' });
    await expectOthersProtected(stage);
    expect(scaled(stage, hostile)).toBe(false);
    stage.shoot(hostile).rotateSecret(path);
    await stage.untilState('scaledDown', 60_000, hostile);
  },
);

test.each(['internal', 'external'] as const)(
  '4.1 4.9 a rotation of the %s Secret, each ten seconds, costs no probe and scales nothing',
  async (path: ShootPath) => {
    await using stage = await stageOf();
    await stage.start();
    for (let turn = 0; turn < 12; turn++) {
      stage.shoot(hostile).rotateSecret(path);
      await stage.pass(10_000);
    }
    expect(stage.turns.filter(({ commands }) => commands.some(({ type }) => type === 'scale'))).toEqual([]);
    expect(stage.notesOf('verdict').filter(({ verdict }) => verdict !== 'connected')).toEqual([]);
    expect(longestGap(stage, hostile)).toBeLessThanOrEqual(1.2 * config.probeInterval);
  },
);
