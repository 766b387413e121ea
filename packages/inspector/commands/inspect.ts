import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { firstValueFrom, fromEvent, merge } from 'rxjs';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { AddressUnusable, type HttpServer } from 'dependency-watchdog/adapters/http/http-server.ts';
import { JournalUnusable, type JournalSource } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import { openSpool, type Spool } from '../journal/spool.ts';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import { chosenJournals } from '../serve/chosen-journals.ts';
import { readFileHistory, type FileHistory } from '../serve/file-history.ts';
import { pageLink } from '../serve/page-assets.ts';
import { calledAs, readBuild } from 'dependency-watchdog/commands/build.ts';
import { refuse, wrongCommandLine, type CommandIo } from 'dependency-watchdog/commands/command.ts';
import { addressFlag, openToOthers, stringFlag } from 'dependency-watchdog/commands/flag.ts';
import { flagSet } from 'dependency-watchdog/commands/go-flags.ts';
import { writeOneFile } from './inspect/write-one-file.ts';
import { serveFiles } from './inspect/serve-files.ts';
import { sayProgress } from './inspect/say-progress.ts';
import { storedJournals } from './replay/journal-sources.ts';
import { scopeFlags, scopeOf } from './replay/scope-flags.ts';

export const inspectFlags = flagSet(
  'inspect',
  {
    bindAddr: addressFlag({
      default: '127.0.0.1:9646',
      help: 'where the page is served, always the same so that copied links live; where that port is taken, any free one, which port 0 stands for',
    }),
    ...scopeFlags('show'),
    html: stringFlag({
      placeholder: 'FILE',
      help: 'write the page with all that it shows into this new file, which needs no server, and end',
    }),
  },
  { operands: 'PATH…' },
);

/** What surrounds the command, beside its output. */
export type InspectSurroundings = Readonly<{
  stdin: JournalSource['bytes'] & Readonly<{ isTTY?: boolean }>;
  clock: Clock;
  /** Resolves when somebody wants the command to end. */
  interrupted: () => Promise<unknown>;
}>;

const usual: InspectSurroundings = {
  stdin: process.stdin,
  clock: systemClock,
  interrupted: () => firstValueFrom(merge(fromEvent(process, 'SIGINT'), fromEvent(process, 'SIGTERM'))),
};

/**
 * V8 collects when the heap has grown by this much since it last did. Most of what is read is garbage at once; without this 400,000 turns have
 * twice the memory.
 */
const heapGrowingPercent = 30;

/** A small journal is read before its link is there; of a large one it does not wait for more than a first turn and this time. */
const linkWithin: Millis = 1_000;

/**
 * `inspect PATH…`: serves the inspector's page of recorded turns (SPEC 9.7) until a signal comes. A PATH is a journal file, a directory
 * of them, or `-`. Answers 0 where a signal ended it, 1 where nothing can be shown.
 */
export async function runInspect(
  args: readonly string[],
  io: CommandIo,
  { stdin, clock, interrupted }: InspectSurroundings = usual,
): Promise<number> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  const parsed = inspectFlags.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const { bindAddr: address, html } = parsed.values;
  if (address === undefined)
    return refuse(wrongCommandLine('inspect', '--bind-addr must be an address such as 127.0.0.1:9646'), io);
  const say = (sentence: string) => io.err(`dependency-watchdog inspect: ${sentence}`);
  const onFault = (error: unknown) =>
    say(`a bug of the watchdog: a request could not be answered: ${errorWords(error)}`);
  const open = html === undefined ? openToOthers(address) : undefined;
  if (open !== undefined) say(`--bind-addr ${open}`);
  if (parsed.operands.includes('-') && stdin.isTTY === true) say('reads the journal from the standard input');
  const end = interrupted().then(() => 'ended' as const);
  let spool: Spool | undefined;
  let server: HttpServer | undefined;

  try {
    const scope = await scopeOf('inspect', parsed.values, clock.now(), parsed.operands);
    if ('ok' in scope) return refuse(scope, io);
    const all = await storedJournals(parsed.operands, stdin, () => (spool ??= openSpool()));
    const files = readFileHistory({
      version: readBuild(io.env).version,
      program: calledAs(),
      now: () => clock.now(),
      scope,
      ...(await chosenJournals(all, scope)),
    });
    const progress = sayProgress(files, clock, say);
    progress.catch(() => undefined);
    if (html !== undefined) {
      if ((await Promise.race([files.replayed, end])) === 'ended') return 0;
      io.out(await writeOneFile(html, files.history));
      return 0;
    }
    if ((await Promise.race([shownSoon(files, clock), end])) === 'ended') return 0;
    server = await serveFiles({ history: files.history, address, given: parsed.given.has('bindAddr'), say, onFault });
    io.out(pageLink(address.host, server.port));
    await Promise.race([progress, end]);
    await end;
    return 0;
  } catch (error) {
    if (!(error instanceof JournalUnusable || error instanceof AddressUnusable)) throw error;
    say(error.message);
    return 1;
  } finally {
    await server?.close();
    void spool?.close();
  }
}

async function shownSoon({ begun, read }: FileHistory, clock: Clock): Promise<void> {
  const soon = firstValueFrom(clock.wakeAt(clock.now() + linkWithin));
  await Promise.race([read, Promise.all([begun, soon])]);
}
