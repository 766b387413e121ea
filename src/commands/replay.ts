import { JournalUnusable, type JournalSource } from '../adapters/journal/read-journal.ts';
import { refuse, type CommandIo } from './command.ts';
import { boolFlag, stringFlag } from './flag.ts';
import { flagSet } from './go-flags.ts';
import { jsonReport } from './replay/json-report.ts';
import { journalSources } from './replay/journal-sources.ts';
import { replayJournals } from './replay/replay-journals.ts';
import { replayKinds } from './replay/replay-kinds.ts';
import { textReport } from './replay/text-report.ts';

const flags = flagSet(
  'replay',
  {
    shoot: stringFlag({
      placeholder: 'NAMESPACE',
      help: 'tell of this shoot only, and of its services, by its namespace in the seed',
    }),
    all: boolFlag({ help: 'show uneventful turns too, instead of counting them' }),
    json: boolFlag({ help: 'a line of JSON for each turn and one for the summary' }),
  },
  { operands: 'FILE…' },
);

/**
 * `replay FILE…`: takes recorded turns again (SPEC 9.6). A FILE is a journal file, a directory of them, or `-`. Answers
 * 0 where every turn comes out as recorded, 1 where one does not or a line cannot be read.
 */
export async function runReplay(
  args: readonly string[],
  io: CommandIo,
  stdin: JournalSource['bytes'] = process.stdin,
): Promise<number> {
  const parsed = flags.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const { shoot, all, json } = parsed.values;

  try {
    const { differences, damaged, turns } = await replayJournals(
      await journalSources(parsed.operands, stdin),
      replayKinds,
      {
        only: shoot,
        report: json ? jsonReport(replayKinds) : textReport(replayKinds, all),
        out: (line) => io.out(line),
      },
    );
    if (turns === 0 && shoot !== undefined) io.err(`dependency-watchdog replay: no turn of ${shoot} is recorded there`);
    return differences.length === 0 && damaged === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof JournalUnusable) && !isSystemError(error)) throw error;
    io.err(`dependency-watchdog replay: ${error.message}`);
    return 1;
  }
}

/** A file that is not there, or not ours to read. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
