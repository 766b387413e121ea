import { serverSentEvent } from '../../adapters/http/event-stream.ts';
import { journalLimits } from '../../adapters/journal/journal-limits.ts';
import { turnToWrite } from '../../adapters/journal/journal-line.ts';
import type { Turn } from '../../effects/turn.ts';
import { ofRun } from './turn-block.ts';

/** The event `turns` of a stream. `turns`: as JSON, each with its run. */
export function turnsEvent(turns: readonly string[]): Buffer {
  return serverSentEvent('turns', `{"turns":[${turns.join(',')}]}`);
}

/** The event of one turn as it is taken, made once for all who want it; undefined where it is longer than a turn may be. */
export type LiveTurnEvents = Readonly<{ bare(): Buffer | undefined; withBefore(): Buffer | undefined }>;

export function liveTurnEvents(turn: Turn, run: string): LiveTurnEvents {
  const { size, lines } = turnToWrite(turn, journalLimits.turnBytes);
  if (size > journalLimits.turnBytes) return { bare: () => undefined, withBefore: () => undefined };
  const written = lines();
  return {
    bare: once(() => eventOf(written.bare, run)),
    withBefore: once(() => eventOf(written.withBefore(), run)),
  };
}

/** A line ends with its line break. */
function eventOf(line: string | undefined, run: string): Buffer | undefined {
  return line === undefined ? undefined : turnsEvent([ofRun(line.slice(0, -1), run)]);
}

function once<Value>(make: () => Value): () => Value {
  let made: Readonly<{ value: Value }> | undefined;
  return () => (made ??= { value: make() }).value;
}
