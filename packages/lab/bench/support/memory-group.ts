import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

/** What a container is charged for: memory of no file, pages of files that it touched first, and what the kernel holds for it. */
type Charged = Readonly<{
  chargedBytes: number;
  /** As kubelet takes it: without the pages of files that were not used of late. Dashboards show it, and evictions go by it. */
  workingSetBytes: number;
}>;

/** A group that one process, and whatever it starts, is charged to. `enter`: what to put before a command of a shell. */
export type MemoryGroup = AsyncDisposable & Readonly<{ enter: string; read: () => Charged }>;

const versions = [
  { root: '/sys/fs/cgroup', usage: 'memory.current', inactive: 'inactive_file' },
  { root: '/sys/fs/cgroup/memory', usage: 'memory.usage_in_bytes', inactive: 'total_inactive_file' },
] as const;

let made = 0;

/** Undefined where this process may make none. Pages of the program's file are charged to whoever touched them first: on this machine seldom to the one that is measured. */
export function memoryGroup(): MemoryGroup | undefined {
  for (const { root, usage, inactive } of versions) {
    const group = join(root, `dwd-bench-memory-${process.pid}-${(made += 1)}`);
    try {
      mkdirSync(group);
      readFileSync(join(group, usage));
    } catch {
      // It is the other version, or nobody lets us.
      continue;
    }
    return {
      enter: `sh -c 'echo $$ > ${group}/cgroup.procs && exec "$0" "$@"'`,
      read: () => {
        const chargedBytes = Number(readFileSync(join(group, usage), 'utf8'));
        const stat = readFileSync(join(group, 'memory.stat'), 'utf8');
        const unused = Number(new RegExp(`^${inactive} (\\d+)$`, 'm').exec(stat)?.[1]);
        return { chargedBytes, workingSetBytes: Math.max(0, chargedBytes - unused) };
      },
      async [Symbol.asyncDispose]() {
        // The kernel needs a moment after the last process of a group.
        for (let tries = 0; tries < 20; tries++) {
          try {
            return rmdirSync(group);
          } catch {
            await pause(100);
          }
        }
      },
    };
  }
  return undefined;
}
