import type { Log } from '../../adapters/log/log.ts';
import type { StreamNotice } from '../../adapters/reflector/stream-trouble.ts';

/**
 * Logs what happens to the seed's streams: problems and their end as lines, the rest at DEBUG. Of a stream that is one of
 * hundreds (`of`), only what an operator must mend is logged, and only once until one of them works again.
 */
export function streamLog(log: Log): (notice: StreamNotice) => void {
  const refused = new Set<string>();
  /** By stream, because a namespace with too many objects reports each of them again and again. */
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
