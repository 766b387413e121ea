import type { ServerResponse } from 'node:http';
/** Where the events of a watch go: a connection, or a client in memory. */
export type WatchSink = Readonly<{
  /** Sends the head of the answer. `onDrain` is called when it is no longer full, `onClose` when it has ended or was cut, from either side. */
  begin(reader: Readonly<{ onDrain: () => void; onClose: () => void }>): void;
  /** Whole lines, each with its line break. */
  write(lines: string): void;
  /** The reader is slow: write no more until it has drained. */
  get isFull(): boolean;
  /** Ends it in good order. */
  end(): void;
  /** Ends it in the middle. */
  cut(): void;
}>;

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
