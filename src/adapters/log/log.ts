import type { Instant } from '../../domain/time.ts';
import { hideSecretsInJson } from '../words/secrets.ts';
import { instantText, terminalLine } from '../words/plain-words.ts';
import { writtenTrace } from './written-trace.ts';

/** From the least to the worst. */
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

export type LogLevel = (typeof levels)[number];

/** Names that lines can be searched by: `shoot`, `from`, `to`, `expired`. An Error is written with its stack. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * The program's log (SPEC 9.4). A message is a sentence that makes sense alone, to somebody who was just woken. Fields are what lines are
 * searched by: `line` names the kind of a line whose message varies, and stays the same. A field that is null or undefined is left out.
 */
export type Log = Readonly<{
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Whether a line of this level is written at all, where its fields cost something. */
  writes(level: LogLevel): boolean;
}>;

export type LogOptions = Readonly<{
  level: LogLevel;
  clock: Readonly<{ now(): Instant }>;
  /** Takes one line with its line break. */
  write: (line: string) => void;
}>;

/**
 * JSON lines with the keys that Go's watchdog uses (`level`, `ts`, `msg`), so that what operators search for stays the same.
 */
export function createLog({ level, clock, write }: LogOptions): Log {
  const least = levels.indexOf(level);
  const writes = (asked: LogLevel): boolean => levels.indexOf(asked) >= least;
  const at =
    (asked: LogLevel) =>
    (message: string, fields?: LogFields): void => {
      if (writes(asked)) write(logLine(asked, clock.now(), message, fields));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), writes };
}

/** One line with its line break. */
export function logLine(level: LogLevel, at: Instant, message: string, fields?: LogFields): string {
  const line = JSON.stringify({ level, ts: instantText(at), ...plain(fields), msg: message });
  return `${terminalLine(hideSecretsInJson(line))}\n`;
}

function plain(fields: LogFields = {}): LogFields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, readable(value)]),
  );
}

/** An error as its trace, and any trace with the lines that were written. */
function readable(value: unknown): unknown {
  const text = value instanceof Error ? (value.stack ?? value.message) : value;
  return typeof text === 'string' && text.includes('\n    at ') ? writtenTrace(text) : text;
}
