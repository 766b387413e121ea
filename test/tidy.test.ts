import inspector from '../packages/inspector/package.json' with { type: 'json' };
import lab from '../packages/lab/package.json' with { type: 'json' };
import simulator from '../packages/simulator/package.json' with { type: 'json' };
import testing from '../packages/testing/package.json' with { type: 'json' };
import watchdog from '../src/package.json' with { type: 'json' };
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSource, readSources, type Source } from '../hack/source.ts';
import { guestsOf } from '../hack/tidy/guests.ts';
import {
  chanceIsInjected,
  clocksTellTime,
  filesAreShort,
  importsEndInTs,
  looseEndsHaveOwners,
  machinesStayExplorable,
  noBarrels,
  noDefaultExports,
  noMocks,
  pureRooms,
  type Habit,
} from '../hack/tidy/habits.ts';
import { deadExports, importsOf } from '../hack/tidy/imports.ts';
import { backwardImports, roomNames, roomOf, wrongImports } from '../hack/tidy/rooms.ts';
import { textsOf, tracesIn } from '../hack/tidy/traces.ts';

const root = join(import.meta.dirname, '..');
const isTest = ({ path }: Source) => /(?:^|\/)(?:test|contract|soak)\//.test(path);

describe('the house is tidy', () => {
  const everything = ['src', 'packages', 'hack', 'test'].flatMap((folder) => readSources(root, folder));
  const program = everything.filter(({ path }) => path.startsWith('src/') || roomOf(path) !== undefined);
  const tests = everything.filter(isTest);

  test.each(roomNames)('the room %s holds files: no check passes on nothing', (room) => {
    expect(program.filter(({ path }) => roomOf(path) === room).length).toBeGreaterThan(0);
  });

  test.each<[string, Habit]>([
    ['imports point inwards', wrongImports],
    ['domain and machines are pure', pureRooms],
    ['only clocks tell the time', clocksTellTime],
    ['only chance is random', chanceIsInjected],
    ['machines have no invoke, no after, no actors', machinesStayExplorable],
    ['no file is longer than 250 lines', filesAreShort],
  ])('%s', (_, habit) => {
    expect(program.flatMap(habit)).toEqual([]);
  });

  test.each<[string, Habit]>([
    ['folders that build on each other import one way', backwardImports],
    ['nothing is exported as a default', noDefaultExports],
    ['no file passes on what is another file’s', noBarrels],
    ['relative imports end in .ts', importsEndInTs],
    ['loose ends have owners', looseEndsHaveOwners],
  ])('%s', (_, habit) => {
    expect(everything.flatMap(habit)).toEqual([]);
  });

  test.each([watchdog, inspector, lab, simulator, testing])(
    '$name offers its guests only what one of them takes',
    (one) => {
      expect(deadExports(one, everything)).toEqual([]);
    },
  );

  test('tests mock nothing', () => {
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.flatMap(noMocks)).toEqual([]);
  });

  test('nothing tells where it was written', () => {
    const texts = textsOf(root);
    expect(texts.map(({ path }) => path)).toEqual(expect.arrayContaining(['package.json', 'src/domain/time.ts']));
    expect(texts.flatMap(({ path, text }) => tracesIn(path, text))).toEqual([]);
  });
});

test('an export that no guest takes is caught', () => {
  const exports = { './a/*': './a/*', './b/*': './b/*', './c.ts': './c.ts', './d.ts': './d.ts' };
  const source = parseSource(
    'test/x.ts',
    "import { e } from 'one/a/e.ts';\nimport type { C } from 'one/c.ts'; import 'two/d.ts'",
  );
  expect(deadExports({ name: 'one', exports }, [source])).toEqual(['one/b/*', 'one/d.ts']);
});

const caught = (habit: Habit, path: string, text: string) => habit(parseSource(path, text));
const imported = (text: string) =>
  importsOf(parseSource('src/effects/x.ts', text)).map(({ target, typeOnly, reExports }) =>
    [target, typeOnly ? 'type' : 'value', ...(reExports ? ['again'] : [])].join(' '),
  );
const guests = (text: string) =>
  guestsOf(parseSource('src/effects/x.ts', text)).map(({ kind, what }) => `${kind} ${what}`);
const away = (folder: string) => ['', folder, 'ada', 'x'].join('/');
const registry = ['registry', 'example', 'com'].join('.');
// Whole, the words would be found in this file.
const [todo, fixme] = [['TO', 'DO'].join(''), ['FIX', 'ME'].join('')];

/** Titled by the habit's name, the file, and the beginning of its text. */
const snippets = (rows: readonly (readonly [Habit, string, string])[]) =>
  rows.map(
    ([habit, path, text]) =>
      [`${habit.name} ${path}: ${text.slice(0, 80).replaceAll('\n', ' ')}`, habit, path, text] as const,
  );

describe('imports are found', () => {
  test.each([
    ["import { a } from '../domain/a.ts'", ['src/domain/a.ts value']],
    ["import type { A } from './a.ts'", ['src/effects/a.ts type']],
    ["import { type A } from './a.ts'", ['src/effects/a.ts type']],
    ["import { type A, b } from './a.ts'", ['src/effects/a.ts value']],
    ["import './a.ts'", ['src/effects/a.ts value']],
    ["import * as a from 'rxjs'", ['rxjs value']],
    ["export { a } from './a.ts'", ['src/effects/a.ts value again']],
    ["export type { A } from './a.ts'", ['src/effects/a.ts type again']],
    ["export * from './a.ts'", ['src/effects/a.ts value again']],
    ["const a = await import('../adapters/a.ts')", ['src/adapters/a.ts value']],
    ['const a = await import(name)', ['(computed) value']],
    ["type A = import('./a.ts').A", ['src/effects/a.ts type']],
    ["import {\n  a,\n} from\n  './a.ts'", ['src/effects/a.ts value']],
    ["// import { a } from './a.ts'", []],
    ['const text = "import { a } from \'./a.ts\'"', []],
    ["/* import('./a.ts') */ export const a = 1", []],
  ])('%s', (text, imports) => {
    expect(imported(text)).toEqual(imports);
  });
});

describe('an import that points the wrong way is caught', () => {
  test.each([
    ['src/domain/x.ts', "import { transition } from 'xstate'"],
    ['src/domain/x.ts', "import type { ShootTurn } from '../effects/turn.ts'"],
    ['src/domain/x.ts', "import { readFileSync } from 'node:fs'"],
    ['src/domain/x.ts', "export const y = import('../adapters/y.ts')"],
    ['src/domain/x.ts', 'export const y = import(z)'],
    ['src/domain/x.ts', "export type Y = import('../effects/y.ts').Y"],
    ['src/domain/x.ts', "import { y } from 'zodiac'"],
    ['src/machines/x.ts', "import { map } from 'rxjs'"],
    ['src/machines/x.ts', "import type { Clock } from '../effects/ports.ts'"],
    ['src/effects/x.ts', "import { systemClock } from '../adapters/clock/wall-clock.ts'"],
    ['src/effects/x.ts', "import { request } from 'undici'"],
    ['src/adapters/x.ts', "import { run } from '../effects/run-machine.ts'"],
    ['src/adapters/deep/x.ts', "import { shootMachine } from '../../machines/shoot.ts'"],
    ['src/adapters/x.ts', "import type { ShootContext } from '../machines/shoot.ts'"],
    ['src/adapters/x.ts', "import { seed } from '@dwd/simulator/seed.ts'"],
    ['src/adapters/x.ts', "import { fake } from '../../test/support/fake.ts'"],
    ['packages/simulator/x.ts', "import { kubeClient } from 'dependency-watchdog/adapters/kube/kube-client.ts'"],
    ['packages/simulator/x.ts', "import { shootMachine } from 'dependency-watchdog/machines/shoot.ts'"],
    ['src/adapters/reflector/x.ts', "import { podWatch } from '../weeder-seed/pod-watch.ts'"],
    ['packages/simulator/store/x.ts', "import type { Verb } from '../api/api-request.ts'"],
    ['packages/simulator/api/x.ts', "import { EmbeddedSeed } from '../embedded-seed.ts'"],
    ['packages/inspector/model/x.ts', "import type { Turns } from '../wire/wire.ts'"],
    ['packages/inspector/model/x.ts', "import { supervise } from 'dependency-watchdog/effects/supervise.ts'"],
    ['packages/inspector/page/x.tsx', "import { pageAssets } from '../serve/page-assets.ts'"],
    [
      'packages/inspector/serve/x.ts',
      "import { undiciKubeClient } from 'dependency-watchdog/adapters/seed-client/undici-kube-client.ts'",
    ],
    ['src/adapters/record/log/x.ts', "import { shootRow } from '@dwd/inspector/model/rows.ts'"],
    ['src/commands/x.ts', "import '../main.ts'"],
    ['src/main.ts', "import { systemClock } from './adapters/clock/wall-clock.ts'"],
    ['src/attic/x.ts', 'export const y = 1'],
    ['src/x.ts', 'export const y = 1'],
  ])('%s: %s', (path, text) => {
    expect(caught(wrongImports, path, text)).toHaveLength(1);
  });

  test.each([
    ['src/domain/x.ts', "import * as z from 'zod'\nimport { y } from './y.ts'"],
    ['src/machines/x.ts', "import { setup } from 'xstate'\nimport { y } from '../domain/y.ts'"],
    ['src/effects/x.ts', "import { map } from 'rxjs/operators'\nimport { y } from '../machines/y.ts'"],
    ['src/adapters/x.ts', "import type { Clock } from '../effects/ports.ts'\nimport { request } from 'undici'"],
    ['src/adapters/weeder-seed/x.ts', "import { reflect } from '../reflector/reflector.ts'"],
    ['src/adapters/deep/x.ts', "import type { ShootEvent } from '../../machines/shoot-language.ts'"],
    ['packages/simulator/x.ts', "import { y } from './shoot/y.ts'"],
    ['packages/simulator/shoot/x.ts', "import { y } from '../store/y.ts'\nimport { z } from './z.ts'"],
    [
      'packages/simulator/deep/x.ts',
      "import { scaledClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts'\nimport '../y.ts'",
    ],
    [
      'packages/inspector/model/x.ts',
      "import { pureMachines } from 'dependency-watchdog/machines/kinds.ts'\nimport { z } from 'dependency-watchdog/adapters/words/z.ts'",
    ],
    [
      'packages/inspector/page/x.tsx',
      "import { explainTurn } from '../model/explain.ts'\nimport { App } from './app.tsx'",
    ],
    ['src/commands/x.ts', "import { y } from '../adapters/y.ts'\nimport { z } from '../effects/z.ts'"],
    ['src/main.ts', "import { prober } from './commands/prober.ts'"],
  ])('and %s may: %s', (path, text) => {
    expect(caught(wrongImports, path, text)).toEqual([]);
  });

  test.each([
    ['packages/simulator/commands/simulate/story/x.ts', "import { y } from '../network-outage/y.ts'"],
    ['packages/inspector/serve/x.ts', "import { App } from '../page/app.tsx'"],
    ['packages/simulator/commands/simulate/network-outage/x.ts', "import type { y } from '../etcd-outage/y.ts'"],
    ['packages/simulator/commands/simulate/etcd-outage/x.ts', "import { y } from '../network-outage/y.ts'"],
    ['packages/simulator/commands/simulate/etcd-outage/x.ts', "import { y } from '../../simulate.ts'"],
    ['src/commands/release.ts', "import { y } from '@dwd/simulator/commands/simulate/story/y.ts'"],
    ['packages/lab/meltdown/x.ts', "import type { y } from '../../../test/support/y.ts'"],
    ['packages/lab/real/x.ts', "import { y } from '../meltdown/y.ts'"],
    ['test/kind/x.ts', "import { y } from '@dwd/lab/bench/support/y.ts'"],
    ['src/adapters/record/facts/x.ts', "import { shortName } from '../words/write-words.ts'"],
    ['src/adapters/record/facts/x.ts', "import type { Episode } from '../episodes/episode.ts'"],
    ['src/adapters/record/words/x.ts', "import type { Log } from '../log/log.ts'"],
    ['src/adapters/record/words/x.ts', "import type { Instruments } from '../metrics/metric-list.ts'"],
  ])('%s may not go back: %s', (path, text) => {
    expect(caught(backwardImports, path, text)).toHaveLength(1);
  });

  test.each([
    ['packages/simulator/commands/simulate.ts', "import { y } from './simulate/network-outage/y.ts'"],
    [
      'packages/simulator/commands/simulate/etcd-outage/x.ts',
      "import { y } from '../story/y.ts'\nimport { z } from './z.ts'",
    ],
    ['packages/lab/meltdown/x.ts', "import { y } from '../real/y.ts'\nimport { z } from '../../src/domain/z.ts'"],
    ['test/kind/x.ts', "import { y } from '../../packages/lab/real/y.ts'"],
    ['src/adapters/record/words/x.ts', "import { y } from '../facts/y.ts'\nimport { z } from '../../words/z.ts'"],
    ['src/adapters/record/log/x.ts', "import { y } from '../words/y.ts'\nimport { z } from '../episodes/z.ts'"],
  ])('and %s may go on: %s', (path, text) => {
    expect(caught(backwardImports, path, text)).toEqual([]);
  });
});

describe('clocks, timers, chance and what comes later are found', () => {
  test.each([
    ['const a = Date.now()', ['clock Date.now']],
    ["const a = Date['now']()", ['clock Date.now']],
    ['const a = new Date()', ['clock Date']],
    ['const a = new Date', ['clock Date']],
    ['const a = Date()', ['clock Date']],
    ['const { now } = Date', ['clock Date']],
    ['const a = performance.now()', ['clock performance']],
    ['const a = globalThis.performance', ['clock globalThis.performance']],
    ['const a = process.hrtime.bigint()', ['clock process.hrtime']],
    ['setTimeout(f, 1)', ['timer setTimeout']],
    ['const a = [setInterval]', ['timer setInterval']],
    ['const a = { setTimeout }', ['timer setTimeout']],
    ['const a = AbortSignal.timeout(1)', ['timer AbortSignal.timeout']],
    ["import { setTimeout as sleep } from 'node:timers/promises'", ['timer node:timers/promises']],
    ["import { setTimeout as sleep } from 'timers/promises'", ['timer timers/promises']],
    ["import { performance as p } from 'node:perf_hooks'", ['clock performance of node:perf_hooks']],
    ["import { map, timer } from 'rxjs'", ['timer timer of rxjs']],
    ["import { delay } from 'rxjs/operators'", ['timer delay of rxjs/operators']],
    ['const a = Math.random()', ['chance Math.random']],
    ['const { random } = Math', ['chance Math']],
    ['const a = crypto.randomUUID()', ['chance crypto']],
    ['const f = async () => 1', ['later async']],
    ['class A { async f() {} }', ['later async']],
    ['const a = await b', ['later await']],
    ['const a = Promise.resolve(1)', ['later Promise']],
    ['queueMicrotask(f)', ['later queueMicrotask']],
    ['const a = process.env', ['world process']],
    ['const a = `${Date.now()}`', ['clock Date.now']],
  ])('%s', (text, found) => {
    expect(guests(text)).toEqual(found);
  });

  test.each([
    ['const a = Date.parse(text)'],
    ['const a = new Date(at).toISOString()'],
    ['const a = b instanceof Date'],
    ['const a = Math.max(1, 2)'],
    ['const a = clock.setTimeout(1)'],
    ['const a = { performance: 1, setTimeout() {} }'],
    ['class A { performance = 1; fetch() {} }'],
    ['type A = { at: Date; f: typeof setTimeout; p: Promise<void> }'],
    ['function f(a: Promise<Date>): asserts a is Promise<Date> {}'],
    ['interface A { process: NodeJS.Process }'],
    ['// Date.now()\nconst a = "Math.random()"'],
    ['const a = `new Date()`'],
    ["import type { Timeout } from 'rxjs'"],
  ])('and nothing in %s', (text) => {
    expect(guests(text)).toEqual([]);
  });

  test.each(
    snippets([
      [pureRooms, 'src/domain/x.ts', 'export const a = () => Date.now()'],
      [pureRooms, 'src/machines/x.ts', 'export const a = () => Math.random()'],
      [pureRooms, 'src/machines/deep/x.ts', 'export async function a() {}'],
      [pureRooms, 'packages/inspector/model/x.ts', 'export const a = () => Date.now()'],
      [clocksTellTime, 'packages/inspector/page/x.tsx', 'export const a = () => <p>{Date.now()}</p>'],
      [clocksTellTime, 'src/effects/x.ts', 'setTimeout(f, 1)'],
      [clocksTellTime, 'src/adapters/deep/x.ts', 'export const a = new Date()'],
      [clocksTellTime, 'packages/simulator/clockwork.ts', 'export const a = Date.now()'],
      [chanceIsInjected, 'src/adapters/clock/wall-clock.ts', 'export const a = Math.random()'],
      [chanceIsInjected, 'packages/simulator/api/faults.ts', 'export const { random } = Math'],
    ]),
  )('broken: %s', (_, habit, path, text) => {
    expect(caught(habit, path, text)).toHaveLength(1);
  });

  test.each(
    snippets([
      [pureRooms, 'src/effects/x.ts', 'export async function a() {}'],
      [clocksTellTime, 'src/adapters/clock/wall-clock.ts', 'setTimeout(f, Date.now())'],
      [clocksTellTime, 'packages/inspector/page/browser-clock.ts', 'export const a = () => requestAnimationFrame(f)'],
      [clocksTellTime, 'src/effects/x.ts', 'export const a = async () => process.env'],
      [chanceIsInjected, 'src/adapters/clock/chance.ts', 'export const a = Math.random()'],
      [chanceIsInjected, 'packages/simulator/x.ts', 'export const a = crypto.randomUUID()'],
    ]),
  )('kept: %s', (_, habit, path, text) => {
    expect(caught(habit, path, text)).toEqual([]);
  });
});

describe('other habits are seen broken', () => {
  test.each(
    snippets([
      [machinesStayExplorable, 'src/machines/x.ts', 'export const a = { states: { b: { invoke: { src: "c" } } } }'],
      [machinesStayExplorable, 'src/machines/x.ts', 'export const a = { after: { 1000: "b" } }'],
      [machinesStayExplorable, 'src/machines/x.ts', "import { fromPromise, setup } from 'xstate'"],
      [noDefaultExports, 'src/domain/x.ts', 'export default 1'],
      [noDefaultExports, 'hack/x.ts', 'const a = 1\nexport { a as default }'],
      [noBarrels, 'src/domain/x.ts', "export * from './a.ts'"],
      [noBarrels, 'src/domain/x.ts', "export type { A } from './a.ts'"],
      [noBarrels, 'src/domain/x.ts', "import { a } from './a.ts'\nexport { a }"],
      [importsEndInTs, 'src/domain/x.ts', "import { a } from './a'"],
      [importsEndInTs, 'src/domain/x.ts', "import { a } from './a.js'"],
      [importsEndInTs, 'src/domain/x.ts', "type A = import('./a').A"],
      [filesAreShort, 'src/domain/x.ts', 'export const a = 1;\n'.repeat(251)],
      [looseEndsHaveOwners, 'src/domain/x.ts', `// ${todo} mend this\nexport const a = 1`],
      [looseEndsHaveOwners, 'test/x.ts', `/** ${fixme} */`],
      [noMocks, 'test/x.test.ts', "vi.mock('../src/main.ts')"],
      [noMocks, 'test/x.test.ts', "vi.spyOn(clock, 'now')"],
      [noMocks, 'test/x.test.ts', 'const f = vi.fn()'],
    ]),
  )('broken: %s', (_, habit, path, text) => {
    expect(caught(habit, path, text)).toHaveLength(1);
  });

  test.each(
    snippets([
      [machinesStayExplorable, 'src/effects/x.ts', 'export const a = { before: 1, after: 2 }'],
      [machinesStayExplorable, 'src/machines/x.ts', "import { assign, setup, transition } from 'xstate'"],
      [noDefaultExports, 'src/domain/x.ts', 'export const a = { default: 1 }'],
      [noBarrels, 'src/domain/x.ts', "import { a } from './a.ts'\nexport const b = a\nconst c = 1\nexport { c }"],
      [
        importsEndInTs,
        'src/domain/x.ts',
        "import { a } from './a.ts'\nimport b from './b.json' with { type: 'json' }\nimport 'zod'",
      ],
      [filesAreShort, 'src/domain/x.ts', 'export const a = 1;\n'.repeat(250)],
      [looseEndsHaveOwners, 'src/domain/x.ts', `// ${todo}(ada) mends this\nexport const a = "${todo}"`],
      [noMocks, 'test/x.test.ts', 'vi.waitFor(() => a)'],
    ]),
  )('kept: %s', (_, habit, path, text) => {
    expect(caught(habit, path, text)).toEqual([]);
  });

  test('a place on a machine or a registry is a trace, a place in the image is none', () => {
    for (const folder of ['home', 'work', 'tmp', 'Users', 'root'])
      expect(tracesIn('a', `see ${away(folder)}`)).toHaveLength(1);
    expect(tracesIn('a', `one\nfrom ${registry}`)).toEqual([`a:2 names ${registry}`]);
    expect(tracesIn('a', '/usr/local/bin, /etc/x, ~/.kube/config, ./work/x, src/tmp/x')).toEqual([]);
  });
});
