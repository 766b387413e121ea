import type { StreamNotice } from '../../adapters/reflector/stream-trouble.ts';

/**
 * Puts what the seed's streams have to say into a sentence; what is usual is left out. Of many streams of one name the
 * first one that is out is told, and that none is any more.
 */
export function streamRemarks(remark: (text: string) => void): (notice: StreamNotice) => void {
  /** By the name of the stream, whose they are. */
  const out = new Map<string, Set<string>>();
  return (notice) => {
    const { kind, stream, of = '' } = notice;
    const those = out.get(stream) ?? new Set();
    out.set(stream, those);
    switch (kind) {
      case 'restarted':
        return;
      case 'live':
        // The first time is the beginning, not the end of a trouble.
        if (those.delete(of) && those.size === 0) remark(`the watch on ${stream} is back`);
        return;
      case 'out':
        if (those.size === 0) remark(`the watch on ${stream} cannot be relied on: ${notice.problem}`);
        those.add(of);
        return;
      case 'badLine':
        return remark(`the watch on ${stream} brought what is no object: ${notice.problem}`);
      case 'unprojected':
      case 'unreadable':
        return remark(`${notice.object} of ${stream} cannot be read: ${notice.problem}`);
      case 'overLimit':
        return remark(`${notice.object} of ${stream} is one more than the ${notice.limit} that are kept`);
    }
  };
}
