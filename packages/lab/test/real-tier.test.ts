import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onFreePort } from '../real/processes.ts';

const root = join(import.meta.dirname, '../../..');

test('the tests on a real API server fail with what to do where no control plane can be had', () => {
  const directory = mkdtempSync(join(tmpdir(), 'dwd-nothing-'));
  const env = {
    PATH: directory,
    TMPDIR: directory,
    XDG_CACHE_HOME: join(directory, 'cache'),
  };
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--config=vitest.apiserver.config.ts'];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, env, encoding: 'utf8' });
  const left = readdirSync(directory).filter((name) => name.startsWith('dwd-'));
  rmSync(directory, { recursive: true });
  expect([status, left]).toEqual([1, []]);
  expect(stderr).toContain('There is no etcd, kube-apiserver and kube-controller-manager in ');
  expect(stderr).toContain('there is no go on the PATH');
});

test('a port that another took meanwhile is given up for another, three times', async () => {
  const taken: number[] = [];
  const attempt = (failures: number, why: string) =>
    onFreePort(async (port) => {
      taken.push(port);
      if (taken.length <= failures) throw new Error(why);
      return port;
    });
  expect(await attempt(2, 'bind: address already in use')).toBe(taken[2]);
  taken.length = 0;
  await expect(attempt(3, 'bind: address already in use')).rejects.toThrow('in use');
  expect(taken).toHaveLength(3);
  taken.length = 0;
  await expect(attempt(1, 'no such file')).rejects.toThrow('no such file');
  expect(taken).toHaveLength(1);
});
