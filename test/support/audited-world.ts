import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import type { ShootSnapshot } from '../../src/machines/kinds.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { auditShoot, firstShootAccount, obeyed } from '@dwd/testing/shoot-laws.ts';

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
