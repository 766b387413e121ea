import { instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { FileScope } from '../../serve/journal-pass.ts';
import { wrongCommandLine, type Refusal } from 'dependency-watchdog/commands/command.ts';
import { stringFlag } from 'dependency-watchdog/commands/flag.ts';
import { recordSpan } from './record-span.ts';
import { momentFlag, momentOf, type ClockTime, type Moment } from './moment-flag.ts';

/** Which part of journals is told, or shown. `verb`: what the command does with it. */
export function scopeFlags(verb: 'tell' | 'show') {
  const all = verb === 'tell' ? '; all events are replayed in any case' : '; files that began after it are not read';
  return {
    shoot: stringFlag({
      placeholder: 'NAMESPACE',
      help: `${verb === 'tell' ? 'tell of' : 'show'} this shoot only, and ${verb === 'tell' ? 'of ' : ''}its services, by its namespace in the seed`,
      also: ['namespace', 'n'],
    }),
    since: momentFlag({
      help: 'show only what happened from then on: an instant such as 2026-11-21T20:07:00Z, a time of day such as 20:07Z where it was on one day alone, or a length such as 2h, counted back from now',
    }),
    until: momentFlag({ help: `show only what happened until then${all}` }),
  } as const;
}

type ScopeValues = Readonly<{
  shoot: string | undefined;
  since: Moment | ClockTime | undefined;
  until: Moment | ClockTime | undefined;
}>;

/** What the flags ask for, or why they are refused. Rejects with JournalUnusable where the journals do not tell which day is meant. */
export async function scopeOf(
  command: string,
  { shoot, ...moments }: ScopeValues,
  now: Instant,
  places: readonly string[],
): Promise<FileScope | Refusal> {
  let span: ReturnType<typeof recordSpan> | undefined;
  const record = () => (span ??= recordSpan(places));
  const since = await momentOf('--since', moments.since, now, record);
  const until = await momentOf('--until', moments.until, now, record);
  if (since !== undefined && until !== undefined && since > until) {
    const order = `--since (${instantText(since)}) must be before --until (${instantText(until)})`;
    return wrongCommandLine(command, order);
  }
  return { shoot, since, until };
}
