import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { endsWithUs } from './clearing-up.ts';

const started: ChildProcess[] = [];

/** Starts a program whose output goes to a file of its name; it ends with this process, however that one ends. */
export function start(directory: string, name: string, command: string, args: readonly string[]): ChildProcess {
  const log = createWriteStream(join(directory, `${name}.log`));
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  // One that could not even be started has no pid, and whoever waits for it to be ready will say so.
  child.once('error', () => undefined);
  started.push(child);
  endsWithUs(child);
  return child;
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

export function endAll(): void {
  for (const child of started) child.kill('SIGKILL');
}

/** A port that nobody listens on just now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
