import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { JournalUnusable, type JournalSource } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { refuse, wrongCommandLine, type CommandIo } from 'dependency-watchdog/commands/command.ts';
import { boolFlag, stringFlag } from 'dependency-watchdog/commands/flag.ts';
import { dashed, flagSet } from 'dependency-watchdog/commands/go-flags.ts';
import { explainFlag } from './replay/explain-flag.ts';
import { scopeFlags, scopeOf } from './replay/scope-flags.ts';
import { newFile, type NewFile } from './new-file.ts';
import { explainReport } from './replay/explain-report.ts';
import { jsonReport } from './replay/json-report.ts';
import { journalSources } from './replay/journal-sources.ts';
import { nothingTold } from './replay/replay-tally.ts';
import { outagesReport } from './replay/outages-report.ts';
import { replayJournals } from './replay/replay-journals.ts';
import { textReport } from './replay/text-report.ts';
import { whatIfFlag } from './replay/what-if-flag.ts';
import { whatIfReport } from './replay/what-if-report.ts';

export const replayFlags = flagSet(
  'replay',
  {
    ...scopeFlags('tell'),
    outages: boolFlag({
      help: 'what happened, by its consequence, in place of the events: outages, recoveries, pauses, what was refused, who led',
    }),
    all: boolFlag({ help: 'show events without news too, instead of counting them' }),
    explain: explainFlag({
      help: 'show one event alone, the last one of this shoot or service at that time, a time of day too where it was on one day alone: what its machine was asked, and what each guard saw and answered',
    }),
    whatIf: whatIfFlag({
      help: 'what another configuration would have made of all that is recorded, in place of the events: a table of the outages; may be given several times',
    }),
    json: boolFlag({ help: 'a line of JSON for each event and one for the summary' }),
    slice: stringFlag({
      placeholder: 'FILE',
      help: 'also write what is told into this new file: a journal of its own, which replay and inspect open',
    }),
  },
  { operands: 'FILE…' },
);

/**
 * `replay FILE…`: replays recorded turns (SPEC 9.6). A FILE is a journal file, a directory of them, or `-`. Answers
 * 0 where every turn comes out as recorded, 1 where one does not, where a line or a file cannot be read, and where nothing is recorded of what was asked for.
 */
export async function runReplay(
  args: readonly string[],
  io: CommandIo,
  stdin: JournalSource['bytes'] & Readonly<{ isTTY?: boolean }> = process.stdin,
  now: Instant = systemClock.now(),
): Promise<number> {
  const parsed = replayFlags.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const { all, json, outages, explain, slice, whatIf } = parsed.values;
  if (explain !== undefined) {
    const other = (['shoot', 'since', 'until', 'outages', 'all', 'whatIf', 'slice'] as const).find((name) =>
      parsed.given.has(name),
    );
    if (other !== undefined)
      return refuse(wrongCommandLine('replay', `--explain shows one event, so leave out --${dashed(other)}`), io);
  }
  if (whatIf !== undefined && (outages || all)) {
    const other = outages ? 'outages' : 'all';
    return refuse(wrongCommandLine('replay', `--what-if shows a table, so leave out --${other}`), io);
  }
  const explained = explain && explainReport(explain, now, json);
  const fail = (problem: string) => io.err(`dependency-watchdog replay: ${problem}`);
  if (parsed.operands.includes('-') && stdin.isTTY === true) fail('reads the journal from the standard input');

  let sliced: NewFile | undefined;
  try {
    const scope = await scopeOf('replay', parsed.values, now, parsed.operands);
    if ('ok' in scope) return refuse(scope, io);
    const { since, until } = scope;
    const only = explain?.namespace ?? scope.shoot;
    if (slice !== undefined) sliced = await newFile('--slice', slice);
    const plain = explained ?? (json ? jsonReport() : textReport(all));
    const report =
      whatIf === undefined
        ? plain
        : whatIfReport(plain, whatIf, { json, only, since, until, say: fail, now: () => systemClock.now() });
    const summary = await replayJournals(await journalSources(parsed.operands, stdin), {
      only,
      since,
      until,
      report: outages ? outagesReport(report, json ? 'json' : 'text') : report,
      ...(outages ? { episodes: {} } : {}),
      out: io.out,
      slice: sliced?.write,
    });
    const missing = explained?.problem();
    const problems = [
      ...summary.noJournals,
      ...nothingTold(summary, { only, since, until }),
      ...(missing === undefined ? [] : [missing]),
    ];
    for (const problem of problems) fail(problem);
    return problems.length === 0 && summary.differences.length === 0 && summary.damaged === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof JournalUnusable)) throw error;
    fail(error.message);
    return 1;
  } finally {
    await sliced?.close();
  }
}
