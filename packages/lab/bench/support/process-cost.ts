import { readdirSync, readFileSync } from 'node:fs';
import type { Series } from '@dwd/testing/program.ts';

/** Of the kernel's clock, on every Linux that Node runs on. */
const ticksInSecond = 100;

/** What a process took so far, in seconds of CPU and in bytes, as the kernel says. `anonymousBytes`: without the pages of files. Only Linux has /proc: elsewhere undefined. */
export type ProcessCost = Readonly<{
  cpuSeconds: number;
  residentBytes: number;
  anonymousBytes: number;
  mostResidentBytes: number;
}>;

export function costOf(pid: number | undefined): ProcessCost | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in brackets, with whatever in it; user and system time are the 14th and 15th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kibibytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksInSecond,
      residentBytes: kibibytes('VmRSS') * 1_024,
      anonymousBytes: kibibytes('RssAnon') * 1_024,
      mostResidentBytes: kibibytes('VmHWM') * 1_024,
    };
  } catch {
    // The process has ended.
    return undefined;
  }
}

/** Seconds of CPU by thread. V8's workers collect garbage and compile beside the main thread. */
export type ThreadCosts = Readonly<Record<'main thread' | "V8's workers" | 'others', number>>;

/** Only Linux tells: elsewhere undefined. */
export function threadCostsOf(pid: number): ThreadCosts | undefined {
  if (process.platform !== 'linux') return undefined;
  const seconds = { 'main thread': 0, "V8's workers": 0, others: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    const nanoseconds = Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]);
    seconds[thread === String(pid) ? 'main thread' : groupOf(readFileSync(`${folder}/comm`, 'utf8'))] +=
      nanoseconds / 1e9;
  }
  return seconds;
}

function groupOf(name: string): "V8's workers" | 'others' {
  // The second one hands tasks to the others when their time has come.
  return /V8Worker|DelayedTask/.test(name) ? "V8's workers" : 'others';
}

/** By how many seconds a role's event loop was late, 99th percentile: its samples are 0.1 s apart, as of src/adapters/record/metrics/metrics.ts. */
export function lateSeconds(series: Series): number {
  return Math.max(0, (series['nodejs_eventloop_lag_p99_seconds'] ?? NaN) - 0.1);
}

/** A role's memory, from its metrics. */
export function memoryWords(series: Series): string {
  const [resident, heap] = ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes'].map(
    (name) => `${((series[name] ?? NaN) / 1_048_576).toFixed(0)} MiB`,
  );
  return `${resident}, of it heap ${heap}`;
}
