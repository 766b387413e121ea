import { readFileSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { NEVER, type Observable } from 'rxjs';
import { journal, type Journal, type JournalOptions } from 'dependency-watchdog/adapters/record/journal/journal.ts';
import type { Disk } from 'dependency-watchdog/adapters/record/journal/kept-files.ts';
import type { Dropped } from 'dependency-watchdog/adapters/record/journal/journal-limits.ts';
import { runReplay } from '@dwd/inspector/commands/replay.ts';
import type { Turn, ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import { heardIo } from './heard-io.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { VirtualClock } from './virtual-clock.ts';
import type { Tenure } from 'dependency-watchdog/adapters/record/journal/journal-kinds.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { gardenerConfig } from './prober-configs.ts';
import { gardenerWeederConfig } from './weeder-configs.ts';

export type JournalDriver = Readonly<{
  journal: Omit<Journal, 'close'> & Readonly<{ close(givenUp$?: Observable<unknown>): Promise<void> }>;
  dir: string;
  clock: VirtualClock;
  said: string[];
  dropped: Dropped[];
  failures: () => number;
  files: () => readonly string[];
}>;

/** A journal in a directory of its own, or in memory only, with everything that it reports and drops. */
export function journalDriver(options: Partial<JournalOptions> & { memoryOnly?: boolean } = {}): JournalDriver {
  const dir = temporaryFolder();
  const clock = new VirtualClock(1_790_000_000_000);
  const said: string[] = [];
  const dropped: Dropped[] = [];
  let failures = 0;
  const made = journal({
    clock,
    program: { role: 'prober', version: '0.1.0', processId: 7, configuration: { probeInterval: 30_000 } },
    dir: options.memoryOnly === true ? undefined : dir,
    say: (level, message) => said.push(`${level}: ${message}`),
    onDropped: (what) => dropped.push(what),
    onWriteFailed: () => failures++,
    ...options,
    disk: { write, ...options.disk },
  });
  return {
    dir,
    clock,
    said,
    dropped,
    failures: () => failures,
    files: () =>
      readdirSync(dir)
        .toSorted()
        .map((name) => join(dir, name)),
    journal: { ...made, close: (givenUp$ = NEVER) => made.close(givenUp$) },
  };
}

/**
 * Answers as late as the kernel does, but has written by then. A write of the real disk that is still in flight when its file is
 * closed would land in whatever file a test opens next, since that one gets the same descriptor.
 */
const write: Disk['write'] = (descriptor, bytes, position, taken) => {
  try {
    const written = writeSync(descriptor, bytes, 0, bytes.length, position);
    setImmediate(() => taken(null, written));
  } catch (error) {
    setImmediate(() => taken(error as Error, 0));
  }
};

/** The files that a journal has of these turns, once it is closed. */
export async function recordedFiles(
  turns: readonly Turn[],
  limits: JournalOptions['limits'] = {},
): Promise<readonly string[]> {
  const { journal: made, files } = journalDriver({ limits });
  for (const turn of turns) made.observe(turn);
  await made.close();
  return files();
}

/** The same, where all fit into one file. */
export async function recordedFile(turns: readonly Turn[]): Promise<string> {
  return (await recordedFiles(turns))[0]!;
}

/** Writes the file anew with its lines changed; the header is line 1. */
export function changeLines(file: string, change: (text: string, line: number) => string | Uint8Array): void {
  const lines = linesOf(file).map((text, index) => change(text, index + 1));
  writeFileSync(file, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
}

/** The same with one of them. */
export function changeLine(file: string, line: number, change: (text: string) => string | Uint8Array): void {
  changeLines(file, (text, at) => (at === line ? change(text) : text));
}

/** Runs the `replay` command; `stdin` is what `-` reads. */
export async function replay(args: readonly string[], stdin: Iterable<Uint8Array | string> = []) {
  const { io, out, err } = heardIo();
  const code = await runReplay(
    args,
    io,
    (async function* () {
      for (const piece of stdin) yield Buffer.from(piece);
    })(),
  );
  return { code, out: out.join('\n'), err: err.join('\n'), lines: out };
}

export function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}

/** The turns of one shoot as those of another one. */
export function asShoot(turns: readonly ShootTurn[], shoot: string): readonly ShootTurn[] {
  const renamed = <Snapshot extends ShootTurn['after']>(snapshot: Snapshot) =>
    snapshot && { ...snapshot, context: { ...snapshot.context, shoot } };
  return turns.map((turn) => ({
    ...turn,
    subject: shoot,
    event: turn.event.type === 'started' ? { ...turn.event, input: { ...turn.event.input, shoot } } : turn.event,
    before: renamed(turn.before),
    after: renamed(turn.after),
  }));
}

/** Writes the turns of several machines as the journal of one run, in the order of their time. `lead`: of its process. Returns how many. */
export async function writeNight(
  role: 'prober' | 'weeder',
  dir: string,
  turns: readonly Turn[],
  configuration: object = role === 'prober' ? gardenerConfig : gardenerWeederConfig,
  lead?: Tenure,
): Promise<number> {
  const ordered = turns.toSorted((one, other) => one.at - other.at);
  const clock = new VirtualClock(ordered[0]?.at ?? 0);
  const unlimited = Number.MAX_SAFE_INTEGER;
  const written = journal({
    clock,
    dir,
    program: {
      role,
      version: '0.1.0',
      processId: role === 'prober' ? 7 : 8,
      configuration,
    },
    // All is written at once, so it would be too much for a real one.
    limits: {
      shareBytes: unlimited,
      shareTurns: unlimited,
      backlogBytes: unlimited,
      memoryBytes: unlimited,
      memoryTurns: unlimited,
      directoryBytes: unlimited,
    },
    say: (_, message) => {
      throw new Error(message);
    },
    onDropped: ({ reason }) => {
      throw new Error(`the journal drops turns: ${reason}`);
    },
    onWriteFailed: () => {
      throw new Error('the journal cannot be written');
    },
  });
  if (lead !== undefined) written.lead(lead);
  ordered.forEach((turn, index) => written.observe({ ...turn, seq: index + 1 }));
  await written.close(NEVER);
  return ordered.length;
}

/** When all nights begin: 2026-03-14, 02:00 in UTC. */
export const nightBegins: Instant = Date.UTC(2026, 2, 14, 2);
