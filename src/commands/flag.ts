import { readGoDuration, writeGoDuration } from '../domain/go-duration.ts';
import type { Millis } from '../domain/time.ts';
import { readGoBool, readGoFloat, readGoInt, type ValueReading } from './go-values.ts';

/** One flag of a command: how its text is read, its value if it is not given, and what the help says about it. */
export type Flag<Value> = Readonly<{
  read(text: string): ValueReading<Value>;
  initial: Value;
  help: string;
  /** Stands for the value in the help. A flag without one is a boolean, and may be given without a value. */
  placeholder?: string;
  /** As the help shows it; absent if there is nothing to show. */
  shownDefault?: string;
  required?: boolean;
  /** Its other names. One of a single letter is written as kubectl's are: `-o json`, `-ojson`, `-o=json`. */
  also?: readonly string[];
  /** What it means where it is given again; absent where the last one wins. */
  join?(before: Value, after: Value): Value;
  /** The words that it takes, if it takes no others. */
  choices?: readonly string[];
}>;

type Words<Value> = Readonly<{ default: Value; help: string; placeholder?: string; also?: readonly string[] }>;

export function boolFlag({
  help,
  default: initial = false,
  also = [],
}: Readonly<{ help: string; default?: boolean; also?: readonly string[] }>): Flag<boolean> {
  return { read: readGoBool, initial, help, also, ...(initial ? { shownDefault: 'true' } : {}) };
}

/** Any text; undefined if it has no default and is not given. */
export function stringFlag(words: Words<string>): Flag<string>;
export function stringFlag(words: Omit<Words<string>, 'default'>): Flag<string | undefined>;
export function stringFlag({
  default: initial,
  help,
  placeholder = 'TEXT',
  also = [],
}: Partial<Words<string>> & Readonly<{ help: string }>): Flag<string | undefined> {
  const shown = initial === undefined || initial === '' ? {} : { shownDefault: initial };
  return { read: (text) => ({ ok: true, value: text }), initial, help, placeholder, also, ...shown };
}

/** A text that may be given several times. */
export function listFlag({
  help,
  placeholder,
}: Readonly<{ help: string; placeholder: string }>): Flag<readonly string[]> {
  return { read: (text) => ({ ok: true, value: [text] }), initial: [], help, placeholder, join: concat };
}

function concat(before: readonly string[], after: readonly string[]): readonly string[] {
  return [...before, ...after];
}

/** A length of time as kubectl's `--request-timeout` takes it: a whole number alone is one of seconds. */
export function timeoutFlag({ help }: Readonly<{ help: string }>): Flag<Millis> {
  const duration = durationFlag({ default: 0, least: 0, help });
  return { ...duration, read: (text) => duration.read(/^\d+$/.test(text) ? `${text}s` : text) };
}

/** A text that the command needs. An empty one does not count. */
export function requiredFlag({ help, placeholder = 'TEXT' }: Omit<Words<string>, 'default'>): Flag<string> {
  return { read: readText, initial: '', help, placeholder, required: true };
}

/** A whole number in any of Go's bases, `least` to `most`; undefined if it has no default and is not given. */
export function intFlag<Default extends number | undefined = undefined>(words: NumberWords<Default>) {
  return { placeholder: 'COUNT', ...number(words, readGoInt) };
}

/** A number, `least` to `most`; undefined if it has no default and is not given. */
export function floatFlag<Default extends number | undefined = undefined>(words: NumberWords<Default>) {
  return { placeholder: 'NUMBER', ...number(words, readGoFloat) };
}

/** A length of time in Go's notation, in milliseconds; below 0 unless `least` forbids it. */
export function durationFlag(words: Words<number> & Bounds): Flag<number> {
  return { placeholder: 'DURATION', ...number(words, readDuration, writeGoDuration) };
}

/**
 * One of a few words, in upper or lower case; comes out as it is written in `choices`, and undefined where it has no
 * default and is not given.
 */
export function choiceFlag<const Choice extends string, Default extends Choice | undefined = undefined>(
  words: Omit<Words<Choice>, 'default'> & Readonly<{ choices: readonly Choice[]; default?: Default }>,
): Flag<Choice | Default> {
  const { choices, default: initial, help, placeholder = choices.join('|'), also = [] } = words;
  const read = (text: string): ValueReading<Choice> => {
    const value = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
    return value === undefined ? { ok: false, because: `must be one of ${choices.join(', ')}` } : { ok: true, value };
  };
  const shown = initial === undefined ? {} : { shownDefault: initial };
  // If it is left out, `Default` is undefined.
  return { read, initial: initial as Default, help, placeholder, choices, also, ...shown };
}

type Bounds = Readonly<{ least?: number; most?: number }>;
type NumberWords<Default> = Omit<Words<number>, 'default'> & Bounds & Readonly<{ default?: Default }>;

function number<Default extends number | undefined>(
  { default: initial, help, least = -Infinity, most = Infinity, ...rest }: NumberWords<Default>,
  read: (text: string) => ValueReading<number>,
  show: (value: number) => string = String,
): Flag<number | Default> {
  const bounded = (text: string): ValueReading<number> => {
    const reading = read(text);
    if (reading.ok && reading.value < least) return { ok: false, because: `must be at least ${show(least)}` };
    if (reading.ok && reading.value > most) return { ok: false, because: `must be at most ${show(most)}` };
    return reading;
  };
  const shown = initial === undefined ? {} : { shownDefault: show(initial) };
  // If it is left out, `Default` is undefined.
  return { read: bounded, initial: initial as Default, help, ...shown, ...rest };
}

function readText(text: string): ValueReading<string> {
  return text === '' ? { ok: false, because: 'must not be empty' } : { ok: true, value: text };
}

function readDuration(text: string): ValueReading<number> {
  const reading = readGoDuration(text);
  if (reading.ok) return { ok: true, value: reading.ms };
  return { ok: false, because: 'must be a duration such as 1m30s', hint: reading.because };
}

/** The least severe lines that are written, in the words of our logger. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

const named: Readonly<Record<string, LogLevel>> = {
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  error: 'error',
  panic: 'fatal',
};

/** `--zap-log-level` as controller-runtime reads it: a name in any case, or a number, 1 being DEBUG and more being chattier. It refuses `warn`, which our lines have. */
export function logLevelFlag(help: string): Flag<LogLevel> {
  return { read: readLogLevel, initial: 'info', help, placeholder: 'LEVEL', shownDefault: 'INFO' };
}

function readLogLevel(text: string): ValueReading<LogLevel> {
  const word = text.toLowerCase();
  const level = Object.hasOwn(named, word) ? named[word] : undefined;
  if (level !== undefined) return { ok: true, value: level };
  // zap keeps its levels in eight bits, and reads them in base 10 only.
  const number = /^[+-]?\d+$/.test(text) ? readGoInt(text.replace(/^([+-]?)0+(?=\d)/, '$1')) : undefined;
  if (number?.ok === true && number.value > 0 && number.value <= 127) {
    return { ok: true, value: number.value === 1 ? 'debug' : 'trace' };
  }
  return { ok: false, because: 'must be one of DEBUG, INFO, WARN, ERROR, PANIC, or a number from 1 to 127' };
}

/** Where to listen. Without `host`, on every address of the machine. */
export type ListenAddress = Readonly<{ host?: string; port: number }>;

/** An address as Go writes it, `:9643`, `127.0.0.1:9645`, `[::1]:80`; undefined, turned off, for `0` or an empty one. */
export function addressFlag(words: Readonly<{ default: string; help: string }>): Flag<ListenAddress | undefined> {
  const initial = readListenAddress(words.default);
  if (!initial.ok) throw new TypeError(`${words.default} ${initial.because}`);
  return {
    read: readListenAddress,
    initial: initial.value,
    help: words.help,
    placeholder: 'ADDRESS',
    ...(initial.value === undefined ? {} : { shownDefault: words.default }),
  };
}

/** Who else reads what is meant for this host, where the address does not keep it here: a sentence after the flag. */
export function openToOthers(address: ListenAddress | undefined): string | undefined {
  if (address === undefined || /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(address.host ?? '')) return undefined;
  const { host = 'every address', port } = address;
  return `listens on ${host}, port ${port}: whoever reaches it reads the names of all that is looked after, and what happened to it, and can change nothing; 127.0.0.1 and kubectl port-forward keep it here`;
}

function readListenAddress(text: string): ValueReading<ListenAddress | undefined> {
  if (text === '' || text === '0') return { ok: true, value: undefined };
  const [, bracketed, plain, digits = ''] = /^(?:\[([^[\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535)
    return { ok: false, because: 'must be an address such as :9643 or 127.0.0.1:9643' };
  const host = bracketed ?? plain ?? '';
  return { ok: true, value: host === '' ? { port } : { host, port } };
}
