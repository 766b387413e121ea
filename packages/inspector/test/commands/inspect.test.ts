import { appendFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInspect } from '../../commands/inspect.ts';
import type { About } from '../../wire/wire.ts';
import { emptyDir } from '../serve/inspected.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';
import { takenPort } from '@dwd/testing/taken-port.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { writeNight } from '@dwd/testing/journal-driver.ts';

const story = await meltdown();

async function night(): Promise<string> {
  const dir = emptyDir();
  await writeNight('prober', dir, story);
  return dir;
}

/** Runs the command; `link` is there once it serves. */
function inspecting(
  args: readonly string[],
  stdin: Iterable<string> = [],
  clock = new VirtualClock(1_800_000_000_000),
) {
  const { io, out, err } = heardIo();
  const interrupted = Promise.withResolvers<void>();
  const pieces = (async function* () {
    for (const piece of stdin) yield Buffer.from(piece);
  })();
  // Another inspect of this machine may have the usual port.
  const code = runInspect(['--bind-addr=127.0.0.1:0', ...args], io, {
    stdin: pieces,
    clock,
    interrupted: () => interrupted.promise,
  });
  return {
    out,
    err,
    code,
    link: async () => {
      await expect.poll(() => out).toHaveLength(1);
      return out[0]!;
    },
    interrupt: () => interrupted.resolve(),
  };
}

async function aboutOf(link: string): Promise<About> {
  return (await (await fetch(`${link}about`)).json()) as About;
}

test('9.7 it prints the link to its page, serves it on this machine alone, and ends at a signal', async () => {
  const { link, err, code, interrupt } = inspecting([await night()]);
  expect(await link()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(await aboutOf(await link())).toMatchObject({ turns: story.length, live: false });
  interrupt();
  expect(await code).toBe(0);
  expect(err).toEqual([]);
  await expect(fetch(await link())).rejects.toThrow('fetch failed');
});

test('9.7 a journal comes from files, directories and the standard input, of several runs', async () => {
  const [one, other] = [await night(), await night()];
  const file = join(other, readdirSync(other)[0]!);
  const later = readFileSync(file, 'utf8').replace(/"run":"[^"]*"/, '"run":"another"');
  const { link, code, interrupt } = inspecting([one, '-'], [later]);
  const { turns, runs, sources } = await aboutOf(await link());
  expect([turns, runs.length, sources.at(-1)]).toEqual([2 * story.length, 2, 'standard input']);
  interrupt();
  expect(await code).toBe(0);
});

test('9.7 what cannot be read is said, and the rest is served', async () => {
  const dir = await night();
  const [name] = readdirSync(dir);
  appendFileSync(join(dir, name!), 'no json\n');
  const { link, err, interrupt, code } = inspecting([dir]);
  await link();
  expect(err).toEqual([expect.stringMatching(/^dependency-watchdog inspect: .*cannot be read: it is not JSON$/)]);
  interrupt();
  expect(await code).toBe(0);
});

test('9.7 it ends at a signal while it still reads', async () => {
  const never = (async function* () {
    await new Promise(() => undefined);
    yield Buffer.from('');
  })();
  const interrupted = Promise.withResolvers<void>();
  const { io } = heardIo();
  const clock = new VirtualClock();
  const code = runInspect(['-'], io, { stdin: never, clock, interrupted: () => interrupted.promise });
  interrupted.resolve();
  expect(await code).toBe(0);
});

const log = '{"level":"info","msg":"the prober starts"}\n';

test.each([
  ['nothing', () => [], 2, 'PATH… is missing'],
  ['a flag that is none', () => ['--port=1', 'x'], 2, 'unknown flag --port'],
  ['no address', () => ['--bind-addr=0', 'x'], 2, '--bind-addr must be an address such as 127.0.0.1:9646'],
  ['a path that is not there', () => ['/nowhere'], 1, '/nowhere cannot be read: '],
  ['a directory without a journal', () => [emptyDir()], 1, 'holds no journal file (dwd-….jsonl)'],
  ['a log', () => [written('log.txt', log)], 1, 'log.txt is a log, not a journal.'],
  ['an empty file', () => [written('empty', '')], 1, 'empty is empty: no event is recorded there'],
  ['the same turns twice', async () => [await night(), '-'], 1, 'give each file once, in order'],
] as const)('9.7 %s is refused with a clear sentence', async (what, args, code, says) => {
  const given: readonly string[] = await args();
  const twice =
    what === 'the same turns twice' ? [readFileSync(join(given[0]!, readdirSync(given[0]!)[0]!), 'utf8')] : [];
  const { code: ended, err, out } = inspecting(given, twice);
  expect([await ended, out]).toEqual([code, []]);
  expect(err.join('\n')).toContain(says);
});

function written(name: string, text: string): string {
  const path = join(emptyDir(), name);
  writeFileSync(path, text);
  return path;
}

test('9.7 a port that is taken is refused, with what to do', async (context) => {
  const port = await takenPort(context);
  const { code, err } = inspecting([`--bind-addr=127.0.0.1:${port}`, await night()]);
  expect(await code).toBe(1);
  expect(err).toEqual([
    expect.stringContaining('in use by another process; give another address, or port 0 for any free one'),
  ]);
});

test('9.17 without an address the port is always the same; where it is taken, a free one serves, and that is said', async (context) => {
  const { io, out, err } = heardIo();
  const interrupted = Promise.withResolvers<void>();
  const taken = await takenPort(context, 9_646);
  const code = runInspect([await night()], io, {
    stdin: (async function* () {})(),
    clock: new VirtualClock(1_800_000_000_000),
    interrupted: () => interrupted.promise,
  });
  await expect.poll(() => out).toHaveLength(1);
  expect(taken).toBe(9_646);
  expect(out[0]).not.toContain(':9646/');
  expect(err).toEqual([expect.stringContaining('port 9646 is in use, perhaps by another inspect')]);
  interrupted.resolve();
  expect(await code).toBe(0);
});

const clock = (at: number) => new Date(at).toISOString().slice(11);

test('9.17 a part of a journal is shown: by instants or times of day, and by shoot', async () => {
  const since = story[40]!.at;
  const args = [`--since=${clock(since)}`, '--shoot', story[0]!.subject, await night()];
  const { link, err, interrupt, code } = inspecting(args);
  const about = await aboutOf(await link());
  expect(about).toMatchObject({ firstAt: since, turns: story.filter(({ at }) => at >= since).length });
  expect(err).toEqual([expect.stringContaining('events before ')]);
  interrupt();
  expect(await code).toBe(0);
});

test.each([
  ['of a time before it', ['--since=23:59:59Z'], 1, '--since=23:59:59Z is not within the record, which goes from '],
  ['the wrong way round', ['--since=1h', '--until=2h'], 2, '--since ('],
  ['no time', ['--until=noon'], 2, '--until must be an instant such as'],
  ['of a shoot that is not there', ['--shoot=shoot--no'], 1, 'no event of shoot--no is recorded there'],
])('9.17 a part %s is refused with a clear sentence', async (_, args, code, says) => {
  const { code: ended, err, out } = inspecting([...args, await night()]);
  expect([await ended, out]).toEqual([code, []]);
  expect(err.join('\n')).toContain(says);
});
