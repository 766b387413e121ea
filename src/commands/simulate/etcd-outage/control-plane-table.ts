import type { Instant } from '../../../domain/time.ts';
import { cellOf, gap, piece, trimmedLine, type PaintedLine, type Piece } from '../../terminal/painted-line.ts';
import {
  isWell,
  sides,
  sideWords,
  stages,
  stageWords,
  type PlaneRow,
  type Side,
  type Stage,
} from './control-plane-model.ts';

export type TableView = Readonly<{
  rows: readonly PlaneRow[];
  /** How many lines there are for control planes, at least 1. */
  room: number;
  now: Instant;
}>;

/** `0/2 143s`. etcd's own wait is not shown, because nobody weeds it. */
const widths: Readonly<Record<Stage, number>> = { etcd: 4, apiServers: 11, controllers: 11 };

const sideWidth = stages.reduce((sum, stage) => sum + widths[stage] + gap, 0);

/** Lines of the table apart from its rows. */
export const tableFrame = 3;

/** A table of the control planes on both sides, with one line for those that do not fit. */
export function controlPlaneTable({ rows, room, now }: TableView): readonly PaintedLine[] {
  const nameWidth = Math.max('control plane'.length, ...rows.map(({ shoot }) => shoot.length));
  const shown = rows.length <= room ? rows : rows.slice(0, Math.max(0, room - 1));
  return [
    trimmedLine([
      piece(' '.repeat(nameWidth + gap)),
      ...sides.map((side) => cellOf(piece(sideWords[side], 'bold'), sideWidth - gap)),
    ]),
    trimmedLine([
      cellOf(piece('control plane', 'dim'), nameWidth),
      ...sides.flatMap(() => stages.map((stage) => cellOf(piece(stageWords[stage], 'dim'), widths[stage]))),
    ]),
    ...shown.map((row) =>
      trimmedLine([
        cellOf(piece(row.shoot), nameWidth),
        ...sides.flatMap((side) => stages.map((stage) => cellOf(cell(row, side, stage, now), widths[stage]))),
      ]),
    ),
    ...(shown.length === rows.length ? [] : [restLine(rows.slice(shown.length))]),
    [piece('0/2 143s: none of 2 pods is ready, and the last of them waits for another 143 s', 'dim')],
  ];
}

function cell(row: PlaneRow, side: Side, stage: Stage, now: Instant): Piece {
  const { before, now: view, wellSince } = row[side][stage];
  const count = `${view.ready}/${before}`;
  if (wellSince !== null) return piece(count, 'good');
  const { backOffUntil } = view;
  if (stage === 'etcd' || backOffUntil === null) return piece(count, 'warning');
  return piece(`${count} ${Math.max(0, Math.ceil((backOffUntil - now) / 1_000))}s`, 'bad');
}

function restLine(rest: readonly PlaneRow[]): PaintedLine {
  const [weeded, unaided] = sides.map((side) => rest.filter((row) => isWell(row, side)).length);
  return [piece(`and ${rest.length} more: ${weeded} well with the weeder, ${unaided} without it`, 'dim')];
}
