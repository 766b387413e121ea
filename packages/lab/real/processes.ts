import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endsWithUs } from './clearing-up.ts';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { keepPort, listenOnLoopback } from '@dwd/simulator/api/listen-on-loopback.ts';

const started: ChildProcess[] = [];

/** Starts a program whose output goes to a file of its name; it ends with this process, however that one ends. */
export function start(directory: string, name: string, command: string, args: readonly string[]): ChildProcess {
  const log = openSync(join(directory, `${name}.log`), 'w');
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  // At once, so that all of it is there when the child has ended.
  for (const output of [child.stdout, child.stderr]) output.on('data', (piece: Buffer) => writeFileSync(log, piece));
  child.once('close', () => closeSync(log));
  // A program that could not be started has no pid. The caller that waits for it to be ready will report that.
  child.once('error', () => undefined);
  started.push(child);
  endsWithUs(child);
  return child;
}

export async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

export function endAll(): void {
  for (const child of started) child.kill('SIGKILL');
}

/** True if the child ended by itself, was ended, or could not be started. */
export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Tries again if somebody else took the port after we found it free and before the program listened on it. */
export async function onFreePort<T>(attempt: (port: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await attempt(await freePort());
    } catch (error) {
      if (tries === 3 || !String(error).includes('address already in use')) throw error;
    }
}

/** The last lines of a program's log. */
export function saidLast(directory: string, name: string): string {
  return readFileSync(join(directory, `${name}.log`), 'utf8').slice(-2_000);
}

/** A port of 127.0.0.1 on which nobody listens now, and which none of our processes will choose, for a program that is told where to listen. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server, 0);
  await keepPort(port);
  server.close();
  await once(server, 'close');
  return port;
}
