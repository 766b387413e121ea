import {
  countStandings,
  shootStandings,
  standingWords,
} from 'dependency-watchdog/adapters/record/words/standing-words.ts';
import {
  expiredWords,
  externalWords,
  type CountedVerdict,
} from 'dependency-watchdog/adapters/record/words/probe-words.ts';
import {
  cellOf,
  gap,
  type PaintedLine,
  type Piece,
  piece,
  standingTones,
  type Tone,
  trimmedLine,
} from 'dependency-watchdog/commands/terminal/painted-line.ts';
import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { nameFor } from '../story/screen.ts';
import { columnsFor, widthOf, type DependantColumns } from './dependant-columns.ts';
import { barLegend, leaseBar, leastBar, mostBar } from './lease-bar.ts';
import { isAsBefore, type ObservedDependant, type ObservedShoot } from './network-model.ts';

export type TableView = Readonly<{
  rows: readonly ObservedShoot[];
  /** Stands below them, however many have room. */
  twin: ObservedShoot | null;
  /** In each shoot. */
  nodes: number;
  width: number;
  /** How many lines there are for shoots, at least 1. */
  room: number;
  now: Instant;
  grace: Millis;
  /** The older generation: nothing is known of leases to the prober (SPEC 4.9). */
  twoPaths: boolean;
  /** Of the shoot's oldest lease. */
  oldestRenewal: (shoot: ShootNamespace) => Instant | undefined;
}>;

/** `140 s`. */
const ageWidth = 5;

/** The table's head and its two legends. */
export const tableFrame = 3;

/** A table of the shoots, with one line for those that do not fit, and lines that explain it. */
export function shootTable(view: TableView): readonly PaintedLine[] {
  const { rows, room, grace, twoPaths } = view;
  const layout = layoutOf(view);
  const shown = rows.length <= room ? rows : rows.slice(0, Math.max(0, room - 1));
  const lines = [
    headLine(layout, twoPaths),
    ...shown.map((row) => rowLine(row, layout, view)),
    ...(shown.length === rows.length ? [] : [restLine(rows.slice(shown.length))]),
    ...(view.twin === null ? [] : [rowLine(view.twin, layout, view, twinPiece(view.twin, view.nodes))]),
  ].map((line) => line.slice(0, wholeColumns(layout, view)));
  return [
    ...lines,
    ...legendLines(layout.dependants),
    ...(layout.bar === 0 ? [] : [[piece(barLegend(grace, twoPaths), 'dim')]]),
  ];
}

/** How many of the columns have room as a whole, where no bar is shown: half a figure is none. */
function wholeColumns({ name, bar, lease, dependants }: Layout, { width, twoPaths }: TableView): number {
  if (bar > 0) return Infinity;
  const widths = [
    name,
    stateWidth,
    lease,
    verdictTitle(twoPaths).length,
    ...dependants.columns.map((one) => one.width),
  ];
  let end = -gap;
  return widths.filter((one) => (end += gap + one) <= width).length;
}

/** How wide the columns are. The bar is left out where there is no room for it. */
type Layout = Readonly<{ name: number; bar: number; lease: number; dependants: DependantColumns }>;

function layoutOf({ rows, twin, width, twoPaths }: TableView): Layout {
  const names = [...rows, ...(twin === null ? [] : [twin])].map(({ shoot }) => nameFor(shoot, width).length);
  const name = Math.max('shoot'.length, ...names);
  const keys = [...(rows[0]?.dependants.keys() ?? [])];
  // The age stands beside the bar with a blank between them. The last column needs no gap.
  const left = width - (name + stateWidth + verdictTitle(twoPaths).length + ageWidth + 4 * gap) + gap;
  const barred = columnsFor(keys, left - leastBar - 1);
  const bar = Math.min(mostBar, left - 1 - widthOf(barred.columns));
  if (bar < leastBar) return { name, bar: 0, lease: 'oldest'.length, dependants: columnsFor(keys, left - 1) };
  return { name, bar, lease: bar + 1 + ageWidth, dependants: barred };
}

/** What the prober goes by. */
function verdictTitle(twoPaths: boolean): string {
  return twoPaths ? 'external' : 'expired';
}

function headLine({ name, bar, lease, dependants }: Layout, twoPaths: boolean): PaintedLine {
  const verdict = verdictTitle(twoPaths);
  const titles: readonly (readonly [string, number])[] = [
    ['shoot', name],
    ['state', stateWidth],
    [bar === 0 ? 'oldest' : 'oldest lease', lease],
    [verdict, verdict.length],
    ...dependants.columns.map(({ title, width }) => [title, width] as const),
  ];
  return trimmedLine(titles.map(([title, width]) => cellOf(piece(title, 'dim'), width)));
}

function rowLine(
  row: ObservedShoot,
  { name, bar, lease, dependants }: Layout,
  { width, now, grace, twoPaths, oldestRenewal }: TableView,
  state = standingPiece(row),
): PaintedLine {
  const { shoot, verdict } = row;
  const renewal = oldestRenewal(shoot);
  const age = renewal === undefined ? undefined : Math.max(0, now - renewal);
  const ageText = age === undefined ? '-' : `${Math.floor(age / 1_000)} s`;
  const picture = age === undefined ? piece('') : leaseBar(age, grace, Math.max(leastBar, bar), twoPaths);
  return trimmedLine([
    cellOf(piece(nameFor(shoot, width), row.threat !== null && !isAsBefore(row) ? 'bold' : 'plain'), name),
    cellOf(state, stateWidth),
    ...(bar === 0
      ? [cellOf({ text: ageText, tone: picture.tone }, lease)]
      : [{ ...picture, text: picture.text.padEnd(bar + 1) }, cellOf(piece(ageText.padStart(ageWidth)), ageWidth)]),
    cellOf(verdictCell(verdict), verdictTitle(twoPaths).length),
    ...dependants.columns.map((column) => cellOf(cell(row, column.keys), column.width)),
  ]);
}

function cell({ dependants }: ObservedShoot, keys: readonly DependantKey[]): Piece {
  const those = keys.map((key) => dependants.get(key)).filter((one) => one !== undefined);
  const [one] = those;
  if (one === undefined) return piece('-');
  if (those.length > 1) {
    const up = those.filter(({ before, now }) => now.readyReplicas >= before).length;
    return piece(`${up}/${those.length} up`, up === those.length ? 'plain' : 'bad');
  }
  return piece(replicasText(one), toneOf(one));
}

/** `2`; `2→0` where 2 are ready and 0 are wanted; `0 (2)` where 2 are recorded. */
function replicasText({ now }: ObservedDependant): string {
  const { replicas, readyReplicas, marked, record } = now;
  const count = replicas === readyReplicas ? String(replicas) : `${readyReplicas}→${replicas}`;
  return marked && record !== undefined ? `${count} (${record})` : count;
}

function toneOf({ before, now }: ObservedDependant): Tone {
  if (now.readyReplicas >= before && !now.marked) return 'plain';
  if (now.replicas > now.readyReplicas) return 'news';
  return now.readyReplicas > 0 ? 'warning' : 'bad';
}

function restLine(rest: readonly ObservedShoot[]): PaintedLine {
  const states = countStandings(
    shootStandings,
    rest.map(({ shoot, standing }) => [shoot, standing] as const),
  );
  return [piece(`and ${rest.length} more: ${states.map(({ words }) => words).join(', ')}`, 'dim')];
}

function legendLines({ legend }: DependantColumns): readonly PaintedLine[] {
  if (legend.length === 0) return [];
  return [[piece(legend.map(({ title, name }) => `${title}=${name}`).join(' '), 'dim')]];
}

/** A screen of 80 columns has no more room beside the bar, so some of the words are shortened. */
const stateWidth = 12;
const shortened: Partial<typeof standingWords> = {
  waiting: 'not probed',
  notAnswering: 'no answer',
  scaledDownNotAnswering: 'scaled down',
  partlyScaledDown: 'partly down',
  scaledDownByOthers: 'by others',
  unjudged: 'unjudged',
  tooFew: 'too small',
};

/** What comes of a shoot that nobody watches. */
function twinPiece({ nodesMarked, machinesReplaced }: ObservedShoot, nodes: number): Piece {
  if (machinesReplaced > 0) return piece(`${machinesReplaced}/${nodes} replaced`, 'bad');
  return nodesMarked > 0 ? piece(`${nodesMarked}/${nodes} marked`, 'bad') : piece('unwatched', 'dim');
}

function standingPiece({ standing }: ObservedShoot): Piece {
  return piece(shortened[standing] ?? standingWords[standing], standingTones[standing]);
}

/** What it counted: `3/5`, `2/3`, `answers`. */
function verdictCell(verdict: CountedVerdict | null): Piece {
  if (verdict === null) return piece('-');
  const { external } = verdict;
  if (external === undefined) return piece(expiredWords.cell(verdict), verdict.expired > 0 ? 'warning' : 'plain');
  if (verdict.verdict === 'connected') return piece('answers');
  return piece(externalWords.cell(external), 'warning');
}
