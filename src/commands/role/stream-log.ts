import type { Log } from '../../adapters/log/log.ts';
import type { StreamNotice } from '../../adapters/seed-watch/stream-notice.ts';

/** Tells what happens to the seed's streams: trouble and its end as lines, what is only counted at DEBUG. */
export function streamLog(log: Log): (notice: StreamNotice) => void {
  return ({ kind, ...fields }) => {
    switch (kind) {
      case 'out':
        return log.error('a watch on the seed cannot be relied on', fields);
      case 'live':
        return log.info('a watch on the seed is there', fields);
      case 'restarted':
        return log.debug('a watch on the seed begins anew', fields);
      case 'badLine':
        return log.error('the seed sent what is no object', fields);
      case 'unprojected':
        return log.error('an object of the seed could not be taken in', fields);
      case 'overLimit':
        return log.error('the seed has more objects than are kept', fields);
      case 'unreadable':
        return log.error('a Cluster cannot be read', fields);
    }
  };
}
