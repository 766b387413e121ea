import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { Flag } from 'dependency-watchdog/commands/flag.ts';
import type { ValueReading } from 'dependency-watchdog/commands/go-values.ts';
import { lastDigitLength } from '../../model/last-digit.ts';
import { readClockTime, readMoment, type ClockTime, type Moment } from './moment-flag.ts';

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
