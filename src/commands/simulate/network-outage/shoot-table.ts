import type { DependantKey } from '../../../domain/prober/dependant.ts';
import { expiresAt } from '../../../domain/prober/verdict.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { ShootState } from '../../../machines/shoot-language.ts';
import { gap, piece, type PaintedLine, type Piece, type Tone } from '../story/screen.ts';
import { columnsFor, type DependantColumn, type DependantColumns } from './columns.ts';
import { isAsBefore, type DependantRow, type ShootRow } from './network-model.ts';

export type TableView = Readonly<{
  rows: readonly ShootRow[];
  width: number;
  /** How many lines there are for shoots, at least 1. */
  room: number;
  now: Instant;
  grace: Millis;
  /** Of the shoot's oldest lease. */
  oldestRenewal: (shoot: ShootNamespace) => Instant | undefined;
}>;

const stateWidth = 'scalingDown'.length;
const expiredWidth = 'expired'.length;
const oldestWidth = 'oldest'.length;

const stateTones: Readonly<Record<ShootState, Tone>> = {
  idle: 'dim',
  probing: 'good',
  leaseFailed: 'warning',
  scalingDown: 'warning',
  scaledDown: 'bad',
  scalingUp: 'news',
};

/** A table of the shoots, with one line for those that do not fit, and one that explains the titles. */
export function shootTable(view: TableView): readonly PaintedLine[] {
  const { rows, room } = view;
  const nameWidth = Math.max('shoot'.length, ...rows.map(({ shoot }) => shoot.length));
  const fixed = nameWidth + stateWidth + expiredWidth + oldestWidth + 3 * gap;
  const keys = [...(rows[0]?.dependants.keys() ?? [])];
  const dependants = columnsFor(keys, view.width - fixed);
  const shown = rows.length <= room ? rows : rows.slice(0, Math.max(0, room - 1));
  return [
    headLine(nameWidth, dependants),
    ...shown.map((row) => rowLine(row, nameWidth, dependants.columns, view)),
    ...(shown.length === rows.length ? [] : [restLine(rows.slice(shown.length))]),
    ...legendLines(dependants),
  ];
}

function headLine(nameWidth: number, { columns }: DependantColumns): PaintedLine {
  const titles: readonly (readonly [string, number])[] = [
    ['shoot', nameWidth],
    ['state', stateWidth],
    ['expired', expiredWidth],
    ['oldest', oldestWidth],
    ...columns.map(({ title, width }) => [title, width] as const),
  ];
  return titles.map(([title, width]) => piece(title.padEnd(width + gap), 'dim'));
}

function rowLine(
  row: ShootRow,
  nameWidth: number,
  columns: readonly DependantColumn[],
  { now, grace, oldestRenewal }: TableView,
): PaintedLine {
  const { shoot, state, verdict } = row;
  const renewal = oldestRenewal(shoot);
  const age = renewal === undefined ? '-' : `${Math.max(0, Math.floor((now - renewal) / 1_000))} s`;
  const isOld = renewal !== undefined && now >= expiresAt(renewal, grace);
  return [
    padded(piece(shoot, row.threat !== null && !isAsBefore(row) ? 'bold' : 'plain'), nameWidth),
    padded(piece(state, stateTones[state]), stateWidth),
    padded(
      piece(
        verdict === null ? '-' : `${verdict.expired}/${verdict.candidates}`,
        verdict?.expired ? 'warning' : 'plain',
      ),
      expiredWidth,
    ),
    padded(piece(age, isOld ? 'warning' : 'plain'), oldestWidth),
    ...columns.map(({ keys, width }) => padded(cell(row, keys), width)),
  ];
}

function cell({ dependants }: ShootRow, keys: readonly DependantKey[]): Piece {
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
function replicasText({ now }: DependantRow): string {
  const { replicas, readyReplicas, marked, record } = now;
  const count = replicas === readyReplicas ? String(replicas) : `${readyReplicas}→${replicas}`;
  return marked && record !== undefined ? `${count} (${record})` : count;
}

function toneOf({ before, now }: DependantRow): Tone {
  if (now.readyReplicas >= before && !now.marked) return 'plain';
  if (now.replicas > now.readyReplicas) return 'news';
  return now.readyReplicas > 0 ? 'warning' : 'bad';
}

function restLine(rest: readonly ShootRow[]): PaintedLine {
  const states = [...Map.groupBy(rest, ({ state }) => state)].map(([state, those]) => `${those.length} ${state}`);
  return [piece(`and ${rest.length} more: ${states.join(', ')}`, 'dim')];
}

function legendLines({ legend }: DependantColumns): readonly PaintedLine[] {
  if (legend.length === 0) return [];
  return [[piece(legend.map(({ title, name }) => `${title}=${name}`).join(' '), 'dim')]];
}

function padded({ text, tone }: Piece, width: number): Piece {
  return { text: text.padEnd(width + gap), tone };
}
