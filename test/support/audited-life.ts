import { expect } from 'vitest';
import type { DependantKey } from '../../src/domain/prober/dependant.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { auditedWorld } from './audited-world.ts';
import type { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { calm, happen, type Happening } from '@dwd/testing/histories.ts';
import { lawsBrokenByWrite } from '@dwd/testing/shoot-laws.ts';

type Audited = ReturnType<typeof auditedWorld>;

/** Lets everything of a history happen, and the laws be checked after each of it. */
export async function live(config: ProberConfig, history: readonly Happening[]): Promise<Audited> {
  const audited = auditedWorld(config);
  await audited.guarded.pass(60_000);
  for (const one of history) {
    await happen(audited.guarded, one, keysOf(config));
    expectLaws(audited);
  }
  return audited;
}

/** What must hold for every write and every turn so far. */
export function expectLaws({ guarded: { world, turns }, broken }: Audited): void {
  // A write may be carried out long after its turn, on a resource that others have changed.
  const carriedOut = world.writes.flatMap((one) => lawsBrokenByWrite(one.key, one.before, one.after));
  expect([...broken, ...carriedOut]).toEqual([]);
  world.writes.length = 0;
  // The last one is kept for `guarded.state`.
  turns.splice(0, turns.length - 1);
}

/** Calm comes, and everything has the replicas that it had at the beginning. */
export async function expectBackInCalm(guarded: GuardedWorld, config: ProberConfig): Promise<void> {
  await calmDown(guarded, config);
  for (const key of keysOf(config))
    expect(guarded.world.state(key), `L1 ${key}`).toMatchObject({ replicas: 2, ready: 2, mark: false });
}

/** Calm comes after other hands have been at work: nothing stays at 0, and no mark. */
export async function expectNothingDownInCalm(guarded: GuardedWorld, config: ProberConfig): Promise<void> {
  await calmDown(guarded, config);
  for (const key of keysOf(config)) {
    const { replicas, mark } = guarded.world.state(key);
    expect(replicas, `L1 ${key}`).toBeGreaterThan(0);
    expect(mark, `L1 ${key}`).toBe(false);
  }
}

export function expectDown(guarded: GuardedWorld, config: ProberConfig, law: string): void {
  for (const key of keysOf(config))
    expect(guarded.world.state(key), `${law} ${key}`).toMatchObject({ replicas: 0, mark: true, record: '2' });
}

async function calmDown(guarded: GuardedWorld, config: ProberConfig): Promise<void> {
  calm(guarded, keysOf(config));
  await guarded.pass(600_000);
  expect(guarded.state).toBe('probing');
}

function keysOf({ dependants }: ProberConfig): readonly DependantKey[] {
  return dependants.map(({ key }) => key);
}
