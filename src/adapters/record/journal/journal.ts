import type { Observable } from 'rxjs';
import type { Instant } from '../../../domain/time.ts';
import type { Turn, TurnOf } from '../../../effects/turn.ts';
import type { Language } from '../../../machines/pure-machine.ts';
import { isEnded } from '../facts/turns.ts';
import { disk, type Disk } from './kept-files.ts';
import { journalFiles } from './journal-files.ts';
import { journalLimits, type Dropped, type JournalLimits, turnShares } from './journal-limits.ts';
import {
  headerLine,
  journalVersion,
  turnToWrite,
  type JournalHeader,
  type JournalSink,
  type TurnLines,
} from './journal-line.ts';
import { type Tenure } from './journal-kinds.ts';
import { memoryJournal } from './memory-journal.ts';

export type JournalOptions = Readonly<{
  clock: Readonly<{ now(): Instant }>;
  /** `role` begins the files' names: `prober`. `configuration` is told to the reader of the journal; it holds no secret. */
  program: Readonly<{ role: string; version: string; processId: number; configuration: unknown }>;
  /** The journal is kept in memory in any case, and here as well where it is given. */
  dir?: string | undefined;
  limits?: Partial<JournalLimits>;
  /** For the log: the directory's trouble, said when it begins and when it ends, and who takes more than its share, once. */
  say: (level: 'info' | 'warn' | 'error', message: string) => void;
  onDropped: (dropped: Dropped) => void;
  onWriteFailed: () => void;
  /** Replaces parts of the file system. */
  disk?: Partial<Disk>;
}>;

export type Journal<SomeTurn extends TurnOf<Language> = Turn> = ReturnType<typeof journal<SomeTurn>>;

/**
 * Keeps every turn as a line of JSON (SPEC 9.6), bounded in every way. A chapter stands for itself: the first line of a
 * machine carries its snapshot, so a replay can begin at any file although rotation took those before it.
 * Neither throws nor waits for the disk.
 */
export function journal<SomeTurn extends TurnOf<Language> = Turn>(options: JournalOptions) {
  const { clock, program, onDropped } = options;
  const limits = { ...journalLimits, ...options.limits };
  const run = `${clock.now()}-${program.processId}`;
  let lead: Tenure | undefined;
  const header = (): JournalHeader => ({
    journal: journalVersion,
    program: `dependency-watchdog ${program.role}`,
    version: program.version,
    run,
    openedAt: clock.now(),
    configuration: program.configuration,
    ...(lead && { lead }),
  });
  const firstLine = () => headerLine(header());
  /** Machines that were already said to take too much. */
  const told = new Set<string>();
  /** Machines of which it was said that a turn is too long. */
  const toldLong = new Set<string>();
  const memory = memoryJournal(limits, firstLine, onDropped, tellCut);
  const files =
    options.dir === undefined
      ? undefined
      : journalFiles({
          dir: options.dir,
          role: program.role,
          limits,
          now: () => clock.now(),
          header: firstLine,
          lastLine: () => (lead?.ended === undefined ? undefined : firstLine()),
          onDropped,
          onWriteFailed: options.onWriteFailed,
          say: options.say,
          disk: { ...disk, ...options.disk },
        });

  const sinks: readonly JournalSink[] = files === undefined ? [memory] : [memory, files];
  const shares = turnShares(limits);

  function tellCut(subject: string): void {
    if (told.has(subject)) return;
    told.add(subject);
    options.say('warn', `the journal leaves out turns of ${subject}, which takes more than its share`);
  }

  function tellLong(subject: string): void {
    if (toldLong.has(subject)) return;
    toldLong.add(subject);
    options.say(
      'warn',
      `the journal leaves out an event of ${subject}, which is longer than ${limits.turnBytes} bytes`,
    );
  }

  /** After a gap, the next line carries its snapshot again. */
  function leaveOut(sink: JournalSink, subject: string, reason: Dropped['reason'], bytes: number): void {
    sink.forget(subject);
    if (reason === 'turnBytes') tellLong(subject);
    onDropped({ reason, turns: 1, bytes });
  }

  function append(subject: string, { bare, withBefore }: TurnLines): void {
    const bareBytes = Buffer.byteLength(bare);
    for (const sink of sinks) {
      sink.prepare(bareBytes);
      const line = sink.knows(subject) ? bare : withBefore();
      const bytes = line === bare ? bareBytes : Buffer.byteLength(line ?? '');
      if (line !== undefined && bytes <= limits.turnBytes) sink.append(subject, line, bytes);
      else leaveOut(sink, subject, 'turnBytes', line === undefined ? limits.turnBytes : bytes);
    }
    shares.charge(subject, bareBytes);
  }

  return {
    observe: (turn: SomeTurn): void => {
      const { subject } = turn;
      const { size, lines } = turnToWrite(turn, limits.turnBytes);
      // This is decided before anything is written out: a turn that is left out must not cost as much as a kept one.
      if (size > limits.turnBytes) for (const sink of sinks) leaveOut(sink, subject, 'turnBytes', size);
      else if (shares.allows(subject, size, clock.now())) append(subject, lines());
      else {
        for (const sink of sinks) leaveOut(sink, subject, 'shootShare', size);
        tellCut(subject);
      }
      // A machine that a bug ended starts again in a moment, and its share stays used.
      if (!isEnded(turn.event) || turn.event.because === 'bug') return;
      shares.forget(subject);
      told.delete(subject);
      toldLong.delete(subject);
    },
    /** What memory holds, as JSON lines, oldest first. Each piece is a chapter that begins with its header. */
    chapters: () => memory.chapters(),
    /** The same, to be searched. */
    parts: () => memory.parts(),
    /** Of this run, as a chapter that began now would have it. */
    header,
    /** This process leads from now on, so all chapters with turns say it. */
    lead(tenure: Tenure): void {
      lead = tenure;
      memory.renewHeader();
    },
    /** It leads no more. The last file says so when it is closed. */
    leadEnded(why: string): void {
      if (lead !== undefined) lead = { ...lead, ended: { at: clock.now(), why } };
    },
    /**
     * Resolves once everything is written out, or when `givenUp$` emits. Call it last of all, also where the process ends by a bug. What a
     * disk has not taken by then is counted, and said.
     */
    close: async (givenUp$: Observable<unknown>) => await files?.close(givenUp$),
  };
}
