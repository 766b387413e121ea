import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { WeederConfig } from 'dependency-watchdog/domain/weeder/weeder-config.ts';
import { goesOnLine, placeLines } from '../story/places.ts';
import {
  piece,
  cellOf,
  gap,
  trimmedLine,
  type PaintedLine,
  type Piece,
} from 'dependency-watchdog/commands/terminal/painted-line.ts';
import { storyScreen } from '../story/screen.ts';
import { beginningLines, runTitle, type StartedRun } from '../story/story-run.ts';
import type { StoryWords } from '../story/story-output.ts';
import {
  type ControlPlaneModel,
  isWell,
  sides,
  sideWords,
  stages,
  stageWords,
  type PlaneRow,
  type Side,
  type OutageStage,
} from './control-plane-model.ts';
import { etcdPhaseNow } from './etcd-events.ts';
import type { PacedClock } from './paced-clock.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';

/** The options of a run of the etcd outage. */
export type EtcdOptions = StartedRun &
  Readonly<{
    clock: PacedClock;
    /** How fast the clock runs while the weeder works. Otherwise it runs at `speed`. */
    slowSpeed: number;
    /** How fast it runs while the seed stays up. */
    speedAfter: number;
    config: WeederConfig;
  }>;

/** The etcd outage, in words. */
export function etcdWords(options: EtcdOptions, current: () => ControlPlaneModel): StoryWords {
  const { clock, seedNumber, shoots, speed, slowSpeed, config, keys } = options;
  const pace = speed === slowSpeed ? '' : `, ${slowSpeed} times while the weeder works`;
  return {
    begin: { story: 'etcd-outage', seed: seedNumber, speed, slowSpeed, shoots, config },
    beginning: beginningLines(options, `etcd fails in ${counted(shoots, 'control plane')}`, pace),
    places: placeLines(options, 'o begins another outage once this one is over, q ends.'),
    picture(timeline, size) {
      const [model, now] = [current(), clock.now()];
      const { startedAt, phase } = model;
      return storyScreen(
        {
          startedAt,
          now,
          title: runTitle({ speed: phase === 'over' ? speed : clock.speed(), seedNumber }),
          phase: piece(etcdPhaseNow(model), phase === 'outage' ? 'warning' : 'good'),
          tableFrame,
          table: (room) => controlPlaneTable({ rows: [...model.rows.values()], room, now }),
          timeline,
        },
        size,
      );
    },
    kept: {
      goesOn: goesOnLine('Both seeds and the weeder go on', keys),
      uses: usesOfSeed(options, [...current().rows.keys()][0] ?? ''),
    },
  };
}

/** What can be done with the seed that stays up, the one with the weeder. */
function usesOfSeed({ speedAfter: after, places }: EtcdOptions, firstShoot: string): readonly string[] {
  const pace = after === 1 ? 'in real time' : `${after} times as fast as real time`;
  return [
    `Until the next outage the clock runs ${pace}.`,
    'To look around, in another terminal:',
    `  export KUBECONFIG=${places.kubeconfig}`,
    `  kubectl get pods -n ${firstShoot}`,
    '  kubectl get endpointslices -A',
    `  curl -s ${places.journal} | npx node src/main.ts replay -`,
  ];
}

export type TableView = Readonly<{
  rows: readonly PlaneRow[];
  /** How many lines there are for control planes, at least 1. */
  room: number;
  now: Instant;
}>;

/** `0/2 143s`. etcd's own wait is not shown, because nobody weeds it. */
const widths: Readonly<Record<OutageStage, number>> = { etcd: 4, apiServers: 11, controllers: 11 };

const sideWidth = stages.reduce((sum, stage) => sum + widths[stage] + gap, 0);

/** Lines of the table apart from its rows. */
const tableFrame = 3;

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

function cell(row: PlaneRow, side: Side, stage: OutageStage, now: Instant): Piece {
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
