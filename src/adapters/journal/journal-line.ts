import type { Instant } from '../../domain/time.ts';
import type { Language, PlainSnapshot, ShootLanguage, Turn, TurnOf, WeederLanguage } from '../../effects/turn.ts';
import type { Subject } from '../turns/subject-of.ts';
import { hideSecretsInJson } from '../words/hide-secrets.ts';
import { roughSize } from './rough-size.ts';

/**
 * Grows when a journal can no longer be read by an older program, or one of before by this one: 2 since a shoot's machine
 * remembers whether Clusters are told of, and how each dependant was heard of.
 */
export const journalVersion = 2;

/** The first line of each chapter (a file, or a part of the journal in memory) (SPEC 9.6). */
export type JournalHeader = Readonly<{
  journal: number;
  program: string;
  version: string;
  /** Names one run of the process: `seq` counts within it. */
  run: string;
  openedAt: Instant;
  /** As the program works by it, defaults filled in; for the reader, each machine's own is in its first turn. */
  configuration: unknown;
}>;

/**
 * A turn as the journal keeps it: without the snapshots, but for `before` in a machine's first line of each chapter and
 * after each gap, so that a replay can begin there.
 */
export type JournalTurnOf<Spoken extends Language> = Spoken['Subject'] &
  Readonly<{
    seq: number;
    at: Instant;
    event: TurnOf<Spoken>['event'];
    from?: Spoken['State'];
    to: Spoken['State'];
    commands: readonly Spoken['Command'][];
    notes: readonly Spoken['Note'][];
    before?: PlainSnapshot;
  }>;

/** Which kind it is, its subject tells, as of a turn. */
export type JournalTurn = JournalTurnOf<ShootLanguage> | JournalTurnOf<WeederLanguage>;

export function headerLine(header: JournalHeader): string {
  return `${hideSecretsInJson(JSON.stringify(header))}\n`;
}

/** The two forms of a turn's line: `bare` for a chapter that knows the machine already, `withBefore` for one that does not. */
export type TurnLines = Readonly<{
  bare: string;
  /** Undefined where the snapshot makes it longer than a turn may be. */
  withBefore: () => string | undefined;
}>;

/** What of a turn is written, and about how long that will be: whatever is found once it exceeds `most`. */
export function turnToWrite(turn: Turn, most: number): Readonly<{ size: number; lines: () => TurnLines }> {
  const { seq, at, event, from, to, commands, notes, before } = turn;
  // The subject comes third, where `subjectOfLine` looks for it.
  const subject = 'shoot' in turn ? { shoot: turn.shoot } : { service: turn.service };
  const written = { seq, at, ...subject, event, from, to, commands, notes };
  const size = roughSize(written, most);
  return {
    size,
    lines() {
      const text = JSON.stringify(written);
      const bare = `${hideSecretsInJson(text)}\n`;
      return {
        bare,
        withBefore() {
          if (before === undefined) return bare;
          if (roughSize(before, most - size) > most - size) return undefined;
          return `${hideSecretsInJson(`${text.slice(0, -1)},"before":${JSON.stringify(before)}}`)}\n`;
        },
      };
    },
  };
}

const lineSubject = /^\{"seq":\d+,"at":[^,]+,"(?:shoot|service)":"([^"]*)"/;

/** Whose turn a line tells, without reading the rest of it; undefined for a header. */
export function subjectOfLine(line: string): Subject | undefined {
  return lineSubject.exec(line)?.[1];
}
