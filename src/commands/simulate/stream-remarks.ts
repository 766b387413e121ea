import type { StreamNotice } from '../../adapters/seed-watch/stream-notice.ts';

/** Puts what the seed's streams have to say into a sentence; what is usual is left out. */
export function streamRemarks(remark: (text: string) => void): (notice: StreamNotice) => void {
  const out = new Set<string>();
  return (notice) => {
    const { kind, stream } = notice;
    switch (kind) {
      case 'restarted':
        return;
      case 'live':
        // The first time is the beginning, not the end of a trouble.
        if (out.delete(stream)) remark(`the watch on ${stream} is back`);
        return;
      case 'out':
        out.add(stream);
        return remark(`the watch on ${stream} cannot be relied on: ${notice.problem}`);
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
