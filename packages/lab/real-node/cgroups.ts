import { existsSync, mkdirSync, readFileSync, rmdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cgroupsAreRemovedAfterUs } from '../real/clearing-up.ts';

/** What a kubelet wants of a tree of v2, as far as the kernel has it. */
const controllers = ['cpu', 'cpuset', 'hugetlb', 'io', 'memory', 'pids'];

/** Where this machine's control groups are: one tree for all (v2), or one for each of them (v1). */
type Trees = Readonly<{
  version: 1 | 2;
  roots: readonly string[];
  /** A tree of v2 beside those of v1, which limits nothing, but runtimes leave their groups there too. */
  beside: readonly string[];
}>;

/** Of `/proc/mounts`. Undefined where there is no tree, or none that limits memory. */
export function treesOf(mounts: string): Trees | undefined {
  const all = mounts.split('\n').map((line) => line.split(' '));
  const of = (kind: string) => all.flatMap(([, place = '', type]) => (type === kind ? [place] : []));
  const old = of('cgroup');
  const unified = of('cgroup2');
  if (old.some((root) => basename(root).split(',').includes('memory')))
    return { version: 1, roots: old, beside: unified };
  return unified.length === 0 ? undefined : { version: 2, roots: unified.slice(0, 1), beside: [] };
}

/** The control groups below which a node keeps those of its pods. They go with us. */
export class NodeCgroups {
  /** As the kubelet names them. */
  readonly root: string;
  readonly #groups: readonly string[];

  constructor(name: string) {
    const trees = treesOf(readFileSync('/proc/mounts', 'utf8'));
    if (trees === undefined) throw new Error('this machine has no control groups that limit memory');
    this.root = `/${name}`;
    this.#groups = [...trees.roots, ...trees.beside].map((root) => join(root, name));
    // Registered before they are made. Otherwise a kill between the two would leave them behind.
    cgroupsAreRemovedAfterUs(this.#groups);
    if (trees.version === 2) for (const root of trees.roots) passControllersOn(root);
    for (const group of trees.roots.map((root) => join(root, name))) {
      mkdirSync(group);
      // Of v1: a group without processors takes no process.
      for (const file of ['cpuset.cpus', 'cpuset.mems'].filter(
        (one) => trees.version === 1 && existsSync(join(group, one)),
      ))
        writeFileSync(join(group, file), readFileSync(join(group, '..', file)));
    }
  }

  /** The processes of a container, as this machine sees them, the first one first. Empty where it does not run. */
  processesOf(container: string): readonly number[] {
    const [tree = ''] = this.#groups
      .filter((group) => existsSync(group) && group.includes('memory'))
      .concat(this.#groups);
    const group = readdirSync(tree, { recursive: true, encoding: 'utf8' }).find((one) => basename(one) === container);
    if (group === undefined) return [];
    return readFileSync(join(tree, group, 'cgroup.procs'), 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [Number(line)]));
  }

  /** Once the last process is gone; that takes the kernel a moment. */
  async remove(): Promise<void> {
    for (let tries = 0; tries < 50; tries++) {
      const left = this.#groups.filter((group) => existsSync(group) && !isRemoved(group));
      if (left.length === 0) return;
      await pause(100);
    }
    throw new Error(
      `control groups cannot be removed: ${this.#groups.filter((group) => existsSync(group)).join(', ')}`,
    );
  }
}

/** In a tree of v2 a group has those controllers that the one above passes on. */
function passControllersOn(root: string): void {
  const there = readFileSync(join(root, 'cgroup.controllers'), 'utf8').trim().split(' ');
  const passed = controllers.filter((one) => there.includes(one)).map((one) => `+${one}`);
  writeFileSync(join(root, 'cgroup.subtree_control'), passed.join(' '));
}

/** Its children go before it. */
function isRemoved(group: string): boolean {
  try {
    for (const entry of readdirSync(group, { withFileTypes: true }))
      if (entry.isDirectory()) isRemoved(join(group, entry.name));
    rmdirSync(group);
    return true;
  } catch {
    return false;
  }
}
