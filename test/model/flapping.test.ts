import { expect, test } from 'vitest';
import { shootTurnLog } from '../../src/adapters/log/shoot-turn-log.ts';
import type { Log } from '../../src/adapters/log/log.ts';
import type { Millis } from '../../src/domain/time.ts';
import { auditedWorld } from '../support/audited-world.ts';
import { gardenerConfig } from '../support/prober-configs.ts';
import { zonedShoot } from '../support/zoned-shoot.ts';

/** With this grace a shoot that is cut off for 20 s crosses the threshold each time. */
const config = { ...gardenerConfig, kcmNodeMonitorGraceDuration: 30_000 };
const hour: Millis = 3_600_000;

/** A log that keeps how often each kind of line was told, and what was told last; debug is not counted. */
function countingLog() {
  const told = new Map<string, number>();
  const last = { message: '' };
  const say: Log['info'] = (message, fields) => {
    const line = String(fields?.['line']);
    told.set(line, (told.get(line) ?? 0) + 1);
    last.message = message;
  };
  const log: Log = { debug: () => undefined, info: say, warn: say, error: say, writes: () => true };
  return { log, told, last };
}

test.each([10_000, 30_000])(
  'S1 S3 S4 S7 6.3 9.4 a shoot that flaps every 20 s for an hour breaks no law, costs at most a write down and one up for each dependant and time, and is said to flap once; probeInterval %i',
  async (probeInterval) => {
    const { guarded, broken } = auditedWorld({ ...config, probeInterval });
    // With one replica one write raises it (6.5).
    for (const { key } of config.dependants) guarded.world.edit(key, { replicas: 1 });
    await guarded.pass(100_000);
    let flaps = 0;
    for (let passed = 0; passed < hour; passed += 40_000) {
      flaps += 1;
      guarded.world.cutOff();
      await guarded.pass(20_000);
      guarded.world.heal();
      await guarded.pass(20_000);
    }
    expect(broken).toEqual([]);
    expect(guarded.world.writes.length).toBeGreaterThan(flaps);
    expect(guarded.world.writes.length).toBeLessThanOrEqual(2 * config.dependants.length * flaps);
    expect(guarded.world.asked.leases, 'probes of an hour').toBeLessThan(800);
    expect(guarded.world.asked.machines, 'one look for each time').toBeLessThanOrEqual(flaps + 1);

    await guarded.pass(15 * 60_000);
    expect([guarded.state, broken]).toEqual(['probing', []]);
    for (const { key } of config.dependants)
      expect(guarded.world.state(key)).toMatchObject({ replicas: 1, ready: 1, mark: false, record: undefined });

    const { log, told } = countingLog();
    const observe = shootTurnLog(log);
    for (const turn of guarded.turns) observe(turn);
    expect([told.get('flapping'), told.get('no longer flapping')]).toEqual([1, 1]);
    expect([...told.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(40);
  },
);

test('9.4 three outages in half an hour are outages, each with its lines', async () => {
  const { guarded } = auditedWorld(config);
  await guarded.pass(100_000);
  for (let outage = 0; outage < 3; outage++) {
    guarded.world.cutOff();
    await guarded.pass(60_000);
    guarded.world.heal();
    await guarded.pass(9 * 60_000);
  }
  const { log, told } = countingLog();
  const observe = shootTurnLog(log);
  for (const turn of guarded.turns) observe(turn);
  expect([told.get('flapping'), told.get('shielded'), told.get('restored')]).toEqual([undefined, 3, 3]);
});

test('9.4 5.6 5.7 a zone that comes and goes each minute for an hour is said to flap once, and how it is when that is over', async () => {
  const guarded = await zonedShoot();
  for (let passed = 0; passed < hour; passed += 120_000) {
    guarded.world.cutOff(3);
    await guarded.pass(60_000);
    guarded.world.heal();
    await guarded.pass(60_000);
  }
  guarded.world.cutOff(3);
  await guarded.pass(15 * 60_000);
  const { log, told, last } = countingLog();
  const observe = shootTurnLog(log);
  for (const turn of guarded.turns) observe(turn);
  expect([told.get('flapping'), told.get('no longer flapping')]).toEqual([1, 1]);
  expect(last.message).toBe('shoot--sim--one: its early warnings do not come and go any more; zone a is cut off');
  expect([...told.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(20);
});
