import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { listenOnLoopback } from '@dwd/simulator/api/listen-on-loopback.ts';
import { endsWithUs } from '../real/clearing-up.ts';
import type { NodeSpace } from './node-space.ts';

/**
 * A port of this machine's loopback behind which a port of a space's loopback is. A socket belongs to the network in which it was made:
 * so it is made here, and a process that is in there is given it.
 */
export async function relayTo(space: NodeSpace, port: number): Promise<number> {
  const server = createServer();
  const here = await listenOnLoopback(server, 0);
  const [command, args] = space.networkWords(process.execPath, [
    join(import.meta.dirname, 'relay-process.ts'),
    `${port}`,
  ]);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  endsWithUs(child);
  space.takesWithIt(child);
  child.send({}, server);
  await once(child, 'message');
  server.close();
  child.channel?.unref();
  return here;
}
