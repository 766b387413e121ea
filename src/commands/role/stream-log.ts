import type { Log } from '../../adapters/log/log.ts';
import type { StreamNotice } from '../../adapters/reflector/stream-trouble.ts';

/**
 * Tells what happens to the seed's streams: trouble and its end as lines, what is only counted at DEBUG. Of a stream that is
 * one of hundreds (`of`) only what an operator has to mend is told, once until one of them is well again.
 */
export function streamLog(log: Log): (notice: StreamNotice) => void {
  const refused = new Set<string>();
  /** By stream: a namespace that has too many sends each of them again and again. */
  const overLimit = new Set<string>();

  return (notice) => {
    const { kind: _, ...fields } = notice;
    const oneOfMany = notice.of !== undefined;
    const which = `${notice.stream} ${notice.of ?? ''}`;
    switch (notice.kind) {
      case 'out': {
        const isNews = !oneOfMany || (notice.refused && !refused.has(notice.stream));
        if (isNews && oneOfMany) refused.add(notice.stream);
        return log[isNews ? 'error' : 'debug']('a watch on the seed cannot be relied on', fields);
      }
      case 'live':
        refused.delete(notice.stream);
        overLimit.delete(which);
        return log[oneOfMany ? 'debug' : 'info']('a watch on the seed is there', fields);
      case 'restarted':
        return log.debug('a watch on the seed begins anew', fields);
      case 'badLine':
        return log.error('the seed sent what is no object', fields);
      case 'unprojected':
        return log.error('an object of the seed could not be taken in', fields);
      case 'overLimit': {
        const isNews = !overLimit.has(which);
        overLimit.add(which);
        return log[isNews ? 'error' : 'debug']('the seed has more objects than are kept', fields);
      }
      case 'unreadable':
        return log.error('a Cluster cannot be read', fields);
    }
  };
}
