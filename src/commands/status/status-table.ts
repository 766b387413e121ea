import { headlineText, stepLines } from '../../adapters/record/episodes/headline.ts';
import { instantText, counted } from '../../adapters/words/plain-words.ts';
import { oddityWords, standingWords } from '../../adapters/record/words/standing-words.ts';
import { expiredWords, externalWords } from '../../adapters/record/words/probe-words.ts';
import { shortName } from '../../adapters/record/words/write-words.ts';
import type { Dependant } from '../../domain/prober/dependant.ts';
import { downSince, isAtOdds, type DependantStanding } from '../../domain/prober/standing.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import {
  initialsOf,
  type PaintedLine,
  type Piece,
  piece,
  standingTones,
  tableLines,
  wrappedLines,
} from '../terminal/painted-line.ts';
import { leadFault } from './leader-line.ts';
import { stateCounts, type SeedStatus, type ShootStatus } from './status-report.ts';

/** The table of a status: its head, a row for each shoot, and what is below it. */
export type StatusTable = Readonly<{
  head: readonly PaintedLine[];
  /** Each as the lines that it takes. */
  rows: readonly (readonly PaintedLine[])[];
  below: readonly PaintedLine[];
}>;

type Column = Readonly<{ title: string; cell: (one: ShootStatus, at: Instant) => Piece }>;

/** Lays the status out as a table, `width` columns wide. `wide` has all names in full, the instants, and who wrote. */
export function statusTable(
  status: SeedStatus,
  dependants: readonly Dependant[],
  { wide, width }: Readonly<{ wide: boolean; width: number }>,
): StatusTable {
  const { at, shoots } = status;
  const names = dependants.map(({ key }) => shortName(key));
  const titles = wide ? names : initialsOf(names).map((initials) => initials.toUpperCase());
  const columns: readonly Column[] = [
    { title: 'SHOOT', cell: ({ standing }) => piece(standing.shoot) },
    { title: 'STATE', cell: ({ standing: { state } }) => piece(standingWords[state], standingTones[state]) },
    { title: 'AT 0 FOR', cell: downCell },
    ...(wide
      ? [
          { title: 'AT 0 SINCE', cell: sinceCell },
          { title: 'BY', cell: byCell },
        ]
      : []),
    ...dependants.map((_, index) => ({
      title: titles[index] ?? '',
      cell: ({ standing }: ShootStatus) => dependantCell(standing.dependants[index]),
    })),
    ...proberColumns(shoots),
    { title: 'REMARK', cell: remarkCell },
  ];
  const cells = shoots.map((one) => columns.map(({ cell }) => cell(one, at)));
  const [head = [], ...rows] = tableLines([columns.map(({ title }) => piece(title, 'bold')), ...cells], width);
  const legend = wide ? [] : wrappedLines(legendLine(titles, names), width, 'dim');
  return {
    head,
    rows,
    below: [[], ...legend, ...wrappedLines(summaryLine(status), width), ...headlineLines(status, width)],
  };
}

/** `12 shoots: 1 scaled down, 11 watched; 1 is at odds with what should be`. */
export function summaryLine(status: SeedStatus): string {
  const { shoots } = status;
  const states = stateCounts(shoots).map(({ words }) => words);
  const odd = shoots.filter(({ standing }) => isAtOdds(standing)).length;
  const colon = states.length === 0 ? '' : `: ${states.join(', ')}`;
  const verdict = odd === 0 ? 'none is' : `${odd} ${odd === 1 ? 'is' : 'are'}`;
  const fault = leadFault(status);
  const lead = fault === undefined ? '' : `, ${odd === 0 ? 'but' : 'and'} ${fault}`;
  return `${counted(shoots.length, 'shoot')}${colon}; ${verdict} at odds with what should be${lead}`;
}

/** What happened, by the prober that was asked, and what to do. */
function headlineLines({ prober }: SeedStatus, width: number): readonly PaintedLine[] {
  const headline = prober?.headline;
  if (headline === undefined) return [];
  return [
    [],
    ...wrappedLines(
      `In the last 24 hours: ${headlineText(headline)}`,
      width,
      headline.weight === 'bad' ? 'bad' : 'plain',
    ),
    ...stepLines(headline).flatMap((line) => wrappedLines(`To do: ${line}`, width)),
  ];
}

function legendLine(titles: readonly string[], names: readonly string[]): string {
  const words = titles.map((title, index) => `${title}: ${names[index] ?? ''}`).join(', ');
  return `${words}. 0 (2): at 0, 2 are recorded; 1→2: 1 is ready, 2 are wanted`;
}

function downCell({ standing }: ShootStatus, at: Instant): Piece {
  const down = downSince(standing);
  if (down === undefined) return piece('-', 'dim');
  return piece(down.at === undefined ? 'unknown' : ageWords(at - down.at));
}

function sinceCell({ standing }: ShootStatus): Piece {
  const down = downSince(standing);
  if (down === undefined) return piece('-', 'dim');
  return piece(down.at === undefined ? 'unknown' : instantText(down.at));
}

function byCell({ standing }: ShootStatus): Piece {
  const down = downSince(standing) ?? standing.dependants.find(({ state }) => state === 'scaledDownByOthers')?.downBy;
  return down === undefined ? piece('-', 'dim') : piece(down.by === '' ? 'unknown' : down.by);
}

/** `2`; `0 (2)` where 2 are recorded; `1→2` where 1 is ready and 2 are wanted. */
function dependantCell(one: DependantStanding | undefined): Piece {
  if (one?.view === undefined) return piece(one?.state === 'missing' ? '-' : '?', 'dim');
  const { replicas, readyReplicas, marked, record } = one.view;
  const count = replicas === readyReplicas ? String(replicas) : `${readyReplicas}→${replicas}`;
  if (one.state === 'ignored') return piece(`${count} ignored`, 'dim');
  if (one.state === 'scaledDown') return piece(`${count} (${record === undefined ? '?' : record.slice(0, 10)})`, 'bad');
  if (marked) return piece(`${count} marked`, 'warning');
  return piece(count, one.state === 'scaledDownByOthers' ? 'warning' : 'plain');
}

/** What the prober's last verdicts counted, and when it looks again. A prober judges all shoots by their leases, or all by their two paths. */
function proberColumns(shoots: readonly ShootStatus[]): readonly Column[] {
  const verdicts = shoots.flatMap(({ report }) => report?.verdict ?? []);
  if (verdicts.length === 0) return [];
  return [verdicts.some(({ external }) => external !== undefined) ? externalColumn : expiredColumn, nextColumn];
}

const expiredColumn: Column = {
  title: 'EXPIRED',
  cell: ({ report }) => {
    const verdict = report?.verdict;
    return verdict === undefined || verdict.external !== undefined
      ? piece('-', 'dim')
      : piece(expiredWords.cell(verdict));
  },
};

/** `failed 2/3`: the external path has failed twice in a row, and three times are an outage. Where the internal one fails, it is not asked. */
const externalColumn: Column = {
  title: 'EXTERNAL',
  cell: ({ report }) => {
    const verdict = report?.verdict;
    if (verdict?.external === undefined || report?.failing !== undefined) return piece('-', 'dim');
    const { count, of } = verdict.external;
    if (verdict.kind === 'cutOff') return piece(`failed ${externalWords.cell(verdict.external)}`);
    return piece(count < of ? `answered ${externalWords.cell(verdict.external)}` : 'answers');
  },
};

const nextColumn: Column = {
  title: 'NEXT',
  cell: ({ report }, at) =>
    report?.nextAt === undefined
      ? piece('-', 'dim')
      : piece(report.nextAt <= at ? 'now' : `in ${ageWords(report.nextAt - at)}`),
};

function remarkCell({ standing }: ShootStatus): Piece {
  const odd = standing.dependants.flatMap((one) => oddityWords(one, standing));
  const parts = [...(standing.reason === undefined ? [] : [standing.reason]), ...odd];
  return piece(parts.join('; '), isAtOdds(standing) ? 'warning' : 'dim');
}

/** `8s`, `4m12s`, `3h05m`, `2d04h`. */
function ageWords(millis: Millis): string {
  const total = Math.max(0, Math.round(millis / 1_000));
  const [minutes, hours, days] = [Math.floor(total / 60), Math.floor(total / 3_600), Math.floor(total / 86_400)];
  if (minutes === 0) return `${total}s`;
  if (hours === 0) return `${minutes}m${twoDigits(total % 60)}s`;
  return days === 0 ? `${hours}h${twoDigits(minutes % 60)}m` : `${days}d${twoDigits(hours % 24)}h`;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}
