import type { ShootNamespace } from '../../domain/names.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { Log } from './log.ts';

/** So many scale-downs of a shoot within `within` are no outages any more, but a network that comes and goes. */
const many = 3;
const within: Millis = 10 * 60_000;

type Downs = Readonly<{ at: readonly Instant[]; flaps: boolean }>;

/**
 * Says once that a shoot is scaled down again and again, and once that it is over. What is told of it in between would repeat with each
 * time, and goes to level debug (SPEC 9.4).
 */
export function flapLog(loud: Log) {
  const quiet: Log = { ...loud, info: (message, fields) => loud.debug(message, fields) };
  const byShoot = new Map<ShootNamespace, Downs>();

  return {
    /** The log for what is told of this turn. Every turn must pass. */
    after(turn: ShootTurn): Log {
      const { subject: shoot } = turn;
      const flapped = byShoot.get(shoot)?.flaps === true;
      count(turn);
      const flaps = byShoot.get(shoot)?.flaps === true;
      if (flaps && !flapped)
        loud.warn(
          `${shoot} is cut off and back again and again: it was scaled down ${many} times within 10 minutes. What the prober does with it is told on level debug now, until it was not scaled down for 10 minutes`,
          { line: 'flapping', shoot },
        );
      if (flapped && !flaps) loud.info(`${shoot} does not flap any more`, { line: 'no longer flapping', shoot });
      return flaps ? quiet : loud;
    },
    forget: (shoot: ShootNamespace) => void byShoot.delete(shoot),
  };

  function count({ subject: shoot, at, from, to }: ShootTurn): void {
    const before = byShoot.get(shoot);
    const isDown = to === 'scalingDown' && from !== to;
    if (!isDown && before === undefined) return;
    const recent = (before?.at ?? []).filter((down) => at - down < within);
    const downs = isDown ? [...recent, at].slice(-many) : recent;
    // A shoot that rests does not flap.
    if (downs.length === 0 || to === 'idle') byShoot.delete(shoot);
    else byShoot.set(shoot, { at: downs, flaps: before?.flaps === true || downs.length >= many });
  }
}
