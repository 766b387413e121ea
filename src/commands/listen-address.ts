import type { Flag } from './flag.ts';
import type { ValueReading } from './go-values.ts';

/** Where to listen; on every address of the machine where `host` is absent. */
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

function readListenAddress(text: string): ValueReading<ListenAddress | undefined> {
  if (text === '' || text === '0') return { ok: true, value: undefined };
  const [, bracketed, plain, digits = ''] = /^(?:\[([^[\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) return { ok: false, because: 'is no address such as :9643 or 127.0.0.1:9643' };
  const host = bracketed ?? plain ?? '';
  return { ok: true, value: host === '' ? { port } : { host, port } };
}
