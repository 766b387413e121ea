import process from 'node:process';
import { firstValueFrom, fromEvent, merge } from 'rxjs';
import { systemClock } from '../adapters/clock/wall-clock.ts';
import { AddressUnusable, serveHttp } from '../adapters/http/http-server.ts';
import { isOwnHost } from '../adapters/http/routes.ts';
import { journalKinds } from '../adapters/journal/journal-kinds.ts';
import { JournalUnusable, type JournalSource } from '../adapters/journal/read-journal.ts';
import { errorWords } from '../adapters/words/plain-words.ts';
import { readFileHistory } from '../inspector/serve/file-history.ts';
import { inspectorConnections, inspectorRoutes } from '../inspector/serve/inspector-routes.ts';
import { pageLink } from '../inspector/serve/page-link.ts';
import { pageAssets } from '../inspector/serve/page-assets.ts';
import { readBuild } from './build.ts';
import { refuse, wrongCommandLine, type CommandIo } from './command.ts';
import { flagSet } from './go-flags.ts';
import { journalSources } from './replay/journal-sources.ts';
import { usableEntries } from './replay/usable-entries.ts';
import { addressFlag } from './role/role-flag-kinds.ts';

const flags = flagSet(
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
  /** Resolves when somebody wants the command to end. */
  interrupted: () => Promise<unknown>;
}>;

const usual: InspectSurroundings = {
  stdin: process.stdin,
  interrupted: () => firstValueFrom(merge(fromEvent(process, 'SIGINT'), fromEvent(process, 'SIGTERM'))),
};

/**
 * `inspect PATH…`: serves the inspector's page of recorded turns (SPEC 9.7) until a signal comes. A PATH is a journal file, a directory of them, or
 * `-`. Answers 0 where it was ended by a signal, 1 where nothing can be shown.
 */
export async function runInspect(
  args: readonly string[],
  io: CommandIo,
  { stdin, interrupted }: InspectSurroundings = usual,
): Promise<number> {
  const parsed = flags.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const address = parsed.values.bindAddr;
  if (address === undefined)
    return refuse(wrongCommandLine('inspect', '--bind-addr must be an address such as 127.0.0.1:9645'), io);
  const fail = (problem: string) => io.err(`dependency-watchdog inspect: ${problem}`);
  if (parsed.operands.includes('-') && stdin.isTTY === true) fail('reads the journal from the standard input');
  const onFault = (error: unknown) =>
    fail(`a bug of the watchdog: a request could not be answered: ${errorWords(error)}`);
  const end = interrupted();
  try {
    const sources = await journalSources(parsed.operands, stdin);
    const history = await readFileHistory({
      version: readBuild(io.env).version,
      now: () => systemClock.now(),
      sources: sources.map(({ name }) => name),
      entries: entriesOf(sources),
    });
    for (const problem of history.about().problems) fail(problem);
    const server = await serveHttp({
      address,
      flag: '--bind-addr',
      ...inspectorRoutes({ history, page: pageAssets(), now: () => systemClock.now(), pace: systemClock, onFault }),
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
    fail(error.message);
    return 1;
  }
}

async function* entriesOf(sources: readonly JournalSource[]) {
  for (const source of sources) yield* usableEntries(source, journalKinds);
}
