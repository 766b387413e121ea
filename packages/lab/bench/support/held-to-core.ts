import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { endsWithUs } from '../../real/clearing-up.ts';

/** A process with a part of a core until this is disposed of; `how` says what holds it. */
export type HeldToCore = Disposable & Readonly<{ how: string }>;

/** Kubernetes' period for a CPU limit, in microseconds: the process runs until its share of one is used up, and stands still until the next. */
const period = 100_000;

const limits = [
  {
    name: 'a cgroup (v2, cpu.max)',
    root: '/sys/fs/cgroup',
    files: (quota: number) => ({ 'cpu.max': `${quota} ${period}` }),
  },
  {
    name: 'a cgroup (v1, cpu.cfs_quota_us)',
    root: '/sys/fs/cgroup/cpu',
    files: (quota: number) => ({ 'cpu.cfs_period_us': `${period}`, 'cpu.cfs_quota_us': `${quota}` }),
  },
] as const;

/**
 * Holds a running process, all its threads together, to so much of one core: by a cgroup where we may make one, as the kernel holds a
 * container with a limit; else by busy neighbours on the one core that it may use then.
 */
export function heldToCore(pid: number, fraction: number): HeldToCore {
  for (const limit of limits) {
    const held = inCgroup(pid, limit.root, limit.files(fraction * period));
    if (held !== undefined) return { ...held, how: `held to ${fraction} of a core by ${limit.name}` };
  }
  return besideNeighbours(pid, Math.max(1, Math.round(1 / fraction) - 1));
}

function inCgroup(pid: number, root: string, files: Readonly<Record<string, string>>): Disposable | undefined {
  const group = join(root, `dwd-bench-${process.pid}`);
  try {
    mkdirSync(group);
  } catch {
    return undefined;
  }
  try {
    for (const [name, text] of Object.entries(files)) tell(join(group, name), text);
    tell(join(group, 'cgroup.procs'), `${pid}`);
  } catch {
    rmdirSync(group);
    return undefined;
  }
  const free = (): void => {
    try {
      tell(join(root, 'cgroup.procs'), `${pid}`);
    } catch {
      // The process has ended.
    }
    rmdirSync(group);
  };
  return { [Symbol.dispose]: free };
}

/** The kernel's files are there already; where one is not, the folder is no cgroup of this kind, and must not get a file of ours. */
function tell(file: string, text: string): void {
  writeFileSync(file, text, { flag: 'r+' });
}

function besideNeighbours(pid: number, count: number): HeldToCore {
  const core = String(availableParallelism() - 1);
  const { status } = spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', core, String(pid)]);
  if (status !== 0) throw new Error('--core needs a cgroup that we may make, or taskset');
  const neighbours = Array.from({ length: count }, () => {
    const neighbour = spawn('taskset', ['--cpu-list', core, process.execPath, '--eval', 'for (;;);'], {
      stdio: 'ignore',
    });
    endsWithUs(neighbour);
    return neighbour;
  });
  const free = (): void => {
    for (const neighbour of neighbours) neighbour.kill('SIGKILL');
  };
  return { how: `on one core with ${count} busy neighbour${count === 1 ? '' : 's'}`, [Symbol.dispose]: free };
}
