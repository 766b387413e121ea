import { commandWords } from '../../adapters/words/command-words.ts';
import { eventWords } from '../../adapters/words/event-words.ts';
import type { JournalTurn } from '../../adapters/journal/journal-line.ts';
import { noteWords } from '../../adapters/words/note-words.ts';
import { counted } from '../../adapters/words/quantity-words.ts';
import type { Difference } from '../../adapters/journal/replay-journal.ts';
import { instantText } from '../../adapters/words/instant-text.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { Instant } from '../../domain/time.ts';
import { firstUnlike } from './first-unlike.ts';
import type { ReplayReport, ReplaySummary } from './replay-report.ts';

/** Longer values are shortened: a context may hold thousands of leases. */
const longestValue = 2_000;

/**
 * A replay for people: an eventful turn takes a line with its time, shoot and event, and below it what changed, what was
 * judged and what was commanded. The uneventful turns of a shoot between two of them are counted, unless `all` is set.
 */
export function textReport(all: boolean): ReplayReport {
  const folded = new Map<ShootNamespace, { count: number; since: Instant }>();
  let run: string | undefined;

  function unfold(shoot: ShootNamespace): readonly string[] {
    const fold = folded.get(shoot);
    folded.delete(shoot);
    if (fold === undefined) return [];
    return [`    … ${counted(fold.count, 'uneventful turn')} of ${shoot} since ${instantText(fold.since)}`];
  }

  return {
    opened(header, source) {
      if (header.run === run) return [];
      run = header.run;
      return [
        `${header.program} ${header.version}, journal opened ${instantText(header.openedAt)} (${source}); times are UTC`,
      ];
    },
    turn({ turn, replayed, place, eventful }) {
      if (!all && !eventful && replayed.outcome !== 'differs') {
        const fold = folded.get(turn.shoot) ?? { count: 0, since: turn.at };
        fold.count += 1;
        folded.set(turn.shoot, fold);
        return [];
      }
      const difference = replayed.outcome === 'differs' ? differenceLines(turn, place, replayed.difference) : [];
      return [...unfold(turn.shoot), ...turnLines(turn), ...difference];
    },
    cutOff: (place) => [`    ${place} is cut off, and left out`],
    end: (summary) => [...[...folded.keys()].flatMap(unfold), '', ...summaryLines(summary)],
  };
}

function turnLines({ at, shoot, event, from, to, commands, notes }: JournalTurn): readonly string[] {
  return [
    `${instantText(at)}  ${shoot}  ${eventWords(event)}`,
    ...(from === to ? [] : [`    ${from ?? 'nothing'} → ${to}`]),
    ...notes.map((note) => `    ${noteWords(note, at)}`),
    ...(commands.length === 0 ? [] : [`    ${commands.map((command) => commandWords(command, at)).join('; ')}`]),
  ];
}

function differenceLines({ seq, shoot }: JournalTurn, place: string, difference: Difference): readonly string[] {
  const { path, recorded, replayed } = firstUnlike(difference.recorded, difference.replayed);
  return [
    `    DIFFERENT: turn ${seq} of ${shoot} (${place}) comes out with another ${difference.in}${path === '' ? '' : `, at ${path}`}`,
    `    recorded: ${valueText(recorded)}`,
    `    replayed: ${valueText(replayed)}`,
    '    The later turns of this shoot are shown as recorded.',
  ];
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > longestValue ? `${text.slice(0, longestValue)}… (${text.length} characters)` : text;
}

function summaryLines(summary: ReplaySummary): readonly string[] {
  const { turns, shoots, checked, withoutBeginning, differences, finalStates } = summary;
  const first = differences[0];
  return [
    `${counted(turns, 'turn')} of ${counted(shoots, 'shoot')}, ${checked} of them taken again`,
    ...[...Map.groupBy(finalStates, ([, state]) => state)].map(
      ([state, there]) => `at the end ${there.length} ${state}${namesText(state, there)}`,
    ),
    ...(withoutBeginning === 0
      ? []
      : [`${counted(withoutBeginning, 'turn')} could not be taken again: the journal does not tell where they began`]),
    first === undefined
      ? 'Every turn that was taken again came out as recorded.'
      : `${counted(differences.length, 'shoot')} came out differently, first in turn ${first.turn.seq} of ${first.turn.shoot} (${first.place}).`,
  ];
}

/** Who is well needs no name; who is not is named, up to a screenful. */
function namesText(state: string, there: readonly (readonly [ShootNamespace, unknown])[]): string {
  if (state === 'probing' || state === 'idle') return '';
  const names = there.slice(0, 20).map(([shoot]) => shoot);
  return `: ${names.join(', ')}${there.length > names.length ? ' …' : ''}`;
}
