import { buildWords, readBuild } from './commands/build.ts';
import type { CommandIo, RunCommand } from './commands/command.ts';
import { lastWords } from './commands/end-process.ts';
import { guests } from './commands/guests.ts';
import { ProcessIo } from './commands/process-io.ts';
import { isCommand, programUsage, unknownCommand, type CommandName } from './commands/usage.ts';
import { whileLoading } from './commands/while-loading.ts';

/** How each command is loaded, so that none pays for what another imports. */
const commands: Readonly<Record<CommandName, () => Promise<RunCommand>>> = {
  prober: async () => (await import('./commands/prober.ts')).runProber,
  weeder: async () => (await import('./commands/weeder.ts')).runWeeder,
  simulate: async () => (await guests.simulate()).runSimulate,
  replay: async () => (await guests.replay()).runReplay,
  inspect: async () => (await guests.inspect()).runInspect,
  validate: async () => (await import('./commands/validate.ts')).runValidate,
  status: async () => (await import('./commands/status.ts')).runStatus,
  release: async () => (await import('./commands/release.ts')).runRelease,
  completion: async () => (await import('./commands/completion.ts')).runCompletion,
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
    io.out(programUsage(), 'ours');
    return 0;
  }
  if (asksVersion(word)) return version(io);
  if (!isCommand(word)) return unknownCommand(word, io);
  return await dispatch([word, '--help'], io);
}

/** Nothing but what runs the roles is there after `npm ci --omit=dev`: the embedded seed makes its certificates with another package. */
function withoutPackage(error: unknown, command: string, io: CommandIo): number {
  const name = /^Cannot find package '([^']+)'/.exec(error instanceof Error ? error.message : '')?.[1];
  if (name === undefined) throw error;
  io.err(
    `dependency-watchdog ${command}: the package ${name} is not installed here: run \`npm ci\` without --omit=dev`,
  );
  return 1;
}

// Node would open a debugger at it, to whoever reaches this machine's own addresses (SPEC 11.3).
process.on('SIGUSR1', () => undefined);

// Names are looked up in half of this pool (libuv keeps the other half for what is quick); with the usual four threads, a few look-ups that hang would
// hold up every shoot. It is read at the pool's first use, which is after this. A thread costs 8 KB.
process.env['UV_THREADPOOL_SIZE'] ??= '128';

// A look-up that hangs holds a thread of the pool for as long as it is tried; the C library's own patience is 5 s a try.
process.env['RES_OPTIONS'] ??= 'timeout:1 attempts:2';

const args = process.argv.slice(2);
const word = args[0] ?? '';
const io = new ProcessIo(word);
const code = await dispatch(args, io).catch((error: unknown) => withoutPackage(error, word, io));
// What the others show may still be on its way to a slow reader.
await io.end(code, ['prober', 'weeder', 'inspect'].includes(word) ? lastWords : Infinity);
