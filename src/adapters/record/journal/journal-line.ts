import type * as z from 'zod';
import type { Instant } from '../../../domain/time.ts';
import type { TurnOf } from '../../../effects/turn.ts';
import type { Languages } from '../../../machines/kinds.ts';
import type { Language, PlainOf } from '../../../machines/pure-machine.ts';
import { hideSecretsInJson } from '../../words/secrets.ts';
import type { Header } from './journal-kinds.ts';

/** Grows with a release that can no longer read the journals of the one before, or would decide otherwise in a replay. A test replays one of it that was kept. */
export const journalVersion = 1;

export type JournalHeader = Readonly<z.infer<typeof Header>>;

/**
 * A turn as the journal keeps it: without the snapshots, but for `before` in a machine's first line of each chapter and
 * after each gap, so that a replay can begin there.
 */
export type JournalTurnOf<Spoken extends Language> = Omit<TurnOf<Spoken>, 'from' | 'before' | 'after'> &
  Readonly<{
    from?: Spoken['State'];
    before?: PlainOf<Spoken>;
  }>;

/** By kind, the turns of its machines. */
export type JournalTurns = { [Kind in keyof Languages]: JournalTurnOf<Languages[Kind]> };

export function headerLine(header: JournalHeader): string {
  return `${hideSecretsInJson(JSON.stringify(header))}\n`;
}

/** The two forms of a turn's line: `bare` for a chapter that knows the machine already, `withBefore` for one that does not. */
export type TurnLines = Readonly<{
  bare: string;
  /** Undefined where the snapshot makes it longer than a turn may be. */
  withBefore: () => string | undefined;
}>;

/** The part of a turn that is written, and about how long that will be; counting stops once it exceeds `most`. */
export function turnToWrite(turn: TurnOf<Language>, most: number): Readonly<{ size: number; lines: () => TurnLines }> {
  const { seq, at, kind, subject, event, from, to, commands, notes, before } = turn;
  // The subject comes fourth, where `subjectOfLine` looks for it.
  const written = { seq, at, kind, subject, event, from, to, commands, notes };
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

const lineInstant = /^\{"seq":\d+,"at":([^,]+),/;

/** When the turn of a line was, without reading the rest of it; NaN for a header. */
export function instantOfLine(line: string): Instant {
  return Number(lineInstant.exec(line)?.[1] ?? Number.NaN);
}

const lineSubject = /^\{"seq":\d+,"at":[^,]+,"kind":"[^"]*","subject":"([^"]*)"/;

/** Whose turn a line tells, without reading the rest of it; undefined for a header. */
export function subjectOfLine(line: string): string | undefined {
  return lineSubject.exec(line)?.[1];
}

/** Of a number, a boolean or null, within JSON. */
const scalarLength = 8;

/**
 * About how long the JSON of a plain value will be, in characters; counting stops once it exceeds `most`. It takes a
 * fraction of the time of writing: what is too long to be kept must not be written first (SPEC 4.7).
 */
export function roughSize(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return scalarLength;
  let size = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && size <= most; index++) size += 1 + roughSize(value[index], most - size);
    return size;
  }
  // Object.entries would make arrays that cost more than the writing. A plain value inherits no fields.
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    if (size > most) break;
    size += name.length + 4 + roughSize(fields[name], most - size);
  }
  return size;
}

/** Where a journal's lines are put: chapter after chapter, the oldest of which go. */
export type JournalSink = Readonly<{
  /** Opens the next chapter where a line of `bytes` is too much for this one. */
  prepare(bytes: number): void;
  /** Whether the open chapter has a line of this machine that a replay can begin with. */
  knows(subject: string): boolean;
  /** `bytes`: how long the line is. */
  append(subject: string, line: string, bytes: number): void;
  /** The machine's next line must carry its snapshot again. */
  forget(subject: string): void;
}>;
