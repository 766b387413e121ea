import process from 'node:process';
import { pino } from 'pino';
import type { Instant } from '../../domain/time.ts';
import { hideSecretsInJson } from '../words/secrets.ts';
import { instantText } from '../words/plain-words.ts';
import { writtenTrace } from './written-trace.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

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
  /** Takes one line with its line break; the standard output unless told. */
  write?: (line: string) => void;
}>;

/**
 * JSON lines with the keys that Go's watchdog uses (`level`, `ts`, `msg`), so that what operators search for stays the
 * same. The last line before the program ends matters most, so all lines are written by then.
 */
export function createLog({ level, clock, write = toStandardOutput() }: LogOptions): Log {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'msg',
      timestamp: () => `,"ts":"${instantText(clock.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => write(`${hideSecretsInJson(line.trimEnd())}\n`) },
  );
  const writes = (asked: LogLevel): boolean => logger.isLevelEnabled(asked);
  const at =
    (asked: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields?: LogFields): void => {
      if (writes(asked)) logger[asked](plain(fields), message);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), writes };
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

function toStandardOutput(): (line: string) => void {
  const destination = pino.destination({ dest: 1, sync: true });
  // Nobody reads the output any more, and there is nowhere to say so. The shoots must still be guarded.
  destination.on('error', () => undefined);
  // A write to a pipe takes as long as a turn, and delays the turn's commands. So the lines of one round of the event loop
  // are written together, after its work.
  let lines = '';
  const flush = (): void => {
    const all = lines;
    lines = '';
    if (all !== '') destination.write(all);
  };
  process.on('exit', flush);
  return (line) => {
    if (lines === '') setImmediate(flush);
    lines += line;
  };
}
