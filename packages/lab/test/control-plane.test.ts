import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cacheDirectory, fillCache, findControlPlane } from '../control-plane/find-control-plane.ts';
import { wantedRelease } from '../control-plane/wanted-release.ts';

const release = wantedRelease();
const all = ['etcd', 'kube-apiserver', 'kube-controller-manager'];

let directory: string;
let env: NodeJS.ProcessEnv;
let cache: string;
let said: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'dwd-find-'));
  mkdirSync(join(directory, 'bin'));
  env = {
    PATH: join(directory, 'bin'),
    XDG_CACHE_HOME: join(directory, 'cache'),
  };
  cache = cacheDirectory(release, env);
  said = [];
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const find = () => findControlPlane((line) => said.push(line), env);

function put(place: string, programs: readonly string[], mode = 0o755): string {
  mkdirSync(place, { recursive: true });
  for (const program of programs) writeFileSync(join(place, program), `${program} of ${place}`, { mode });
  return place;
}

/** A `go` that the machine has: it writes what it is asked to build, or whatever `build` does instead. */
function haveGo(build: string): void {
  const script = `#!/bin/sh
PATH=/usr/bin:/bin
[ "$1" = version ] && { echo go version; exit 0; }
while [ "$1" != -o ]; do shift; done
out=$2
${build}
`;
  writeFileSync(join(directory, 'bin', 'go'), script, { mode: 0o755 });
}

const buildsAll = `
case $out in
  */) for name in kube-apiserver kube-controller-manager; do echo built > "$out$name"; chmod +x "$out$name"; done ;;
  *) echo built > "$out"; chmod +x "$out" ;;
esac`;

/** Whatever lies beside the cache's directory. */
const remains = () => {
  const parent = join(cache, '..');
  return existsSync(parent) ? readdirSync(parent).filter((name) => name.includes('.part-')) : [];
};

describe('the cache', () => {
  test('is taken where it is whole, and nothing is asked or said', async () => {
    put(cache, all);
    expect(await find()).toBe(cache);
    expect(said).toEqual([]);
  });

  test('half filled, or with what an interrupted one left beside it, is not taken', async () => {
    put(cache, ['etcd', 'kube-apiserver']);
    put(`${cache}.part-abcdef`, all);
    await expect(find()).rejects.toThrow('there is no go on the PATH');
  });

  test('is not touched by a filling that fails half-way', async () => {
    const filling = fillCache(cache, async (part) => {
      put(part, ['etcd']);
    });
    await expect(filling).rejects.toThrow('kube-apiserver and kube-controller-manager did not come');
    expect([readdirSync(cache), remains()]).toEqual([[], []]);
  });

  test('is filled by two at the same time, and is whole for both', async () => {
    haveGo(buildsAll);
    const [one, other] = await Promise.all([find(), find()]);
    expect(one).toEqual(other);
    expect([readdirSync(cache).toSorted(), remains()]).toEqual([all, []]);
  });

  test('loses what a killed one had begun', async () => {
    haveGo(`echo half > "\${out}kube-apiserver"; echo begun >&2; exec sleep 20`);
    const script = join(import.meta.dirname, '../control-plane.ts');
    const killed = spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    await expect.poll(() => remains().length, { timeout: 20_000 }).toBe(1);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await expect.poll(remains, { timeout: 20_000 }).toEqual([]);
    expect(readdirSync(cache)).toEqual([]);
  });

  test('has a directory for each set of versions', () => {
    const others = [{ kubernetes: 'v1.0.0' }, { etcd: 'v3.0.0' }].map((one) => ({ ...release, ...one }));
    expect(new Set([release, ...others].map((one) => cacheDirectory(one, env))).size).toBe(3);
  });
});

describe('a build with Go', () => {
  test('fills the cache, once', async () => {
    haveGo(buildsAll);
    expect(await find()).toBe(cache);
    expect(await find()).toBe(cache);
    expect(said).toEqual([
      `building Kubernetes ${release.kubernetes} and etcd ${release.etcd} with Go; this takes some minutes, once`,
    ]);
    expect([readdirSync(cache).toSorted(), remains()]).toEqual([all, []]);
  });

  test.each([
    ['fails', 'echo "dial tcp: no route to host" >&2; exit 1', 'go build ended with 1: dial tcp: no route to host'],
    ['writes nothing', 'exit 0', 'etcd and kube-apiserver and kube-controller-manager did not come'],
  ])('that %s leaves nothing behind', async (_, build, why) => {
    haveGo(build);
    await expect(find()).rejects.toThrow(why);
    expect([readdirSync(cache), remains()]).toEqual([[], []]);
  });
});

describe('where they cannot be built', () => {
  test('it says why, and what to do', async () => {
    await expect(find()).rejects.toThrow(
      `There is no etcd, kube-apiserver and kube-controller-manager in ${cache}, and they cannot be built: there is no go on the PATH\n` +
        `Install Go ${release.go} or newer, where its modules can be had.`,
    );
  });

  test('the command prints it, and fails', async () => {
    const script = join(import.meta.dirname, '../control-plane.ts');
    const child = spawn(process.execPath, [script], { env });
    let [out, complaint] = ['', ''];
    child.stdout.on('data', (text: Buffer) => (out += String(text)));
    child.stderr.on('data', (text: Buffer) => (complaint += String(text)));
    const [code] = await once(child, 'close');
    expect([code, out]).toEqual([1, '']);
    expect(complaint).toContain('Install Go');
    expect(complaint).not.toContain('at ');
  });

  test('a cache that cannot be written is one of the reasons', async () => {
    haveGo(buildsAll);
    writeFileSync(join(directory, 'cache'), 'a file');
    await expect(find()).rejects.toThrow('ENOTDIR');
  });
});

describe('what is wanted', () => {
  const goMod =
    'module x\n\ngo 1.26.1\n\nrequire k8s.io/kubernetes v1.40.0\n\nrequire go.etcd.io/etcd/server/v3 v3.7.1\n';

  test('is what the module pins', () => {
    expect(wantedRelease(goMod)).toEqual({ kubernetes: 'v1.40.0', etcd: 'v3.7.1', go: '1.26.1' });
    expect(wantedRelease(goMod.replaceAll(/^require (.*)$/gm, 'require (\n\t$1\n)'))).toEqual(wantedRelease(goMod));
  });

  test.each([
    ['k8s.io/kubernetes', 'pins no k8s.io/kubernetes'],
    ['go.etcd.io/etcd/server/v3', 'pins no go.etcd.io/etcd/server/v3'],
    ['go 1', 'names no Go'],
  ])('without %s the module is refused', (line, why) => {
    expect(() => wantedRelease(goMod.replace(line, 'other'))).toThrow(why);
  });
});
