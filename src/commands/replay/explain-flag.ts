import type { Instant, Millis } from '../../domain/time.ts';
import type { Languages } from '../../machines/kinds.ts';
import type { Flag } from '../flag.ts';
import type { ValueReading } from '../go-values.ts';
import { lastDigitLength } from '../../adapters/words/last-digit.ts';
import { readGoDuration } from '../../domain/go-duration.ts';

/** An instant, which may be told by how long before now it is. */
export type Moment = (now: Instant) => Instant;

const withZone = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;
const withoutZone = /^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/;

/** `2026-11-21T20:07:00Z`, or a length such as `2h`: so long before now, by this machine's clock. */
export function momentFlag({ help }: Readonly<{ help: string }>): Flag<Moment | undefined> {
  return { read: readMoment, initial: undefined, help, placeholder: 'TIME' };
}

function readMoment(text: string): ValueReading<Moment> {
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

/** A time of day in UTC, as sentences tell it; `length` is that of its last digit. On which day it was, only the record can tell. */
type ClockTime = Readonly<{ sinceMidnight: Millis; length: Millis }>;

/** Which turn to explain: the last one of this machine before `before`, or within the time of day on one of its days; with `seq`, the one of that number. */
export type ExplainedTurn = Readonly<{
  kind: keyof Languages;
  subject: string;
  namespace: string;
  /** As it was given. */
  time: string;
  before: Moment | ClockTime;
  seq: number | undefined;
}>;

/** `shoot--dev--one@2026-11-21T20:07:00Z`, or `NAMESPACE/SERVICE@TIME`. `#33` behind the time picks one of several turns of that time. */
export function explainFlag({ help }: Readonly<{ help: string }>): Flag<ExplainedTurn | undefined> {
  return { read: readExplained, initial: undefined, help, placeholder: 'SHOOT@TIME' };
}

const because =
  'must be SHOOT@TIME or NAMESPACE/SERVICE@TIME, such as shoot--dev--one@2026-11-21T20:07:00Z, @20:07:00Z, or @5m for five minutes ago';

const refused = (hint: string) => ({ ok: false, because, hint }) as const;

function readExplained(text: string): ValueReading<ExplainedTurn> {
  const at = text.lastIndexOf('@');
  if (at === -1) return refused('the time is missing');
  const subject = text.slice(0, at);
  const [, time = '', seq] = /^(.*?)(?:#(\d{1,15}))?$/s.exec(text.slice(at + 1)) ?? [];
  const parts = subject.split('/');
  const [namespace = ''] = parts;
  if (parts.some((part) => part === '') || parts.length > 2)
    return refused('before @ stands the namespace of a shoot, or NAMESPACE/SERVICE');
  const clock = readClockTime(time);
  const moment = clock === undefined ? readMoment(time) : { ok: true as const, value: () => 0 };
  if (!moment.ok) return refused(moment.hint ?? 'behind @ stands an instant, a time of day or a length of time');
  return {
    ok: true,
    value: {
      kind: parts.length === 1 ? 'shoot' : 'weeder',
      subject,
      namespace,
      time,
      before: clock ?? ((now) => moment.value(now) + lastDigitLength(time)),
      seq: seq === undefined ? undefined : Number(seq),
    },
  };
}

/** `00:13:18Z`, or as the page shows it, `00:13:18.1`. */
function readClockTime(text: string): ClockTime | undefined {
  const [, clock] = /^(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)[Zz]?$/.exec(text) ?? [];
  const sinceMidnight = clock === undefined ? Number.NaN : Date.parse(`1970-01-01T${clock}Z`);
  return Number.isNaN(sinceMidnight) ? undefined : { sinceMidnight, length: lastDigitLength(`T${clock}`) };
}
