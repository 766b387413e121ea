import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProgram } from '../../control-plane/run-program.ts';
import { isRemovedAfterUs } from '../../real/clearing-up.ts';
import { megabytes } from '../support/figures.ts';
import { noteFigure } from './figures.ts';
import { Pod } from './pod.ts';
import { program } from './pod-spec.ts';
import { imageUnderTest, startOf } from './unpacked-image.ts';

const { layout, files, programs } = imageUnderTest();
const root = join(files, 'rootfs');
const paths = readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => ({
  path: join(entry.parentPath, entry.name).slice(root.length),
  stat: lstatSync(join(entry.parentPath, entry.name)),
}));
const most = 200_000_000;

type Manifest = Readonly<{ layers: readonly Readonly<{ size: number }>[] }>;
type Config = Readonly<{
  created: string;
  config: Readonly<{ User: string; Entrypoint: string[]; Env: string[]; Labels: Record<string, string> }>;
}>;
const inspect = async <T>(...flags: readonly string[]): Promise<T> =>
  JSON.parse(await runProgram(programs.skopeo, ['inspect', ...flags, layout])) as T;

describe('1.6 the image', () => {
  test('1.6 takes 200 MB at most, as it is fetched and as it lies on a node', async () => {
    const { layers } = await inspect<Manifest>('--raw');
    const fetched = layers.reduce((sum, { size }) => sum + size, 0);
    // A file of several names, as time zones are, lies there once.
    const sizes = new Map(paths.flatMap(({ stat }) => (stat.isFile() ? [[stat.ino, stat.size]] : [])));
    const unpacked = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    noteFigure({ what: 'image, compressed', is: megabytes(fetched), atMost: megabytes(most) });
    noteFigure({ what: 'image, unpacked', is: megabytes(unpacked), atMost: megabytes(most) });
    expect(fetched).toBeLessThan(most);
    expect(unpacked).toBeLessThan(most);
    // Were the listing empty, this and what follows would pass on nothing.
    expect(unpacked).toBeGreaterThan(100_000_000);
  });

  test('1.6 starts as user 65532, by its own name, and says what it is', async () => {
    const { config, created } = await inspect<Config>('--config');
    expect(config.User).toBe('65532:65532');
    expect(config.Entrypoint).toEqual(['/usr/local/bin/dependency-watchdog']);
    const { version } = JSON.parse(readFileSync('src/package.json', 'utf8')) as { version: string };
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'dependency-watchdog',
      'org.opencontainers.image.description': expect.stringContaining('node meltdowns') as string,
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      'org.opencontainers.image.created': created,
    });
    expect(startOf(files).process.env).toEqual(
      expect.arrayContaining([expect.stringMatching(/^NODE_OPTIONS=.*--max-old-space-size-percentage=\d+/)]),
    );
  });

  test('1.6 has nothing that could start anything else: no shell, no package manager, no tool', () => {
    const other =
      /^(?:(?:ba|da|z|k|a)?sh|busybox|toybox|env|apt.*|dpkg.*|apk|npm|npx|corepack|yarn|perl.*|python.*|openssl|curl|wget|su|sudo|mount)$/;
    const executable = paths.filter(({ stat }) => stat.isFile() && (stat.mode & 0o111) !== 0);
    const started = executable.map(({ path }) => path).filter((path) => !isLibrary(path) && hasInterpreter(path));
    expect(started.toSorted()).toEqual(['/nodejs/bin/node', '/usr/local/lib/dependency-watchdog/main.js']);
    expect(paths.filter(({ path, stat }) => !stat.isDirectory() && other.test(basename(path)))).toEqual([]);
  });

  test('1.6 lets its user write nothing, and make itself nobody else', () => {
    const writable = paths.filter(
      ({ stat }) => !stat.isSymbolicLink() && ((stat.mode & 0o002) !== 0 || stat.uid === 65532 || stat.gid === 65532),
    );
    // The bases have these; a read-only root file system closes them as well.
    const known = ['/tmp', '/var/tmp', '/var/lock', '/run/lock', join('/', 'home', 'nonroot')];
    expect(writable.map(({ path }) => path).filter((path) => !known.includes(path))).toEqual([]);
    expect(paths.filter(({ stat }) => stat.isFile() && (stat.mode & 0o6000) !== 0)).toEqual([]);
  });

  test('1.6 holds the build and not the sources', () => {
    const ours = paths.map(({ path }) => path).filter((path) => path.includes('dependency-watchdog/'));
    expect(ours).toContain('/usr/local/lib/dependency-watchdog/main.js');
    expect(ours.filter((path) => /\.ts$|node_modules|\/test\//.test(path))).toEqual([]);
    expect(paths.filter(({ path }) => path === '/src' || path === '/image')).toEqual([]);
  });

  test('1.6 starts by its entry point, and says the version and commit of its labels', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'dwd-image-started-'));
    isRemovedAfterUs(directory);
    const { config } = await inspect<Config>('--config');
    const [version, revision] = ['version', 'revision'].map(
      (label) => config.Labels[`org.opencontainers.image.${label}`],
    );
    const bare = await Pod.start(directory, { name: 'bare', command: undefined, env: {}, mounts: [] });
    await bare.endsWell();
    expect(bare.said).toContain('prober');
    const told = await Pod.start(directory, { name: 'told', command: [program, 'version'], env: {}, mounts: [] });
    await told.endsWell();
    expect(told.said).toContain(`dependency-watchdog ${version}, commit ${revision}, Node 26.`);
  });

  test('1.6 names its Node, OpenSSL and glibc, where a release asks it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'dwd-image-asked-'));
    isRemovedAfterUs(directory);
    const asked = /^ +ASK: '(?<script>.+)'$/m.exec(readFileSync('.github/workflows/release.yaml', 'utf8'));
    const command = ['/nodejs/bin/node', '-p', asked?.groups?.['script'] ?? ''];
    const told = await Pod.start(directory, { name: 'asked', command, env: {}, mounts: [] });
    await told.endsWell();
    expect(told.said.trim()).toMatch(/^Node 26\.[\d.]+, OpenSSL 3\.[\d.]+, glibc 2\.\d+$/);
  });

  test('1.6 is named as gardenlet names it, and its first line names the Node of the base', () => {
    const program = join(root, 'usr/local/bin/dependency-watchdog');
    expect(statSync(program).mode & 0o555).toBe(0o555);
    expect(readFileSync(program, 'utf8').split('\n')[0]).toBe('#!/nodejs/bin/node');
  });
});

/** A script of a package for whose shell there is no file cannot be started. */
function hasInterpreter(path: string): boolean {
  const interpreter = /^#! *(\S+)/.exec(readFileSync(join(root, path), 'latin1').slice(0, 200))?.[1];
  return interpreter === undefined || existsSync(join(root, interpreter));
}

/** The loader can be run, and libraries of some packages have the bit: neither runs what it is told without a shell around it. */
function isLibrary(path: string): boolean {
  return /\/(?:ld-[^/]*|[^/]*\.so(?:\.[\d.]+)?)$/.test(path);
}
