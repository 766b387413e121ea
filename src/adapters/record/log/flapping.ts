import type { ShootNamespace } from '../../../domain/names.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import { flapWatch, manyTimes } from '../facts/flap-watch.ts';
import { partWords } from '../words/lease-words.ts';
import type { Log } from './log.ts';

/**
 * Says once that a shoot is scaled down again and again, and once that it is over. What is told of it in between would repeat with each
 * time, and goes to level debug (SPEC 9.4). So it is with early warnings that come and go.
 */
export function flapLog(loud: Log) {
  const debug: Log['debug'] = (message, fields) => loud.debug(message, fields);
  const quiet: Log = { ...loud, info: debug };
  const watch = flapWatch();
  const warnings = flapWatch(({ notes }) =>
    notes.some(({ kind }) => kind === 'partialOutageOver' || kind === 'renewalsLateOver'),
  );

  return {
    /** The logs for what is told of this turn, and for its early warnings. Every turn must pass. */
    after(turn: ShootTurn): Readonly<{ log: Log; warnings: Log }> {
      const { subject: shoot } = turn;
      const { flapped, flaps } = watch.after(turn);
      if (flaps && !flapped)
        loud.warn(
          `${shoot} is cut off and back again and again: it was scaled down, or had to wait before it was scaled up, ${manyTimes} times within 10 minutes. What the prober does with it is told on level debug now, until neither happened for 10 minutes`,
          { line: 'flapping', shoot },
        );
      if (flapped && !flaps) loud.info(`${shoot} does not flap any more`, { line: 'no longer flapping', shoot });
      const log = flaps ? quiet : loud;
      return { log, warnings: tellWarnings(turn) ? { ...quiet, warn: debug } : log };
    },
    forget: (shoot: ShootNamespace) => {
      watch.forget(shoot);
      warnings.forget(shoot);
    },
  };

  /** Returns whether they come and go. */
  function tellWarnings(turn: ShootTurn): boolean {
    const { subject: shoot, after } = turn;
    const { flapped, flaps } = warnings.after(turn);
    if (flaps && !flapped)
      loud.warn(
        `${shoot}: its early warnings come and go again and again: they ended ${manyTimes} times within 10 minutes. They are told on level debug now, until none ended for 10 minutes`,
        { line: 'flapping', shoot },
      );
    if (flapped && !flaps) {
      const partial = after?.context.said.partial ?? null;
      // What began last was told on level debug.
      const now = partial === null ? '' : `; ${partWords(partial)}`;
      const fields = { line: 'no longer flapping', shoot };
      loud.info(`${shoot}: its early warnings do not come and go any more${now}`, fields);
    }
    return flaps;
  }
}
