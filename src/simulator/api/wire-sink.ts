import type { ServerResponse } from 'node:http';
import type { WatchSink } from './watch-sink.ts';

/** The events of a watch go over a connection. */
export function wireSink(response: ServerResponse): WatchSink {
  return {
    begin({ onDrain, onClose }) {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.flushHeaders();
      response.on('drain', onDrain);
      response.on('close', onClose);
    },
    write: (lines) => void response.write(lines),
    get isFull() {
      return response.writableNeedDrain;
    },
    end: () => void response.end(),
    cut: () => void response.destroy(),
  };
}
