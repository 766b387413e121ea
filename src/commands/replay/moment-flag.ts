import { readGoDuration } from '../../domain/go-duration.ts';
import type { Instant } from '../../domain/time.ts';
import type { Flag } from '../flag.ts';
import type { ValueReading } from '../go-values.ts';

/** An instant, which may be told by how long before now it is. */
export type Moment = (now: Instant) => Instant;

const withZone = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;
const withoutZone = /^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/;

/** `2026-11-21T20:07:00Z`, or a length such as `2h`: so long before now, by this machine's clock. */
export function momentFlag({ help }: Readonly<{ help: string }>): Flag<Moment | undefined> {
  return { read: readMoment, initial: undefined, help, placeholder: 'TIME' };
}

export function readMoment(text: string): ValueReading<Moment> {
  const because =
    'must be an instant such as 2026-11-21T20:07:00Z, or a length such as 2h, which is counted back from now';
  const at = withZone.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  if (!Number.isNaN(at)) return { ok: true, value: () => at };
  if (withoutZone.test(text))
    return { ok: false, because, hint: 'the time zone is missing; Z is UTC, as replay shows it' };
  const length = readGoDuration(text);
  if (!length.ok) return { ok: false, because };
  if (length.ms < 0) return { ok: false, because, hint: 'it is not in the past' };
  return { ok: true, value: (now) => now - length.ms };
}
