import type { ShootTurn } from '../../effects/turn.ts';
import { flapWatch, manyDowns } from '../turns/flap-watch.ts';
import type { Log } from './log.ts';

/**
 * Says once that a shoot is scaled down again and again, and once that it is over. What is told of it in between would repeat with each
 * time, and goes to level debug (SPEC 9.4).
 */
export function flapLog(loud: Log) {
  const quiet: Log = { ...loud, info: (message, fields) => loud.debug(message, fields) };
  const watch = flapWatch();

  return {
    /** The log for what is told of this turn. Every turn must pass. */
    after(turn: ShootTurn): Log {
      const { subject: shoot } = turn;
      const { flapped, flaps } = watch.after(turn);
      if (flaps && !flapped)
        loud.warn(
          `${shoot} is cut off and back again and again: it was scaled down ${manyDowns} times within 10 minutes. What the prober does with it is told on level debug now, until it was not scaled down for 10 minutes`,
          { line: 'flapping', shoot },
        );
      if (flapped && !flaps) loud.info(`${shoot} does not flap any more`, { line: 'no longer flapping', shoot });
      return flaps ? quiet : loud;
    },
    forget: watch.forget,
  };
}
