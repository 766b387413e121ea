import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cacheDirectory, fillCache } from '../control-plane/cache.ts';
import { findControlPlane } from '../control-plane/find-control-plane.ts';
import { fetchFromArchives } from '../control-plane/from-archives.ts';
import { wantedRelease } from '../control-plane/wanted-release.ts';
import { freePort } from '../real/free-port.ts';
import { places, release, serveArchive, wholeArchive } from './archive.ts';

const all = ['etcd', 'kube-apiserver', 'kube-controller-manager'];

let directory: string;
let env: NodeJS.ProcessEnv;
let cache: string;
let said: string[];
/** Nobody listens there: what the internet is like where there is none. */
let nowhere: string;

beforeEach(async () => {
  nowhere = `http://127.0.0.1:${await freePort()}`;
  directory = mkdtempSync(join(tmpdir(), 'dwd-find-'));
  mkdirSync(join(directory, 'bin'));
  env = {
    PATH: join(directory, 'bin'),
    XDG_CACHE_HOME: join(directory, 'cache'),
    KUBERNETES_ARCHIVE: nowhere,
    ETCD_ARCHIVE: nowhere,
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

describe('KUBEBUILDER_ASSETS', () => {
  test.each([
    ['whole', all, true],
    ['without a controller-manager', ['etcd', 'kube-apiserver', 'kubectl'], false],
  ])('%s come first, even before the cache', async (_, programs, hasControllerManager) => {
    put(cache, all);
    env['KUBEBUILDER_ASSETS'] = put(join(directory, 'assets'), programs);
    expect(await find()).toEqual({
      directory: env['KUBEBUILDER_ASSETS'],
      hasControllerManager,
      from: 'KUBEBUILDER_ASSETS',
    });
    expect(said).toEqual([]);
  });

  test.each([
    ['is empty', 'assets', [], 0o755, 'etcd and kube-apiserver'],
    ['is not there', 'elsewhere', [], 0o755, 'etcd and kube-apiserver'],
    ['has no etcd', 'assets', ['kube-apiserver'], 0o755, 'etcd'],
    ['has programs that cannot be run', 'assets', all, 0o644, 'etcd and kube-apiserver'],
  ])('a directory that %s is passed over, and that is said', async (_, name, programs, mode, lacks) => {
    put(cache, all);
    put(join(directory, 'assets'), programs, mode);
    env['KUBEBUILDER_ASSETS'] = join(directory, name);
    expect((await find()).from).toBe('the cache');
    expect(said).toEqual([`KUBEBUILDER_ASSETS (${join(directory, name)}) lacks ${lacks}; trying other ways`]);
  });

  test('set to nothing are not set', async () => {
    put(cache, all);
    env['KUBEBUILDER_ASSETS'] = '';
    expect((await find()).from).toBe('the cache');
    expect(said).toEqual([]);
  });

  test('a directory is no program', async () => {
    for (const program of all) mkdirSync(join(directory, 'assets', program), { recursive: true });
    env['KUBEBUILDER_ASSETS'] = join(directory, 'assets');
    await expect(find()).rejects.toThrow('lacks etcd and kube-apiserver');
  });
});

describe('the cache', () => {
  test('is taken where it is whole, and nothing is asked or said', async () => {
    put(cache, all);
    expect(await find()).toEqual({ directory: cache, hasControllerManager: true, from: 'the cache' });
    expect(said).toEqual([]);
  });

  test('half filled, or with what an interrupted one left beside it, is not taken', async () => {
    put(cache, ['etcd', 'kube-apiserver']);
    put(`${cache}.part-abcdef`, all);
    await expect(find()).rejects.toThrow(`the cache (${cache}) does not hold it yet`);
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
    expect((await find()).from).toBe('the cache');
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

describe('the official archives', () => {
  test('fill the cache with what has the published sums', async () => {
    await using served = await serveArchive(wholeArchive(join(directory, 'packed')));
    Object.assign(env, { KUBERNETES_ARCHIVE: served.url, ETCD_ARCHIVE: served.url });
    expect(await find()).toEqual({ directory: cache, hasControllerManager: true, from: 'the official archives' });
    expect(said).toEqual([
      `fetching Kubernetes ${release.kubernetes} and etcd ${release.etcd} from the official archives`,
    ]);
    expect([readdirSync(cache).toSorted(), remains()]).toEqual([all, []]);
    expect(readFileSync(join(cache, 'kube-apiserver'), 'utf8')).toBe('the API server');
    expect(readFileSync(join(cache, 'etcd'), 'utf8')).toContain('echo etcd\n');
    expect(served.asked).toHaveLength(6);
    await find();
    expect(served.asked).toHaveLength(6);
  });

  test.each([
    ['an API server with another sum', places.apiServer, 'a worm', 'has the SHA-256'],
    ['a controller-manager with another sum', places.manager, 'a worm', 'has the SHA-256'],
    ['an etcd with another sum', places.etcd, 'a worm', 'has the SHA-256'],
    ['no published sum of etcd', places.etcdSums, 'ab  other.tar.gz\n', "is not among etcd's published sums"],
    ['a sum that is no sum', places.managerSum, '<html>', 'and <html> was published'],
    ['no such release', places.apiServerSum, 404, 'kube-apiserver.sha256 answers 404'],
    ['no such etcd', places.etcd, 404, '.tar.gz answers 404'],
    ['a program that is kept back', places.apiServer, 403, 'kube-apiserver answers 403'],
  ])('with %s fill nothing', async (_, path, page, why) => {
    await using served = await serveArchive(wholeArchive(join(directory, 'packed')).set(path, page));
    Object.assign(env, { KUBERNETES_ARCHIVE: served.url, ETCD_ARCHIVE: served.url });
    await expect(find()).rejects.toThrow(why);
    expect([readdirSync(cache), remains()]).toEqual([[], []]);
  });

  test.each([
    ['keep silent', places.apiServerSum, { hangs: 'at once' }],
    ['stop in the midst of a program', places.apiServer, { hangs: 'midway' }],
  ] as const)('that %s are given up', async (_, path, page) => {
    await using served = await serveArchive(wholeArchive(join(directory, 'packed')).set(path, page));
    const archives = { kubernetes: served.url, etcd: served.url };
    const fetching = fetchFromArchives(release, archives, directory, { answer: 200, more: 200 });
    await expect(fetching).rejects.toThrow(`${served.url}${path} keeps silent`);
  });
});

describe('a build with Go', () => {
  test('fills the cache where the archives cannot be reached', async () => {
    haveGo(buildsAll);
    expect(await find()).toEqual({ directory: cache, hasControllerManager: true, from: 'a build from its Go modules' });
    expect(said).toEqual([
      `fetching Kubernetes ${release.kubernetes} and etcd ${release.etcd} from the official archives`,
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

describe('where no way leads there', () => {
  test('one sentence says what was tried, and what to do', async () => {
    const [kubernetes, go] = [release.kubernetes, release.go];
    const failed = find();
    await expect(failed).rejects.toMatchObject({ name: 'ControlPlaneMissing' });
    const message = await failed.then(String, (error: unknown) => (error as Error).message);
    expect(message.split('\n')).toEqual([
      'No etcd, kube-apiserver and kube-controller-manager can be had:',
      '  - KUBEBUILDER_ASSETS is not set',
      `  - the cache (${cache}) does not hold it yet`,
      expect.stringMatching(
        new RegExp(`^ {2}- ${nowhere}/${kubernetes}/bin/linux/.*/kube-apiserver.sha256 cannot be reached \\(.+\\)$`),
      ),
      '  - there is no go on the PATH',
      `Let KUBEBUILDER_ASSETS name a directory with them, install Go ${go} or newer where its modules can be had,`,
      'or run this once where the internet can be reached.',
    ]);
  });

  test('the command prints it, and fails', async () => {
    const script = join(import.meta.dirname, '../control-plane.ts');
    const child = spawn(process.execPath, [script], { env });
    let [out, complaint] = ['', ''];
    child.stdout.on('data', (text: Buffer) => (out += String(text)));
    child.stderr.on('data', (text: Buffer) => (complaint += String(text)));
    const [code] = await once(child, 'close');
    expect([code, out]).toEqual([1, '']);
    expect(complaint).toContain('install Go');
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
