import { readdirSync, readFileSync } from 'node:fs';
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { Gauge } from 'prom-client';
import type { Instruments } from './metric-list.ts';

/** How often the event loop's delay is sampled. Each sample wakes the process: at 20 ms they were two thirds of what it costs at rest. */
const sampleEvery = 100;

const kindsOfCollection: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

export type ProcessReadings = Readonly<{
  /** Reads the process, before each rendering. */
  read(): void;
  close(): void;
}>;

/** Keeps the metrics of the process. Stops with `close`. */
export function processReadings(instruments: Instruments): ProcessReadings {
  const delay = monitorEventLoopDelay({ resolution: sampleEvery });
  delay.enable();
  const collections = new PerformanceObserver((seen) => {
    for (const { detail, duration } of seen.getEntries() as readonly GarbageEntry[]) {
      const kind = kindsOfCollection[detail?.kind ?? 0];
      if (kind !== undefined) instruments.garbageCollection.observe({ kind }, duration / 1_000);
    }
  });
  collections.observe({ entryTypes: ['gc'] });

  const [major = '', minor = '', patch = ''] = process.versions.node.split('.');
  instruments.nodeVersion.set({ version: process.version, major, minor, patch }, 1);
  setOrHide(instruments.maxFiles, numberIn('/proc/self/limits', /^Max open files\s+(\d+)/m));

  return {
    read() {
      const { user, system } = process.cpuUsage();
      instruments.cpu.reset();
      instruments.cpu.inc((user + system) / 1e6);
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
      instruments.residentMemory.set(rss);
      instruments.heapUsed.set(heapUsed);
      instruments.heapTotal.set(heapTotal);
      instruments.externalMemory.set(external);
      const kibibytes = numberIn('/proc/self/status', /^VmSize:\s+(\d+) kB/m);
      setOrHide(instruments.virtualMemory, kibibytes === undefined ? undefined : kibibytes * 1_024);
      setOrHide(instruments.openFiles, openFiles());
      // The histogram holds the intervals between samples: a loop that is never late shows `sampleEvery`.
      instruments.loopLagP99.set(late(delay.percentile(99)));
      instruments.loopLagMean.set(late(delay.mean));
      delay.reset();
    },
    close() {
      delay.disable();
      collections.disconnect();
    },
  };
}

/** As Node tells of a collection of garbage. */
type GarbageEntry = PerformanceEntry & Readonly<{ detail?: Readonly<{ kind?: number }> }>;

function late(nanoseconds: number): number {
  // Nothing was sampled yet.
  if (Number.isNaN(nanoseconds)) return 0;
  return Math.max(0, nanoseconds / 1e6 - sampleEvery) / 1_000;
}

/** A gauge without a value would show 0. */
function setOrHide(gauge: Gauge<never>, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

/** Undefined where the file is not there: on anything but Linux. */
function numberIn(file: string, pattern: RegExp): number | undefined {
  try {
    const found = pattern.exec(readFileSync(file, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

function openFiles(): number | undefined {
  try {
    // One of them is the directory itself, as it is read.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}
