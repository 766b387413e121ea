/** Runs in the network of a space: takes connections of a listener that was made outside, and passes them on to an address inside. */
import { connect, type Server } from 'node:net';
import process from 'node:process';

const port = Number(process.argv[2]);

process.once('message', (_: unknown, listener: unknown) => {
  const server = listener as Server;
  server.on('connection', (outside) => {
    const inside = connect(port, '127.0.0.1');
    outside.pipe(inside).pipe(outside);
    for (const [one, other] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      one.on('error', () => other.destroy());
      one.once('close', () => other.destroy());
    }
  });
  process.send?.('listening');
});
