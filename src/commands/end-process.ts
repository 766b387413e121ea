import process from 'node:process';
import type { Millis } from '../domain/time.ts';

/** How long the end waits until everything that was said has been taken. It has 5 s in all (SPEC 1.4). */
export const lastWords: Millis = 1_000;

/** What of Node's resources waits for a thread of the pool. */
const pooled = /^(?:FSReq|FileHandleCloseReq|GetAddrInfo|GetNameInfo)/;

/**
 * Ends the process with this code, whatever still hangs (SPEC 1.4). `process.exit` waits for all threads of the pool, so one that is stuck in
 * a file system or a name server would hold it up for as long as that lasts. Then another program takes the process over, which does nothing but
 * end: that takes the threads away, and the exit code stays ours.
 */
export function endProcess(code: number): never {
  if (!process.getActiveResourcesInfo().some((resource) => pooled.test(resource))) process.exit(code);
  // Plugins are ended and terminals are set right there.
  process.emit('exit', code);
  const { NODE_OPTIONS: _, ...env } = process.env;
  try {
    process.execve?.(process.execPath, [process.execPath, '--eval', `process.exit(${code})`], env);
  } finally {
    // Not every system can do that.
    process.exit(code);
  }
}
