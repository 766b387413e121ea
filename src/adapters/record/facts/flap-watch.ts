import type { ShootNamespace } from '../../../domain/names.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { ShootTurn } from '../../../effects/turn.ts';

/** So many times within `within` are no outages any more, but a network that comes and goes. */
export const manyTimes = 3;
const within: Millis = 10 * 60_000;

type Times = Readonly<{ at: readonly Instant[]; flaps: boolean }>;

/** Of nearly every turn. */
const calm = { flapped: false, flaps: false };

/** A return that waits may come to nothing, and then there is no other scale-down (SPEC 6.5). */
const comesOrGoes = ({ from, to, notes }: ShootTurn): boolean =>
  (to === 'scalingDown' && from !== to) || notes.some(({ kind }) => kind === 'returnWaits');

/** Tells to which shoots it happens again and again; by default, that they are scaled down, or wait before they are scaled up (SPEC 9.4). */
export function flapWatch(happens: (turn: ShootTurn) => boolean = comesOrGoes) {
  const byShoot = new Map<ShootNamespace, Times>();

  return {
    /** Whether the turn's shoot flapped before it, and after it. Every turn must pass. */
    after(turn: ShootTurn): Readonly<{ flapped: boolean; flaps: boolean }> {
      const before = byShoot.get(turn.subject);
      const isOne = happens(turn);
      if (!isOne && before === undefined) return calm;
      return { flapped: before?.flaps === true, flaps: count(turn, before, isOne) };
    },
    forget: (shoot: ShootNamespace) => void byShoot.delete(shoot),
  };

  /** Whether the shoot flaps after it. */
  function count({ subject: shoot, at, to }: ShootTurn, before: Times | undefined, isOne: boolean): boolean {
    // For ten minutes after it happened no turn changes anything.
    const oldest = before?.at[0];
    if (before !== undefined && oldest !== undefined && !isOne && to !== 'idle' && at - oldest < within)
      return before.flaps;
    const recent = (before?.at ?? []).filter((time) => at - time < within);
    const times = isOne ? [...recent, at].slice(-manyTimes) : recent;
    // A shoot that rests does not flap.
    if (times.length === 0 || to === 'idle') {
      byShoot.delete(shoot);
      return false;
    }
    const flaps = before?.flaps === true || times.length >= manyTimes;
    byShoot.set(shoot, { at: times, flaps });
    return flaps;
  }
}
