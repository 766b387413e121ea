import process from 'node:process';
import type { Millis } from '../domain/time.ts';

/** CPU time that the calling thread has used since it began; costs a microsecond. */
export function cpuTime(): Millis {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
