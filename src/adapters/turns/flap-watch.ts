import type { ShootNamespace } from '../../domain/names.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { ShootTurn } from '../../effects/turn.ts';

/** So many scale-downs of a shoot within `within` are no outages any more, but a network that comes and goes. */
export const manyDowns = 3;
const within: Millis = 10 * 60_000;

type Downs = Readonly<{ at: readonly Instant[]; flaps: boolean }>;

/** Of nearly every turn. */
const calm = { flapped: false, flaps: false };

/** Tells which shoots are scaled down again and again (SPEC 9.4). */
export function flapWatch() {
  const byShoot = new Map<ShootNamespace, Downs>();

  return {
    /** Whether the turn's shoot flapped before it, and after it. Every turn must pass. */
    after(turn: ShootTurn): Readonly<{ flapped: boolean; flaps: boolean }> {
      const before = byShoot.get(turn.subject);
      const isDown = turn.to === 'scalingDown' && turn.from !== turn.to;
      if (!isDown && before === undefined) return calm;
      return { flapped: before?.flaps === true, flaps: count(turn, before, isDown) };
    },
    forget: (shoot: ShootNamespace) => void byShoot.delete(shoot),
  };

  /** Whether the shoot flaps after it. */
  function count({ subject: shoot, at, to }: ShootTurn, before: Downs | undefined, isDown: boolean): boolean {
    // For ten minutes after a scale-down no turn changes anything.
    const oldest = before?.at[0];
    if (before !== undefined && oldest !== undefined && !isDown && to !== 'idle' && at - oldest < within)
      return before.flaps;
    const recent = (before?.at ?? []).filter((down) => at - down < within);
    const downs = isDown ? [...recent, at].slice(-manyDowns) : recent;
    // A shoot that rests does not flap.
    if (downs.length === 0 || to === 'idle') {
      byShoot.delete(shoot);
      return false;
    }
    const flaps = before?.flaps === true || downs.length >= manyDowns;
    byShoot.set(shoot, { at: downs, flaps });
    return flaps;
  }
}
