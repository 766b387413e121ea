import type { Log } from '../../adapters/record/log/log.ts';
import type { StreamNotice } from '../../adapters/reflector/stream-item.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import { streamKey } from './seed-streams.ts';

/** The same fault of one stream is told once in this time. */
const pause: Millis = 60_000;

/**
 * Tells what the seed's streams say of themselves: every step at DEBUG, and what an operator has to know as an error, no more than once
 * a minute. How long a stream is out is told by `streamOutageLog`.
 */
export function streamLog(log: Log, clock: Readonly<{ now(): Instant }>): (notice: StreamNotice) => void {
  const told = new Map<string, Instant>();
  /** By stream, because a namespace with too many objects reports each of them again and again. */
  const overLimit = new Set<string>();

  /** An error if it is new for a minute. There are as many of these as there are kinds of faults and names of streams. */
  const tell = (message: string, { kind, ...fields }: StreamNotice) => {
    const key = `${kind} ${fields.stream}`;
    const last = told.get(key);
    const isNews = last === undefined || clock.now() - last >= pause;
    if (isNews) told.set(key, clock.now());
    log[isNews ? 'error' : 'debug'](message, fields);
  };

  return (notice) => {
    const { kind, ...fields } = notice;
    switch (kind) {
      case 'opening':
        return log.debug('opens a watch on the seed', fields);
      case 'live':
        overLimit.delete(streamKey(notice));
        return log.debug('a watch on the seed is live', fields);
      case 'out':
        return log.debug('a watch on the seed is out', fields);
      case 'restarted':
        return log.debug('a watch on the seed begins anew', fields);
      case 'renewed':
        return log.debug('the seed ended a watch in good order, it is opened again', fields);
      case 'replaced': {
        const { by, stream, problem } = fields as StreamNotice & { by: string; problem: string };
        return log.info(`watches ${by} instead of ${stream}: ${problem}`, { line: 'watches another kind', by, stream });
      }
      case 'closed':
        overLimit.delete(streamKey(notice));
        return log.debug('a watch on the seed is closed', fields);
      case 'badLine':
        return tell('the seed sent something that is not an object of Kubernetes', notice);
      case 'unprojected':
        return tell(
          'an object of the seed could not be read, by a bug of the watchdog; it stays as it was known',
          notice,
        );
      case 'overLimit': {
        const key = streamKey(notice);
        const isNews = !overLimit.has(key);
        overLimit.add(key);
        const message = 'the seed has more objects than the watchdog keeps, so some are not looked after';
        return log[isNews ? 'error' : 'debug'](message, fields);
      }
      case 'unreadable':
        return log.error('a Cluster cannot be read, so its shoot is not probed', fields);
    }
  };
}
