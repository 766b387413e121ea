import process from 'node:process';
import { firstValueFrom, fromEvent, merge } from 'rxjs';
import { systemClock } from '../adapters/clock/wall-clock.ts';
import { AddressUnusable, serveHttp } from '../adapters/http/http-server.ts';
import { isOwnHost } from '../adapters/http/routes.ts';
import { JournalUnusable, type JournalSource } from '../adapters/journal/read-journal.ts';
import { counted, errorWords, terminalLine } from '../adapters/words/plain-words.ts';
import type { Millis } from '../domain/time.ts';
import type { Clock } from '../effects/ports.ts';
import { readFileHistory } from '../inspector/serve/file-history.ts';
import { inspectorConnections, inspectorRoutes } from '../inspector/serve/inspector-routes.ts';
import { pageAssets, pageLink } from '../inspector/serve/page-assets.ts';
import { calledAs, readBuild } from './build.ts';
import { refuse, wrongCommandLine, type CommandIo } from './command.ts';
import { flagSet } from './go-flags.ts';
import { journalSources } from './replay/journal-sources.ts';
import { usableEntries } from './replay/usable-entries.ts';
import { addressFlag } from './role/role-flag-kinds.ts';

export const inspectFlags = flagSet(
  'inspect',
  {
    bindAddr: addressFlag({
      default: '127.0.0.1:0',
      help: 'where the page is served; port 0 stands for any free one',
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

/** How often it says how far it has read: some 20,000 events take as long. */
const sayEvery: Millis = 2_000;

/**
 * `inspect PATH…`: serves the inspector's page of recorded turns (SPEC 9.7) until a signal comes. A PATH is a journal file, a directory
 * of them, or `-`. Answers 0 where a signal ended it, 1 where nothing can be shown.
 */
export async function runInspect(
  args: readonly string[],
  io: CommandIo,
  { stdin, clock, interrupted }: InspectSurroundings = usual,
): Promise<number> {
  const parsed = inspectFlags.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const address = parsed.values.bindAddr;
  if (address === undefined)
    return refuse(wrongCommandLine('inspect', '--bind-addr must be an address such as 127.0.0.1:9645'), io);
  const say = (sentence: string) => io.err(terminalLine(`dependency-watchdog inspect: ${sentence}`));
  const onFault = (error: unknown) =>
    say(`a bug of the watchdog: a request could not be answered: ${errorWords(error)}`);
  if (parsed.operands.includes('-') && stdin.isTTY === true) say('reads the journal from the standard input');
  const end = interrupted().then(() => 'ended' as const);
  let saidAt = clock.now();

  try {
    const sources = await journalSources(parsed.operands, stdin);
    const reading = readFileHistory({
      version: readBuild(io.env).version,
      program: calledAs(),
      now: () => clock.now(),
      sources: sources.map(({ name }) => name),
      entries: entriesOf(sources),
      onTurn(turns) {
        if (clock.now() - saidAt < sayEvery) return;
        saidAt = clock.now();
        say(`${counted(turns, 'event')} read so far`);
      },
    });
    const history = await Promise.race([reading, end]);
    if (history === 'ended') return 0;
    for (const problem of history.about().problems) say(problem);
    const server = await serveHttp({
      address,
      flag: '--bind-addr',
      remedy: 'give another address, or none for any free port',
      ...inspectorRoutes({ history, page: pageAssets(), now: () => clock.now(), pace: systemClock, onFault }),
      isForUs: isOwnHost,
      mostConnections: inspectorConnections,
      onFault,
    });
    io.out(pageLink(address.host, server.port));
    await end;
    await server.close();
    return 0;
  } catch (error) {
    if (!(error instanceof JournalUnusable || error instanceof AddressUnusable)) throw error;
    say(error.message);
    return 1;
  }
}

async function* entriesOf(sources: readonly JournalSource[]) {
  for (const source of sources) yield* usableEntries(source);
}
