import { kindEpisodes } from '../../episodes/all-episodes.ts';
import type { JournalTurns } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import { counted, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { type Difference, samePlain } from '../../journal/machine-replay.ts';
import { kindsOf } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { kindWords, turnWords } from 'dependency-watchdog/adapters/record/words/turn-words.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import { episodeLines } from '../../episodes/episode-words.ts';
import type { ReplayReport, ReplaySummary } from './replay-report.ts';
import { headlineLines, summaryLines, summedUp } from './summary-lines.ts';
import { isTree } from 'dependency-watchdog/domain/value-at.ts';

type JournalTurn = JournalTurns[keyof Languages];

/** Longer values are shortened: a context may hold thousands of leases. */
const longestValue = 2_000;

/** More would push the events off the screen. */
const mostEpisodes = 50;

/**
 * A replay for people: an eventful one takes a line with its time, shoot or service, and event, and below it what changed,
 * what was judged and what was commanded. The events without news of one between two of them are counted, unless `all` is set.
 */
export function textReport(all: boolean): ReplayReport {
  const folded = new Map<string, { count: number; since: Instant }>();
  let run: string | undefined;

  function unfold(subject: string): readonly string[] {
    const fold = folded.get(subject);
    folded.delete(subject);
    if (fold === undefined) return [];
    return [`    … ${counted(fold.count, 'event')} of ${subject} without news since ${instantText(fold.since)}`];
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
      const { subject } = turn;
      if (!all && !eventful && replayed.outcome !== 'differs') {
        const fold = folded.get(subject) ?? { count: 0, since: turn.at };
        fold.count += 1;
        folded.set(subject, fold);
        return [];
      }
      const difference = replayed.outcome === 'differs' ? differenceLines(turn, place, replayed.difference) : [];
      return [...unfold(subject), ...turnLines(turn), ...difference];
    },
    cutOff: (place) => [`    ${place} is cut off, and left out`],
    damaged: (place, problem, ends) => [
      `    DAMAGED: ${place}${ends ? ' and all that follows there' : ''} cannot be read: ${problem}`,
    ],
    end: (summary) => [
      ...[...folded.keys()].flatMap(unfold),
      '',
      ...summedUpLines(summary),
      ...headlineWithGap(summary),
      ...summaryLines(summary),
    ],
  };
}

function turnLines(turn: JournalTurn): readonly string[] {
  const { at, subject, from, to } = turn;
  const { event, notes, commands } = turnWords(turn);
  return [
    `${instantText(at)}  ${subject}  ${event}`,
    ...(from === to ? [] : [`    ${from ?? 'nothing'} → ${to}`]),
    ...notes.map((note) => `    ${note}`),
    ...(commands.length === 0 ? [] : [`    ${commands.join('; ')}`]),
  ];
}

function differenceLines(turn: JournalTurn, place: string, difference: Difference): readonly string[] {
  const { path, recorded, replayed } = firstUnlike(difference.recorded, difference.replayed);
  return [
    `    DIFFERENT: event ${turn.seq} of ${turn.subject} (${place}) comes out with another ${difference.in}${path === '' ? '' : `, at ${path}`}`,
    `    recorded: ${valueText(recorded)}`,
    `    replayed: ${valueText(replayed)}`,
    `    The later events of this ${kindWords[turn.kind].noun} are shown as recorded.`,
  ];
}

function headlineWithGap(summary: ReplaySummary): readonly string[] {
  return summary.told === true ? [] : [...headlineLines(summary), ''];
}

/** What happened to whom, as `--outages` tells it; up to some screenfuls. */
function summedUpLines({ episodes }: ReplaySummary): readonly string[] {
  return kindsOf(kindEpisodes).flatMap((kind) => {
    const those = summedUp(episodes, kind);
    if (those.length === 0) return [];
    const { summed: noun, plural } = kindEpisodes[kind];
    const more = those.length - mostEpisodes;
    return [
      `${those.length} ${those.length === 1 ? noun : plural}:`,
      ...those.slice(0, mostEpisodes).flatMap(({ episode }) => episodeLines(episode()).map((line) => `  ${line}`)),
      ...(more > 0 ? [`  … and ${more} more; --shoot=NAMESPACE tells those of one shoot, --json all`] : []),
      '',
    ];
  });
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > longestValue ? `${text.slice(0, longestValue)}… (${text.length} characters)` : text;
}

type Unlike = Readonly<{ path: string; recorded: unknown; replayed: unknown }>;

/** Where two plain values first part: `context.flow.steps[1].at`. Both are taken to differ. */
function firstUnlike(recorded: unknown, replayed: unknown, path = ''): Unlike {
  if (isTree(recorded) && isTree(replayed) && Array.isArray(recorded) === Array.isArray(replayed)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
      const [one, other] = [recorded[key], replayed[key]];
      if (samePlain(one, other)) continue;
      return firstUnlike(
        one,
        other,
        Array.isArray(recorded) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
      );
    }
  }
  return { path, recorded, replayed };
}
