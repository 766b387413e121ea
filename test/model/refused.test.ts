import { describe, expect, test } from 'vitest';
import { standingAfter } from '../../src/adapters/record/facts/shoot-standing.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { controllerManager, dependant, gardenerConfig, machineController } from '@dwd/testing/prober-configs.ts';

const config: ProberConfig = { ...gardenerConfig, dependants: [controllerManager, machineController] };
/** A dependant of a kind that nobody granted. It goes down before the controller-manager, and up after it. */
const widget = dependant('example.org/v1', 'Widget', 'thing', { down: 0, up: 3 });
const withWidget: ProberConfig = { ...config, dependants: [...config.dependants, widget] };

async function probed(under: ProberConfig): Promise<GuardedWorld> {
  const guarded = new GuardedWorld(under);
  await guarded.pass(100_000);
  return guarded;
}

const notes = ({ turns }: GuardedWorld, kind: string) =>
  turns.flatMap((turn) => turn.notes.filter((note) => note.kind === kind));
const scales = ({ turns }: GuardedWorld, key: string) =>
  turns.flatMap(({ at, commands }) =>
    commands.some(({ type, params }) => type === 'scale' && params.key === key) ? [at] : [],
  );

describe('6.8 while every write is refused', () => {
  test('6.8 nothing is said to be down, and each is tried again with at most 5 s between tries', async () => {
    const guarded = await probed(config);
    guarded.world.writing = 'refused';
    guarded.world.cutOff();
    await guarded.pass(300_000);
    expect(guarded.state).toBe('scalingDown');
    expect(notes(guarded, 'shielded')).toEqual([]);
    expect(notes(guarded, 'stepTimedOut').map((note) => 'key' in note && note.key)).toEqual([
      machineController.key,
      controllerManager.key,
    ]);
    for (const { key } of config.dependants) {
      const tries = scales(guarded, key);
      const pauses = tries.slice(1).map((at, index) => at - tries[index]!);
      expect(tries.length).toBeGreaterThan(40);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(5_100);
    }
  });

  test('6.8 once they are taken, all goes down at once, and only then it is said', async () => {
    const guarded = await probed(config);
    guarded.world.writing = 'refused';
    guarded.world.cutOff();
    await guarded.pass(200_000);
    guarded.world.writing = 'fine';
    await guarded.pass(6_000);
    expect(guarded.state).toBe('scaledDown');
    expect(notes(guarded, 'shielded')).toHaveLength(1);
  });

  test('6.8 S4 one that may not be read any more either is tried all the same, and is not said to be down', async () => {
    const guarded = await probed(config);
    guarded.world.writing = 'refused';
    guarded.world.cutOff();
    guarded.world.forbidden.add(machineController.key);
    await guarded.pass(100_000);
    expect(guarded.state).toBe('scalingDown');
    guarded.world.writing = 'fine';
    await guarded.pass(6_000);
    for (const { key } of config.dependants)
      expect(guarded.world.state(key)).toMatchObject({ replicas: 0, mark: true });
    expect(notes(guarded, 'shielded')).toHaveLength(1);
  });
});

test('6.8 9.2 replicas that do not follow are not down, though the next level goes on', async () => {
  const guarded = await probed(config);
  guarded.world.stuck.add(machineController.key);
  guarded.world.cutOff();
  await guarded.pass(120_000);
  expect(guarded.world.state(controllerManager.key)).toMatchObject({ replicas: 0, ready: 0 });
  expect(guarded.state).toBe('scalingDown');
  expect(notes(guarded, 'shielded')).toEqual([]);
  guarded.world.follow(machineController.key);
  await guarded.pass(1_000);
  expect([guarded.state, notes(guarded, 'shielded').length]).toEqual(['scaledDown', 1]);
});

describe('6.8 a dependant that may not be read', () => {
  test('6.8 holds nothing up on the way down: it is asked for once, said once', async () => {
    const guarded = await probed(withWidget);
    guarded.world.forbidden.add(widget.key);
    guarded.restart();
    await guarded.pass(100_000);
    const asked = guarded.world.asked.reads;
    guarded.world.cutOff();
    for (let waited = 0; guarded.state !== 'scalingDown' && waited < 600; waited++) await guarded.pass(100);
    await guarded.pass(1_500);
    expect(guarded.world.state(controllerManager.key).replicas, 'within a second').toBe(0);
    expect(guarded.world.asked.reads - asked).toBeLessThanOrEqual(2);
    expect(notes(guarded, 'dependantRefused')).toEqual([
      { kind: 'dependantRefused', key: widget.key, detail: 'the seed forbids it' },
    ]);
    expect(notes(guarded, 'shielded'), 'of what nobody may read nobody says that it is down').toEqual([]);
  });

  test.each([
    [true, 'probing', 'watched'],
    [false, 'scalingUp', 'scalingUp'],
  ])(
    '6.8 9.8 once the shoot is back, one that is optional (%s) leaves it in %s, and it counts as %s',
    async (optional, state, standing) => {
      const under = { ...config, dependants: [...config.dependants, { ...widget, optional }] };
      const guarded = await probed(under);
      guarded.world.forbidden.add(widget.key);
      guarded.restart();
      await guarded.pass(100_000);
      guarded.world.cutOff();
      await guarded.pass(100_000);
      guarded.world.heal();
      await guarded.pass(300_000);
      for (const { key } of config.dependants) expect(guarded.world.state(key).replicas).toBeGreaterThan(0);
      const { after, to } = guarded.turns.at(-1)!;
      expect([to, standingAfter(to, after!.context)]).toEqual([state, standing]);
      expect(notes(guarded, 'dependantRefused')).toHaveLength(1);
      expect(notes(guarded, 'restored')).toHaveLength(optional ? 1 : 0);
    },
  );

  test('6.8 L1 an optional one that is at 0 by our hand stays to be done, though nobody may read it any more', async () => {
    const guarded = await probed({ ...config, dependants: [controllerManager, { ...widget, optional: true }] });
    guarded.world.cutOff();
    await guarded.pass(100_000);
    guarded.world.forbidden.add(widget.key);
    guarded.world.writing = 'refused';
    guarded.world.heal();
    await guarded.pass(100_000);
    expect(guarded.state).toBe('scalingUp');
    guarded.world.forbidden.clear();
    guarded.world.writing = 'fine';
    await guarded.pass(3_600_000);
    expect([guarded.state, guarded.world.state(widget.key).replicas > 0]).toEqual(['probing', true]);
  });

  test('6.8 in calm it is asked for with pauses that grow to an hour, and costs no look but that of each hour', async () => {
    const guarded = new GuardedWorld(withWidget);
    guarded.world.forbidden.add(widget.key);
    await guarded.pass(86_400_000);
    expect(guarded.state).toBe('probing');
    // 30 s, 1, 2, 4, 8, 16, 32 min; then each hour.
    expect(guarded.world.asked.reads).toBeGreaterThanOrEqual(28);
    expect(guarded.world.asked.reads).toBeLessThanOrEqual(32);
    expect(guarded.world.asked.machines).toBe(24);
  });
});
