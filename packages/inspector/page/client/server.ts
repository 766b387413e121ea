import { after, type Cancel } from '../browser-clock.ts';
import { askPatiently } from './ask-patiently.ts';
import { carried, carriedAnswer } from './carried.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { backoff, type Backoff } from 'dependency-watchdog/domain/backoff.ts';
import { NoAnswer } from './no-answer.ts';
import type { StreamEvents } from '../../wire/wire.ts';

/** The longest that is shown of a refusal; a page of somebody else's proxy may be long. */
const longestRefusal = 300;

/** Asks the inspector's server for one of its JSON pages (docs/inspector.md). Rejects with `NoAnswer`. */
export async function getJson<Answer>(path: string): Promise<Answer> {
  if (carried !== undefined) return carriedAnswer(carried, path) as Answer;
  try {
    const { ok, status, said } = await askPatiently(path, after);
    if (ok) return JSON.parse(said) as Answer;
    const why = said.trim().slice(0, longestRefusal);
    throw new NoAnswer(`${status}${why === '' ? '' : ` ${why}`}`, status);
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    throw new NoAnswer('nothing answers', null, error);
  }
}

/** Of turns that were asked for up to the instant of a known one, those before it: several may share that instant. */
export function olderThan<Turn extends Readonly<{ run: string; seq: number; at: Instant }>>(
  known: Turn | undefined,
  turns: readonly Turn[],
): readonly Turn[] {
  if (known === undefined) return turns;
  return turns.filter(({ run, seq, at }) => (run === known.run ? seq < known.seq : at <= known.at));
}

/** Reconnect quickly: the server may restart. */
const pauses: Backoff = { first: 1_000, longest: 15_000 };

/** A reader that misses something again so soon is too slow for this stream, and waits longer each time. */
const soon = 30_000;

type Names = keyof StreamEvents;
type Listeners<Name extends Names> = { readonly [Each in Name]: (data: StreamEvents[Each]) => void };

/**
 * Follows a stream of server-sent events until it is cancelled. A broken one is opened again with back-off, from the beginning; so is one that
 * missed something, since a stream begins with all there is. `opened`: each time that it answers. `lost`: each try that fails.
 */
export function followStream<Name extends Names>(
  url: string,
  listeners: Listeners<Name>,
  { opened, lost }: Readonly<{ opened: () => void; lost: () => void }>,
): Cancel {
  let failures = 0;
  let stop: Cancel | undefined;
  let calm: Cancel | undefined;
  open();
  return () => {
    calm?.();
    stop?.();
  };

  function open(): void {
    const source = new EventSource(url);
    stop = () => source.close();
    const again = () => {
      calm?.();
      source.close();
      failures += 1;
      stop = after(backoff(failures, pauses), open);
    };
    source.addEventListener('open', () => {
      calm = after(soon, () => (failures = 0));
      opened();
    });
    source.addEventListener('error', () => {
      again();
      lost();
    });
    source.addEventListener('missed', again);
    for (const [name, hear] of Object.entries(listeners) as [Name, (data: unknown) => void][])
      source.addEventListener(name, ({ data }: MessageEvent<string>) => hear(JSON.parse(data)));
  }
}
