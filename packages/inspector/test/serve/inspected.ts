import { request } from 'node:http';
import { connect } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { serveHttp } from 'dependency-watchdog/adapters/http/http-server.ts';
import { isOwnHost } from 'dependency-watchdog/adapters/http/routes.ts';
import { journal } from 'dependency-watchdog/adapters/record/journal/journal.ts';
import type { JournalLimits } from 'dependency-watchdog/adapters/record/journal/journal-limits.ts';
import { storedJournals } from '../../commands/replay/journal-sources.ts';
import { openSpool } from '../../journal/spool.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';
import { readFileHistory } from '../../serve/file-history.ts';
import type { History } from '../../serve/history.ts';
import { inspectorConnections, inspectorRoutes } from '../../serve/inspector-routes.ts';
import { liveHistory } from '../../serve/live-history.ts';
import { readerLimits, type ReaderLimits } from '../../serve/readers.ts';
import type { StreamEvents } from '../../wire/wire.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { writeNight } from '@dwd/testing/journal-driver.ts';

const asset = (text: string) => ({
  contentType: 'text/plain',
  body: Buffer.from(text),
  gzipped: gzipSync(text),
});
const page = () =>
  Promise.resolve({ html: asset('html'), script: asset('script'), style: asset('style'), runbooks: asset('runbooks') });

/** An inspector that is served on a port of its own; its heartbeats and pauses are those of `pace`. */
export async function inspected(history: History, limits: Partial<ReaderLimits> = {}) {
  const pace = new VirtualClock();
  const counts = { readers: 0, refused: 0, missed: 0 };
  const faults: unknown[] = [];
  const hooks = {
    onReaders: (count: number) => (counts.readers = count),
    onRefused: () => (counts.refused += 1),
    onMissed: (events: number) => (counts.missed += events),
  };
  const onFault = (error: unknown) => faults.push(error);
  const server = await serveHttp({
    address: { host: '127.0.0.1', port: 0 },
    flag: '--bind-addr',
    ...inspectorRoutes({
      history,
      page,
      now: () => history.about().now,
      pace,
      hooks,
      onFault,
      limits: { ...readerLimits, ...limits },
    }),
    isForUs: isOwnHost,
    mostConnections: inspectorConnections,
    onFault,
  });
  onTestFinished(() => server.close());
  const url = `http://127.0.0.1:${server.port}`;
  return {
    port: server.port,
    close: () => server.close(),
    url,
    pace,
    counts,
    faults,
    json: async (path: string) => (await fetch(`${url}${path}`)).json(),
  };
}

/** What the files of a directory hold, once all of it is read and replayed. */
export async function historyOf(dir: string): Promise<History> {
  const { history, replayed } = readFileHistory({
    version: '1.2.3',
    now: () => 1_800_000_000_000,
    journals: await journalsOf(dir),
  });
  await replayed;
  return history;
}

/** The journals of a directory. */
export async function journalsOf(...places: readonly string[]) {
  const spool = openSpool();
  onTestFinished(() => spool.close());
  return await storedJournals(places, { async *[Symbol.asyncIterator]() {} }, () => spool);
}

export function emptyDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'inspected-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

/** The history of turns that were written to files. */
export async function recordedHistory(turns: readonly Turn[], role: 'prober' | 'weeder' = 'prober') {
  const dir = emptyDir();
  await writeNight(role, dir, turns);
  return await historyOf(dir);
}

/** The history of a process; each turn goes to its journal first, as in a role. */
export function liveProcess(limits: Partial<JournalLimits> = {}) {
  const clock = new VirtualClock(1_790_000_000_000);
  const kept = journal({
    clock,
    program: { role: 'prober', version: '0.1.0', processId: 7, configuration: {} },
    limits,
    say: () => undefined,
    onDropped: () => undefined,
    onWriteFailed: () => undefined,
  });
  const history = liveHistory({ version: '1.2.3', now: () => clock.now(), journal: kept });
  return {
    history,
    journal: kept,
    take: (turns: readonly Turn[]) => {
      for (const turn of turns) {
        kept.observe(turn);
        history.observe(turn);
      }
    },
  };
}

/** Answers the status of a request with any headers, and the path as it is given. */
export function asked(port: number, path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

export type Told = {
  [Name in keyof StreamEvents]: Readonly<{ name: Name; data: StreamEvents[Name] }>;
}[keyof StreamEvents];

/** A reader of a stream of events, over a socket of its own, which reads only while it is not paused. */
export async function reader(port: number, path: string) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  let [heard, searched] = [0, 0];
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await expect.poll(() => text).toContain('\r\n\r\n');
  const head = text.slice(0, text.indexOf('\r\n\r\n'));
  const events = (): readonly Told[] =>
    // The lengths of HTTP's chunks stand on lines of their own.
    [...text.replaceAll(/\r\n[0-9a-f]+\r\n/g, '').matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(
      ([, name, data]) => ({ name, data: JSON.parse(data!) }) as Told,
    );
  return {
    head,
    events,
    text: () => text,
    /** Events that have begun to come, without reading them again. */
    heard: () => {
      for (let at = text.indexOf('event: ', searched); at !== -1; at = text.indexOf('event: ', searched)) {
        searched = at + 1;
        heard += 1;
      }
      return heard;
    },
    of: <Name extends Told['name']>(name: Name) =>
      events().flatMap((one) => (one.name === name ? [one.data as StreamEvents[Name]] : [])),
    names: () => events().map(({ name }) => name),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    leave: () => void socket.destroy(),
  };
}
