import type { Flag } from '../flag.ts';
import { readGoInt, type ValueReading } from '../go-values.ts';

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
