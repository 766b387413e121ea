import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decode } from '@jridgewell/sourcemap-codec';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPackage } from '../../hack/build/build-package.ts';
import packageJson from '../../src/package.json' with { type: 'json' };
import { Program } from '@dwd/testing/program.ts';
import { seedStage } from '@dwd/testing/seed-stage.ts';

const root = join(import.meta.dirname, '../..');
const dir = mkdtempSync(join(tmpdir(), 'dwd-packed-'));
const built = join(dir, 'built');
const empty = join(dir, 'empty');
const installed = join(empty, 'node_modules/dependency-watchdog');
const main = join(installed, 'main.js');
const commit = 'c0ffee'.repeat(7).slice(0, 40);
const { version } = packageJson;

/** The files of the tarball. */
let packed: readonly string[];

/** Runs npm in the empty folder, with no cache and without asking any registry. */
async function npm(command: 'npm' | 'npx', ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    HOME: dir,
    npm_config_cache: join(dir, 'cache'),
    npm_config_offline: 'true',
  };
  return (await promisify(execFile)(command, args, { cwd: empty, env })).stdout;
}

beforeAll(async () => {
  mkdirSync(empty);
  await buildPackage({ root, dir: built, version, commit });
  const [tarball] = JSON.parse(await npm('npm', 'pack', built, '--json')) as [
    Readonly<{ filename: string; files: readonly Readonly<{ path: string }>[] }>,
  ];
  packed = tarball.files.map(({ path }) => path).toSorted();
  await npm('npm', 'install', '--no-audit', '--no-fund', `./${tarball.filename}`);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const textOf = (file: string): string => readFileSync(join(installed, file), 'utf8');

type SourceMap = Readonly<{ sources: readonly string[]; sourcesContent?: unknown; mappings: string }>;

/** The files that were written, of which something is in this one; what the build itself wrote has no map. */
function sourcesOf(file: string): readonly string[] {
  return packed.includes(`${file}.map`) ? (JSON.parse(textOf(`${file}.map`)) as SourceMap).sources : [];
}

/** Prints each file that Node loads. */
function watched(): readonly string[] {
  const hook = join(dir, 'watch.mjs');
  const prints = 'load(url, context, next) { process.stderr.write(`loads ${url}\\n`); return next(url, context); }';
  const atEnd = "process.on('exit', () => process.stderr.write(`Node's own maps: ${process.sourceMapsEnabled}\\n`));";
  writeFileSync(hook, `import { registerHooks } from 'node:module';\nregisterHooks({ ${prints} });\n${atEnd}\n`);
  return ['--import', hook, main];
}

function loadedBy(stderr: string): readonly string[] {
  return [...stderr.matchAll(/^loads file:.*\/dependency-watchdog\/(\S+)$/gm)].map(([, file = '']) => file);
}

test('the package holds the program, its chunks with their maps, the inspector’s page with the runbooks, and its papers, and nothing else', () => {
  const papers = ['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES.txt', 'package.json'];
  const page = ['page/index.html', 'page/page.css', 'page/page.js', 'page/runbooks.md'];
  const code = packed.filter((file) => ![...papers, ...page].includes(file));
  expect(packed).toEqual([...papers, ...page, ...code].toSorted());

  // Each chunk is one that main.js, or a chunk of it, asks for. What the build itself wrote has no map.
  const reached = new Set<string>();
  const follow = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, next = ''] of textOf(file).matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g)) follow(next);
  };
  follow('main.js');
  // Nor has a chunk that only passes on what another one has: two commands share it.
  const isOfBuild = (file: string) =>
    /^(?:rolldown-runtime|_lean_node_http)-/.test(file) || /^export\{[^}]*\}from"[^"]*";\s*$/.test(textOf(file));
  const withMap = [...reached].filter((file) => !isOfBuild(file));
  expect(code).toEqual([...reached, ...withMap.map((file) => `${file}.map`)].toSorted());
  expect(reached.size).toBeGreaterThan(10);

  expect(readdirSync(join(empty, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'dependency-watchdog',
  ]);
  // Where it was built, too: npm would make it executable, an image would not.
  expect([join(built, 'main.js'), main].map((file) => statSync(file).mode & 0o777)).toEqual([0o755, 0o755]);
  expect(textOf('main.js')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test('nothing of it tells where it was built, and nothing of the tests is in it', () => {
  const maps = packed.filter((file) => file.endsWith('.map'));
  const sources = new Set(maps.flatMap((file) => (JSON.parse(textOf(file)) as SourceMap).sources));
  expect(
    [...sources].filter(
      (source) => !/^(?:src|packages\/(?:inspector|simulator)|node_modules)\/(?!test\/|contract\/)/.test(source),
    ),
  ).toEqual([]);
  expect(sources).toContain('src/machines/shoot.ts');
  for (const file of packed) {
    const places = [root, dir, homedir()].filter((place) => textOf(file).includes(place));
    expect([file, places]).toEqual([file, []]);
  }
});

test('its manifest asks for a Node and for no package, and its third parties are those that are in it', () => {
  const manifest = JSON.parse(textOf('package.json')) as Readonly<Record<string, unknown>>;
  expect(manifest).toEqual({
    name: 'dependency-watchdog',
    version,
    description: packageJson.description,
    license: 'Apache-2.0',
    type: 'module',
    bin: { 'dependency-watchdog': 'main.js', 'kubectl-dwd': 'main.js' },
    engines: { node: '>=26' },
  });
  const named = [...textOf('THIRD-PARTY-LICENSES.txt').matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d[\w.]* \(.+\)$/gm)].map(
    ([, name]) => name,
  );
  const inMaps = packed
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => sourcesOf(file))
    .flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
  expect([...new Set(inMaps)].filter((name) => !named.includes(name))).toEqual([]);
  expect(named).toEqual(expect.arrayContaining(['preact', 'rxjs', 'undici', 'xstate', 'yaml', 'zod']));
  expect(named).not.toContain('vitest');
});

test('a pack of the checkout itself brings no program that would not run: `npm run pack` packs the one that does', async () => {
  const [tarball] = JSON.parse(await npm('npm', 'pack', root, '--dry-run', '--json')) as [
    Readonly<{ files: readonly Readonly<{ path: string }>[] }>,
  ];
  expect(tarball.files.map(({ path }) => path).toSorted()).toEqual(['LICENSE', 'README.md', 'package.json']);
});

test('1.1 it runs from an empty folder, without a registry, and says which commit it was built of', async (context) => {
  const words = `dependency-watchdog ${version}, commit ${commit}, Node ${process.versions.node}\n`;
  expect(await npm('npx', 'dependency-watchdog', 'version')).toBe(words);
  // As an image's command: by itself, and whatever the environment claims.
  const { stdout } = await promisify(execFile)(main, ['version'], {
    env: { PATH: process.env['PATH'], DWD_COMMIT: 'd'.repeat(40) },
  });
  expect(stdout).toBe(words);

  expect((await new Program(context, ['help'], { start: [main] }).end()).stdout).toMatch(/^ {2}simulate /m);
  const example = await new Program(context, ['validate', '--example=prober'], { start: [main] }).end();
  const judged = new Program(context, ['validate', '--config-file=-'], { start: [main], input: example.stdout });
  expect(await judged.end()).toMatchObject({ code: 0, stderr: '' });
});

test('the help of a role loads next to nothing, and says it as the sources do', async (context) => {
  const { stdout, stderr } = await new Program(context, ['prober', '--help'], { start: watched() }).end();
  expect(stdout).toBe((await new Program(context, ['prober', '--help']).end()).stdout);
  const loaded = loadedBy(stderr);
  expect(loaded).toContain('main.js');
  expect(loaded.flatMap(sourcesOf).filter((source) => source.startsWith('node_modules/'))).toEqual([]);
  expect(loaded.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0)).toBeLessThan(40_000);
});

test('9.3 it becomes ready on a seed and ends, and has loaded no seed of its own', async (context) => {
  const stage = await seedStage(context, { shoots: 1 });
  const kubeconfig = stage.kubeconfigOf('packed', 'prober');
  const addresses = ['metrics', 'health', 'inspector'].map((what) => `--${what}-bind-addr=127.0.0.1:0`);
  const args = ['prober', `--config-file=${stage.configFile}`, `--kubeconfig=${kubeconfig}`, ...addresses];
  const program = new Program(context, args, { start: watched() });
  await program.line('the first lists of the seed are in');
  program.kill('SIGTERM');
  expect(await program.end()).toMatchObject({ code: 0 });

  const loaded = loadedBy(program.stderr);
  const sources = loaded.flatMap(sourcesOf);
  expect(sources).toContain('src/machines/shoot.ts');
  const simulated = /^src\/(?:simulator|commands\/(?:simulate|replay|release))|@peculiar|reflect-metadata|fast-check/;
  expect(sources.filter((source) => simulated.test(source))).toEqual([]);
  // The kubeconfig was read by client-node, and its thousand clients and models stayed away.
  const clientNode = sources.filter((source) => source.startsWith('node_modules/@kubernetes/client-node/'));
  expect(clientNode).toContain('node_modules/@kubernetes/client-node/dist/config.js');
  expect(clientNode.filter((source) => /\/(?:apis|models|types)\//.test(source))).toEqual([]);
  // Of undici there is what holds connections to the seed, and its one parser of HTTP.
  const undici = sources.filter((source) => source.startsWith('node_modules/undici/'));
  expect(undici).toContain('node_modules/undici/lib/dispatcher/pool.js');
  expect(
    undici.filter((source) =>
      /\/undici\/(?:index|lib\/(?:mock|milo|cache|web\/(?:websocket|eventsource)))/.test(source),
    ),
  ).toEqual([]);
  // A single wider character doubles what its file takes in memory.
  expect(loaded.filter((file) => /[\u0100-\uffff]/.test(textOf(file)))).toEqual([]);
  // Each error that ends a stream would be traced through them.
  expect(program.stderr).toContain("Node's own maps: false");
  // It would load what is behind Node's own `fetch`, and nobody uses that.
  expect(loaded.filter((file) => textOf(file).includes('from"node:http"'))).toEqual([]);
});

test('a trace names the lines that were written', async (context) => {
  const hook = join(dir, 'throw.mjs');
  writeFileSync(hook, "process.stdout.write = () => { throw new Error('a bug'); };\n");
  const program = new Program(context, ['prober', '--help'], { start: ['--import', hook, main] });
  const { code, stderr } = await program.end();
  expect(code).toBe(1);
  const line =
    1 +
    readFileSync(join(root, 'src/commands/prober.ts'), 'utf8')
      .split('\n')
      .findIndex((text) => text.includes('refuse(read, io)'));
  expect(stderr).toMatch(
    new RegExp(`^Error: a bug\\n(?: +at .*\\n)* +at \\S+ \\(src/commands/prober\\.ts:${line}:\\d+\\)`, 'm'),
  );
});

test('a map tells the columns of what was shipped, also behind a character that is written as an escape', () => {
  const before = new Map<string, readonly string[]>();
  const linesOf = (source: string): readonly string[] => {
    const lines = before.get(source) ?? readFileSync(join(root, source), 'utf8').split('\n');
    before.set(source, lines);
    return lines;
  };
  const misled: string[] = [];
  let behind = 0;
  for (const file of packed.filter((one) => packed.includes(`${one}.map`))) {
    const { sources, mappings } = JSON.parse(textOf(`${file}.map`)) as SourceMap;
    const lines = textOf(file).split('\n');
    for (const [index, segments] of decode(mappings).entries()) {
      const line = lines[index] ?? '';
      const escape = line.search(/\\u[\da-f]{4}/);
      for (const [column, source, row = 0, from] of segments) {
        if (source === undefined || linesOf(sources[source]!)[row]?.slice(from).startsWith('throw ') !== true) continue;
        behind += escape >= 0 && column > escape ? 1 : 0;
        if (!line.startsWith('throw', column)) misled.push(`${file}:${index + 1}:${column}`);
      }
    }
  }
  expect(behind).toBeGreaterThan(50);
  expect(misled).toEqual([]);
});
