import { type Level, pino } from 'pino';
import type { Instant } from '../../../domain/time.ts';
import { hideSecretsInJson } from '../../words/secrets.ts';
import { instantText, terminalLine } from '../../words/plain-words.ts';
import { writtenTrace } from './written-trace.ts';

export type LogLevel = Level;

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

/** The keys of each line: a field of such a name would stand there twice. It gets a `_` behind it. */
const ownKeys: ReadonlySet<string> = new Set(['level', 'ts', 'msg']);

/**
 * JSON lines by pino, with the keys that Go's watchdog uses (`level`, `ts`, `msg`), so that what operators search for stays the same. Pino's own destinations
 * are not used: they tell that all is flushed with nothing written, and wait for whoever reads (SPEC 11.1).
 */
export function createLog({ level, clock, write }: LogOptions): Log {
  const lines = pino(
    {
      level,
      base: null,
      timestamp: () => `,"ts":"${instantText(clock.now())}"`,
      formatters: { level: (label) => ({ level: label }), log: plain },
      hooks: { streamWrite: (line) => `${terminalLine(hideSecretsInJson(line.slice(0, -1)))}\n` },
    },
    { write },
  );
  const at =
    (asked: LogLevel) =>
    (message: string, fields?: LogFields): void =>
      // The message is never a format: what it quotes may have a `%`.
      lines[asked](fields ?? {}, message);
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    writes: (asked) => lines.isLevelEnabled(asked),
  };
}

/** What pino may write as it is: no null, an error as its trace, and any trace with the lines that were written. */
function plain(fields: LogFields): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== null && value !== undefined) written[ownKeys.has(name) ? `${name}_` : name] = readable(value);
  }
  return written;
}

function readable(value: unknown): unknown {
  const text = value instanceof Error ? (value.stack ?? value.message) : value;
  return typeof text === 'string' && text.includes('\n    at ') ? writtenTrace(text) : text;
}
