import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { Instant } from '../../domain/time.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { ShootCommands } from '../../machines/shoot-language.ts';

/** A write as it was commanded. */
export type AskedWrite = Readonly<{ at: Instant; write: ShootCommands['scale'] }>;

/**
 * Finds the write that a turn's `scale.answered` belongs to, which itself tells only the number. Every turn must pass
 * through it, in order, once. Writes of a machine that ended are forgotten with it.
 */
export function askedWrites(): (turn: ShootTurn) => AskedWrite | undefined {
  const byShoot = new Map<ShootNamespace, Map<number, AskedWrite>>();

  return ({ subject: shoot, event, at, commands }) => {
    if (event.type === 'ended' || event.type === 'started') byShoot.delete(shoot);
    const pending = byShoot.get(shoot);
    const asked = event.type === 'scale.answered' ? pending?.get(event.number) : undefined;
    if (event.type === 'scale.answered' && pending?.delete(event.number) === true && pending.size === 0)
      byShoot.delete(shoot);
    for (const command of commands) {
      if (command.type !== 'scale') continue;
      const writes = byShoot.get(shoot) ?? new Map<number, AskedWrite>();
      byShoot.set(shoot, writes.set(command.params.number, { at, write: command.params }));
    }
    return asked;
  };
}
