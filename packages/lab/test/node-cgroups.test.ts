import { expect, test } from 'vitest';
import { treesOf } from '../real-node/cgroups.ts';

const line = (place: string, type: string) => `${type} ${place} ${type} rw,nosuid 0 0`;

test('a machine of v2 has one tree for all limits', () => {
  const mounts = [line('/proc', 'proc'), line('/sys/fs/cgroup', 'cgroup2')].join('\n');
  expect(treesOf(mounts)).toEqual({ version: 2, roots: ['/sys/fs/cgroup'], beside: [] });
});

test('a hybrid is one of v1: its tree of v2 limits nothing, and is cleared up all the same', () => {
  const old = ['cpu,cpuacct', 'memory'].map((name) => `/sys/fs/cgroup/${name}`);
  const mounts = [...old.map((place) => line(place, 'cgroup')), line('/sys/fs/cgroup/unified', 'cgroup2')].join('\n');
  expect(treesOf(mounts)).toEqual({ version: 1, roots: old, beside: ['/sys/fs/cgroup/unified'] });
});

test('where memory cannot be limited, there is no tree to use', () => {
  expect(treesOf(line('/sys/fs/cgroup/systemd', 'cgroup'))).toBeUndefined();
});
