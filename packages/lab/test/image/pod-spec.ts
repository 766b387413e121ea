import { join } from 'node:path';
import { startOf } from './unpacked-image.ts';
import type { Wire } from './pod-network.ts';

/** A directory of this machine in the pod. */
export type Mount = Readonly<{ at: string; from: string; writable?: boolean }>;

export type PodSpec = Readonly<{
  name: string;
  /** The whole command, which overrides the image's entry point as it does in a pod; undefined keeps that. */
  command: readonly string[] | undefined;
  /** Behind the image's own. */
  env: Readonly<Record<string, string>>;
  mounts: readonly Mount[];
}>;

export const memoryLimit = 256 * 1_024 * 1_024;

/** The program in the image; gardenlet's command begins with it. */
export const program = '/usr/local/bin/dependency-watchdog';

/** As containerd hides and protects it. */
const masked = ['acpi', 'kcore', 'keys', 'latency_stats', 'timer_list', 'timer_stats', 'sched_debug', 'scsi'];
const protectedPaths = ['bus', 'fs', 'irq', 'sys', 'sysrq-trigger'];

/**
 * What a kubelet asks of its runtime for this pod: the image's user, a root file system that cannot be written, no capability, no new
 * privilege, namespaces of its own, 256 MiB of memory without swap. `/tmp` is there and cannot be written either.
 */
export function runtimeConfig(bundle: string, { name, command, env, mounts }: PodSpec, wire: Wire): unknown {
  const image = startOf(bundle).process;
  const given = { HOSTNAME: name, ...env };
  return {
    ociVersion: '1.0.2',
    process: {
      terminal: false,
      user: image.user,
      args: command ?? image.args,
      env: [...image.env.filter((line) => !line.startsWith('HOME=') && !line.startsWith('TERM=')), ...linesOf(given)],
      cwd: image.cwd,
      capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
      noNewPrivileges: true,
      oomScoreAdj: 990,
    },
    root: { path: join(bundle, 'rootfs'), readonly: true },
    hostname: name,
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
      {
        destination: '/dev',
        type: 'tmpfs',
        source: 'tmpfs',
        options: ['nosuid', 'strictatime', 'mode=755', 'size=65536k'],
      },
      { destination: '/sys', type: 'sysfs', source: 'sysfs', options: ['nosuid', 'noexec', 'nodev', 'ro'] },
      ...mounts.map(({ at, from, writable = false }) => ({
        destination: at,
        type: 'bind',
        source: from,
        options: ['rbind', 'rprivate', writable ? 'rw' : 'ro'],
      })),
    ],
    hooks: { createRuntime: [wire.hook] },
    linux: {
      cgroupsPath: `/${cgroupOf(name)}`,
      resources: { devices: [{ allow: false, access: 'rwm' }], memory: { limit: memoryLimit, swap: memoryLimit } },
      namespaces: ['pid', 'ipc', 'uts', 'mount', 'network'].map((type) => ({ type })),
      maskedPaths: masked.map((path) => `/proc/${path}`),
      readonlyPaths: protectedPaths.map((path) => `/proc/${path}`),
    },
  };
}

/** One for each pod: a name that two test runs on one machine do not share. */
export function cgroupOf(name: string): string {
  return `dwd-image-${process.pid}-${name}`;
}

function linesOf(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`);
}
