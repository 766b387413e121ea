import { expect, test } from 'vitest';
import { leaseAccounts, leaseWitness } from '../../../src/adapters/record/facts/lease-witness.ts';
import type { ShootTurn } from '../../../src/effects/turn.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';

/** A clock is ahead, one node leaves, one has no lease, one kubelet's clock is behind; then the shoot is cut off, and heals. */
async function oddShoot(): Promise<readonly ShootTurn[]> {
  const one = new GuardedWorld(gardenerConfig, 6);
  const [leaving, bare, slow] = one.world.nodes;
  leaving!.machine = 'Terminating';
  bare!.leased = false;
  slow!.clockBehind = 25_000;
  one.world.shootAhead = 20_000;
  await one.pass(120_000);
  one.world.cutOff();
  await one.pass(60_000);
  one.restart();
  await one.pass(30_000);
  one.world.heal();
  await one.pass(120_000);
  return one.turns;
}

test('9.4 9.6 a journal tells the same leases of each verdict as the log told then', async () => {
  const [accounts, live, kept] = [leaseAccounts(), leaseWitness(), leaseWitness()];
  const told: (readonly unknown[])[] = [];
  for (const turn of await oddShoot()) {
    const { before: _, after: __, ...journaled } = turn;
    accounts.observe(turn);
    live.observe(turn);
    kept.observe(journaled);
    if (!turn.notes.some((note) => note.kind === 'verdict' && note.verdict === 'cutOff')) continue;
    told.push([accounts.of(turn), live.account(), kept.account()]);
  }
  expect(told.length).toBeGreaterThan(3);
  expect(told).toEqual(
    told.map(([account]) => {
      const witnessed = { account, expiry: 30_000, failureThreshold: 1 };
      return [account, witnessed, witnessed];
    }),
  );
});
