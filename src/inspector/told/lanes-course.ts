import type { Instant } from '../../domain/time.ts';
import type { Language } from '../../machines/pure-machine.ts';
import type { Lanes, SpanFace } from './lanes.ts';
import type { RetakenTurn } from './retaken.ts';

/** Makes the lanes of one machine, turn by turn, in their order. What `lanes` gave before grows with the next turns. */
export type LanesCourse<Spoken extends Language> = Readonly<{
  take(retaken: RetakenTurn<Spoken>): void;
  lanes(): Lanes;
}>;

/** What one kind of machine is told by. */
type LanesOf<Spoken extends Language> = Readonly<{
  take(retaken: RetakenTurn<Spoken>): void;
  /** Nothing is known from `at` on, because of `face`; null where the machine is no more. */
  stop(at: Instant, face: SpanFace | null): void;
  lanes(): Pick<Lanes, 'first' | 'many' | 'limits'>;
}>;

/** Stops all lanes where turns are missing: what stood before them says nothing of the time between. */
export function lanesCourse<Spoken extends Language>(of: LanesOf<Spoken>): LanesCourse<Spoken> {
  let firstAt: Instant | null = null;
  let last: RetakenTurn<Spoken>['turn'] | undefined;

  return {
    take(retaken) {
      const { turn, gap } = retaken;
      if (last !== undefined && last.run !== turn.run) of.stop(last.at, otherRun);
      else if (last !== undefined && gap) of.stop(last.at, missing);
      of.take(retaken);
      if (turn.event.type === 'ended') of.stop(turn.at, null);
      firstAt ??= turn.at;
      last = turn;
    },
    lanes: () => ({ ...of.lanes(), firstAt, lastAt: last?.at ?? null }),
  };
}

const otherRun: SpanFace = {
  tone: 'unknown',
  label: 'another run',
  words: 'nothing is known: another run of the process begins after it',
};

const missing: SpanFace = { tone: 'unknown', label: 'missing', words: 'turns of this time are missing' };
