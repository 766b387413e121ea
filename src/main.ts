import { buildWords, readBuild } from './commands/build.ts';
import type { CommandIo, RunCommand } from './commands/command.ts';
import { endProcess } from './commands/end-process.ts';
import { traceUncaught } from './commands/uncaught.ts';
import { isCommand, programUsage, unknownCommand, type CommandName } from './commands/usage.ts';
import { whileLoading } from './commands/while-loading.ts';

/** How each command is loaded, so that none pays for what another imports. */
const commands: Readonly<Record<CommandName, () => Promise<RunCommand>>> = {
  prober: async () => (await import('./commands/prober.ts')).runProber,
  weeder: async () => (await import('./commands/weeder.ts')).runWeeder,
  simulate: async () => (await import('./commands/simulate.ts')).runSimulate,
  replay: async () => (await import('./commands/replay.ts')).runReplay,
  inspect: async () => (await import('./commands/inspect.ts')).runInspect,
  validate: async () => (await import('./commands/validate.ts')).runValidate,
  status: async () => (await import('./commands/status.ts')).runStatus,
  release: async () => (await import('./commands/release.ts')).runRelease,
};

const helpWords = ['help', '-h', '-help', '--help'];
const versionFlags = ['-version', '--version'];

/** What the arguments ask for (SPEC 1.1); resolves to the exit code. */
async function dispatch(args: readonly string[], io: CommandIo): Promise<number> {
  const [word, ...rest] = args;
  if (word === undefined || helpWords.includes(word)) return await help(rest, io);
  if (asksVersion(word)) return version(io);
  if (!isCommand(word)) return unknownCommand(word, io);
  if (rest.length === 1 && versionFlags.includes(rest[0] ?? '')) return version(io);
  const run = await whileLoading(commands[word]);
  return await run(rest, io);
}

function asksVersion(word: string): boolean {
  return word === 'version' || versionFlags.includes(word);
}

function version(io: CommandIo): number {
  io.out(buildWords(readBuild(io.env)));
  return 0;
}

async function help([word]: readonly string[], io: CommandIo): Promise<number> {
  if (word === undefined || helpWords.includes(word)) {
    io.out(programUsage());
    return 0;
  }
  if (asksVersion(word)) return version(io);
  if (!isCommand(word)) return unknownCommand(word, io);
  return await dispatch([word, '--help'], io);
}

traceUncaught();

// A reader that has seen enough, as in `help | head -1`, or a terminal that was closed, is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
});

// Names are looked up in this pool; with the usual four, a few look-ups that hang would hold up every shoot. It is read at
// the pool's first use, which is after this.
process.env['UV_THREADPOOL_SIZE'] ??= '64';

// The end of the process waits for look-ups that hang, and has 5 s (SPEC 1.4); the C library's own patience is 5 s a try.
process.env['RES_OPTIONS'] ??= 'timeout:1 attempts:2';

const args = process.argv.slice(2);
const code = await dispatch(args, {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  env: process.env,
});

// The others' output may still be on its way into a pipe. With these nothing is left to be said, but a handshake that is never answered would hold its
// socket, and so the process, for 10 s after it was given up. An `inspect` that was ended may still be reading.
if (['prober', 'weeder', 'inspect'].includes(args[0] ?? '')) endProcess(code);
process.exitCode = code;
