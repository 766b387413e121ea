import { isEnded, isStarted } from '../../adapters/turns/runtime-events.ts';
import type { MachineEvent, ShootContext } from '../../machines/shoot-context.ts';
import type { ShootEventOf } from '../../machines/shoot-language.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import { shootMachine } from '../../machines/shoot.ts';
import { tracedMachine } from './traced-machine.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';

/** The verdict that a shoot went by: the event that the probe raised, and what the machine remembered when the guards were asked. */
export type LastVerdict = Readonly<{
  index: number;
  event: Extract<MachineEvent, { type: 'verdict.reached' }>;
  context: ShootContext;
  /** The look that tells which leases count: of this verdict, or the last one before it that is recorded. */
  look: ShootEventOf<'candidates.answered'> | undefined;
}>;

const trace = tracedMachine<ShootLanguage>(shootMachine);

/** The verdict that holds after the turn at `index`; undefined where none was reached since the shoot was seen or paused, or none is recorded. */
export function lastVerdict(turns: readonly ShootTurnTaken[], index: number): LastVerdict | undefined {
  for (let at = index; at >= 0; at -= 1) {
    const one = turns[at];
    if (one?.after === undefined || !holdsVerdict(one.after.context)) return undefined;
    const { turn, before } = one;
    if (!turn.notes.some(({ kind }) => kind === 'verdict')) continue;
    if (before === undefined || isStarted(turn.event) || isEnded(turn.event)) return undefined;
    // The chart asks its guards of each verdict, so the trace has heard it.
    const heard = trace(before, turn.event).asked.find((asked) => asked.heard.type === 'verdict.reached');
    if (heard === undefined) return undefined;
    const event = heard.heard as LastVerdict['event'];
    return { index: at, event, context: heard.context as ShootContext, look: lookBefore(turns, at) };
  }
  return undefined;
}

/** A pause forgets what was judged, and no verdict holds over it. */
function holdsVerdict({ paths, seen, streak }: ShootContext): boolean {
  return paths === undefined ? seen !== null : streak.count > 0;
}

/** A look tells of one stretch of probing, which a pause or a start ends. */
function lookBefore(turns: readonly ShootTurnTaken[], index: number): LastVerdict['look'] {
  for (let at = index; at >= 0; at -= 1) {
    const one = turns[at];
    if (one?.after === undefined || one.after.context.seen === null) return undefined;
    if (one.turn.event.type === 'candidates.answered') return one.turn.event;
  }
  return undefined;
}
