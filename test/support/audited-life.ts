import { expect } from 'vitest';
import type { DependantKey } from '../../src/domain/prober/dependant.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { calm, happen, type HistoryStep } from '@dwd/testing/histories.ts';
import { lawsBrokenByWrite, auditShoot, firstShootAccount, obeyed } from '@dwd/testing/shoot-laws.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import type { ShootSnapshot } from '../../src/machines/kinds.ts';

type Audited = ReturnType<typeof auditedWorld>;

/** Lets everything of a history happen, and the laws be checked after each of it. */
export async function live(config: ProberConfig, history: readonly HistoryStep[]): Promise<Audited> {
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

/** A guarded world, and the laws that its turns have broken so far, each in words. */
export function auditedWorld(config: ProberConfig): Readonly<{ guarded: GuardedWorld; broken: readonly string[] }> {
  const broken: string[] = [];
  let account = firstShootAccount;

  function audit({ event, before, after, commands, notes }: ShootTurn): void {
    if (event.type === 'started') {
      account = obeyed(firstShootAccount, { commands });
    } else if (event.type === 'ended') {
      if (event.because === 'bug') broken.push(`no bug: ${event.error}`);
    } else {
      const turn = { before: before as ShootSnapshot, event, after: after as ShootSnapshot, commands, notes };
      const judged = auditShoot(account, turn, config);
      account = judged.account;
      for (const law of judged.broken) broken.push(`${law}: ${JSON.stringify(event)}`);
    }
  }

  const guarded = new GuardedWorld(config, undefined, { onTurn: audit });
  // The first two are a zone: fewer than the threshold asks for.
  for (const [index, node] of guarded.world.nodes.entries()) node.view = { ...node.view, zone: index < 2 ? 'a' : 'b' };
  return { guarded, broken };
}
