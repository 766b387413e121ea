import type { ShootNamespace } from '../../domain/names.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { ShootTurn } from '../../effects/turn.ts';

/** So many scale-downs of a shoot within `within` are no outages any more, but a network that comes and goes. */
export const manyDowns = 3;
const within: Millis = 10 * 60_000;

type Downs = Readonly<{ at: readonly Instant[]; flaps: boolean }>;

/** Tells which shoots are scaled down again and again (SPEC 9.4). */
export function flapWatch() {
  const byShoot = new Map<ShootNamespace, Downs>();

  return {
    /** Whether the turn's shoot flapped before it, and after it. Every turn must pass. */
    after(turn: ShootTurn): Readonly<{ flapped: boolean; flaps: boolean }> {
      const flapped = flaps(turn.subject);
      count(turn);
      return { flapped, flaps: flaps(turn.subject) };
    },
    forget: (shoot: ShootNamespace) => void byShoot.delete(shoot),
  };

  function flaps(shoot: ShootNamespace): boolean {
    return byShoot.get(shoot)?.flaps === true;
  }

  function count({ subject: shoot, at, from, to }: ShootTurn): void {
    const before = byShoot.get(shoot);
    const isDown = to === 'scalingDown' && from !== to;
    if (!isDown && before === undefined) return;
    const recent = (before?.at ?? []).filter((down) => at - down < within);
    const downs = isDown ? [...recent, at].slice(-manyDowns) : recent;
    // A shoot that rests does not flap.
    if (downs.length === 0 || to === 'idle') byShoot.delete(shoot);
    else byShoot.set(shoot, { at: downs, flaps: before?.flaps === true || downs.length >= manyDowns });
  }
}
