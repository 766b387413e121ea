import { Subscription } from 'rxjs';
import type { Log } from '../../adapters/record/log/log.ts';
import type { StreamNotice } from '../../adapters/reflector/stream-item.ts';
import { seconds } from '../../adapters/words/plain-words.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { streamKey, type DeadStream, type SeedStreams } from './seed-streams.ts';
import { streamWords } from './stream-words.ts';

/** Streams that fail together are told together. */
const gathering: Millis = 500;
/** A seed that says nothing is told after this time. */
const slow: Millis = 5_000;
/** Of hundreds of streams that come and go, one may stumble; it is told only if it does not get up. A refusal is told at once. */
const stumbling: Millis = 10_000;
/** What lasts is told again. */
const repeatEvery: Millis = 60_000;
/** Names of streams in a field of a line. */
const mostNames = 10;

type StreamLogOptions = Readonly<{
  clock: Clock;
  /** Must have taken each notice before it comes here. */
  streams: SeedStreams;
  /** The address of the seed. */
  server: () => string;
}>;

/**
 * Tells which streams cannot follow the seed, and why: at once, then each minute, and when it ends (SPEC 9.4). Streams with the same
 * trouble share a line. What else the streams tell is told at DEBUG.
 */
export function streamOutageLog(
  log: Log,
  { clock, streams, server }: StreamLogOptions,
): (notice: StreamNotice) => void {
  const told = new Map<string, DeadStream>();
  /** Live again, or closed, while others that were told are still dead. */
  const over = new Map<string, DeadStream & Readonly<{ closed: boolean }>>();
  let repeatAt: Instant = Infinity;
  let plannedAt: Instant = Infinity;
  let planned = Subscription.EMPTY;

  const plan = (at: Instant) => {
    if (at >= plannedAt) return;
    planned.unsubscribe();
    plannedAt = at;
    planned = clock.wakeAt(at).subscribe(look);
  };

  const cancel = () => {
    planned.unsubscribe();
    plannedAt = repeatAt = Infinity;
  };

  function look(): void {
    plannedAt = Infinity;
    const now = clock.now();
    const waiting = [...streams.dead].filter(([key]) => !told.has(key));
    const isDue = waiting.some(([, dead]) => dueAt(dead) <= now);
    // Those that failed a moment later join the line.
    const fresh = isDue ? waiting.filter(([, dead]) => dueAt(dead) <= now + gathering) : [];
    tellDead('cannot watch', fresh);
    for (const [key, dead] of fresh) told.set(key, dead);
    if (told.size > 0 && repeatAt === Infinity) repeatAt = now + repeatEvery;
    if (now >= repeatAt) {
      tellDead(
        'still cannot watch',
        [...streams.dead].filter(([key]) => told.has(key)),
        now,
      );
      tellOver(now);
      repeatAt = now + repeatEvery;
    }
    plan(Math.min(repeatAt, ...waiting.map(([, dead]) => dueAt(dead)).filter((at) => at > now)));
  }

  /** As the role names its streams, whichever of them failed first. */
  function byName(one: DeadStream, other: DeadStream): number {
    return streams.names.indexOf(one.stream) - streams.names.indexOf(other.stream);
  }

  function tellDead(verb: string, all: readonly (readonly [string, DeadStream])[], now?: Instant): void {
    const inOrder = all.map(([, one]) => one).toSorted(byName);
    for (const [reason, dead] of Map.groupBy(inOrder, reasonOf)) {
      const lasts = now === undefined ? '' : `, for ${seconds(now - earliest(dead))}`;
      log.error(`${verb} ${streamWords(dead)} on ${server()}${lasts}: ${reason}`, fieldsOf('cannot watch', dead));
    }
  }

  function tellOver(now: Instant): void {
    for (const [closed, gone] of Map.groupBy([...over.values()].toSorted(byName), (one) => one.closed)) {
      const after = `, after ${seconds(now - earliest(gone))}`;
      const words = `${streamWords(gone)} on ${server()}`;
      const how = gone.every(({ wasLive }) => wasLive) ? 'again' : 'at last';
      log.info(
        closed ? `need not watch ${words} any more${after}` : `watches ${words} ${how}${after}`,
        fieldsOf('watches again', gone),
      );
    }
    over.clear();
  }

  function end(key: string, closed: boolean): void {
    const dead = told.get(key);
    if (!told.delete(key) || dead === undefined) return;
    over.set(key, { ...dead, closed });
    if (told.size > 0) return;
    tellOver(clock.now());
    repeatAt = Infinity;
  }

  return (notice) => {
    const key = streamKey(notice);
    if (notice.kind === 'live') end(key, false);
    if (notice.kind === 'closed') {
      // Those of a role that ends are no news.
      if (notice.of === undefined) told.delete(key);
      else end(key, true);
    }
    const dead = streams.dead.get(key);
    if (dead !== undefined && over.delete(key)) told.set(key, dead);
    else if (dead !== undefined && !told.has(key)) plan(Math.max(clock.now(), dueAt(dead)));
    if (streams.dead.size === 0) cancel();
  };
}

function dueAt({ since, of, refused, reason }: DeadStream): Instant {
  if (of !== undefined && !refused) return since + stumbling;
  return since + (reason === undefined ? slow : gathering);
}

function reasonOf({ reason }: DeadStream): string {
  return reason ?? 'not open yet, the server does not answer';
}

function earliest(all: readonly DeadStream[]): Instant {
  return Math.min(...all.map(({ since }) => since));
}

function fieldsOf(line: string, all: readonly DeadStream[]) {
  return { line, streams: all.slice(0, mostNames).map(streamKey) };
}
