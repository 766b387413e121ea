import { expect, test } from 'vitest';
import type { ShootTurn } from '../../src/effects/turn.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { journalDriver, replay } from '@dwd/testing/journal-driver.ts';
import { linesOf } from '@dwd/testing/heard-io.ts';

/** An outage of a shoot with a node that leaves, a sick one, and one without a lease. */
async function outage(nodes = 5): Promise<readonly ShootTurn[]> {
  const guarded = new GuardedWorld(gardenerConfig, nodes);
  const { world } = guarded;
  world.addNode('leaving', 'Terminating');
  world.addNode('sick');
  const sick = world.nodes.at(-1)!;
  sick.view = { ...sick.view, trueConditions: ['DiskPressure'] };
  world.addNode('unleased');
  world.nodes.at(-1)!.leased = false;
  await guarded.pass(120_000);
  world.cutOff();
  await guarded.pass(90_000);
  world.heal();
  await guarded.pass(180_000);
  return guarded.turns;
}

const story = await outage();

test('9.4 the line of a verdict names the expired leases with their age, who is left out and why, and who has no lease', () => {
  const line = linesOf(story).find(({ to }) => to === 'scalingDown');
  expect(line?.['msg']).toMatch(
    /^shoot--sim--one is cut off: 4 of 5 leases are expired \(node-1 silent for 35\.1 s, node-2 for 33\.4 s, node-3 for 31\.7 s and 1 more\); left out: leaving \(Machine Terminating\), sick \(DiskPressure\); without a lease: unleased; it is scaled down$/,
  );
  expect(line).toMatchObject({
    expired: 4,
    leftOut: [
      { node: 'leaving', why: 'Machine Terminating' },
      { node: 'sick', why: 'DiskPressure' },
    ],
    leftOutCount: 2,
    withoutLease: ['unleased'],
    withoutLeaseCount: 1,
  });
  const expired = line?.['expiredLeases'] as readonly { node: string; silentMs: number }[];
  expect(expired.map(({ node }) => node).toSorted()).toEqual(expect.arrayContaining([expect.stringMatching(/^node-/)]));
  expect(expired.every(({ silentMs }) => silentMs >= 30_000 && silentMs < 40_000)).toBe(true);
  expect(expired.length).toBe(4);
});

test('9.4 once the shoot is connected again, nobody is named that decided nothing', () => {
  const line = linesOf(story).find(({ to }) => to === 'scalingUp');
  expect(line?.['msg']).toBe('shoot--sim--one is connected again: 0 of 5 leases are expired; it is scaled up');
  expect(line).not.toHaveProperty('leftOut');
});

test('9.4 of many, ten of each stand in the line, and three in its sentence', async () => {
  const line = linesOf(await outage(40)).find(({ to }) => to === 'scalingDown');
  expect(line?.['msg']).toMatch(/leases are expired \((?:node-\d+ (?:silent )?for \S+ s(?:, )?){3} and \d+ more\);/);
  expect(line?.['expiredLeases']).toHaveLength(10);
  expect(line?.['expired']).toBeGreaterThan(10);
});

test('9.4 9.6 a replay names the same leases as the log did', async () => {
  const { journal } = journalDriver({ memoryOnly: true });
  for (const turn of story) journal.observe(turn);
  const { lines } = await replay(['-'], journal.chapters());
  const logged = linesOf(story).find(({ to }) => to === 'scalingDown');
  const named = /\(node.*unleased/.exec(String(logged?.['msg']))?.[0];
  expect(named).toBeDefined();
  expect(lines.filter((line) => line.includes('leases: ')).join('\n')).toContain(`expired ${named}`);
});
