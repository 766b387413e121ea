import { counted } from '../../../adapters/words/plain-words.ts';
import { failedWords, figure, lengthText } from '../story/figures.ts';
import { gap, piece, type PaintedLine } from '../../terminal/painted-line.ts';
import { againLine } from '../story/story-run.ts';
import type { EtcdSummary, PlaneSummary } from './etcd-summary.ts';
import { stageWords } from './etcd-timeline.ts';
import { dependantStages, sides, sideWords, type EtcdOptions } from './observation.ts';

/** With more control planes than this, only those with a problem are listed one by one. */
const mostPlanes = 12;

const wordsWidth = 36;
const figureWidth = 11;
const pairWidth = 2 * figureWidth;

type LineOptions = Pick<EtcdOptions, 'speed' | 'slowSpeed' | 'seedNumber' | 'again'>;

/** The summary for people; every length is in simulated seconds. */
export function etcdSummaryLines(summary: EtcdSummary, options: LineOptions): readonly PaintedLine[] {
  const wrong = summary.planes.filter(isWrong);
  const told = summary.planes.length <= mostPlanes ? summary.planes : wrong.slice(0, mostPlanes);
  return [
    [],
    ...(told.length === 0 ? [] : [...planeLines(told), []]),
    ...figureLines(summary),
    [],
    ...honestyLines(summary, options),
    ...summary.missed.map((what) => [piece(`Not seen: ${what}.`, 'bad')]),
    ...summary.planes.flatMap(({ shoot, faults }) => faults.map((fault) => [piece(`${shoot}: ${fault}.`, 'bad')])),
    verdictLine(summary, wrong),
    [piece(againLine(options), 'dim')],
  ];
}

function isWrong({ hasRecovered, faults, bugs }: PlaneSummary): boolean {
  return !hasRecovered || faults.length > 0 || bugs > 0;
}

function cells(words: readonly string[], width = figureWidth): string {
  const padded = words.map((word) => word.padEnd(width));
  return padded.join('').trimEnd();
}

function planeLines(planes: readonly PlaneSummary[]): readonly PaintedLine[] {
  const nameWidth = Math.max('ready after etcd'.length, ...planes.map(({ shoot }) => shoot.length)) + gap;
  return [
    [
      piece(
        ' '.repeat(nameWidth) + cells([...dependantStages.map((stage) => stageWords[stage]), 'pods'], pairWidth),
        'dim',
      ),
    ],
    [piece('ready after etcd'.padEnd(nameWidth) + cells(['with', 'without', 'with', 'without', 'deleted']), 'dim')],
    ...planes.map((plane) => {
      const figures = dependantStages.flatMap((stage) => sides.map((side) => figure(plane.recovery[side][stage])));
      const line = plane.shoot.padEnd(nameWidth) + cells([...figures, String(plane.deleted)]);
      return [piece(line, isWrong(plane) ? 'bad' : 'plain')];
    }),
  ];
}

function figureLines({ recovery, reaction, deleted, requests, planes }: EtcdSummary): readonly PaintedLine[] {
  const line = (words: string, figures: string): PaintedLine => [
    piece(words.padEnd(wordsWidth)),
    piece(figures, 'bold'),
  ];
  const faults = planes.reduce((sum, { faults }) => sum + faults.length, 0);
  return [
    [
      piece(
        ' '.repeat(wordsWidth) +
          cells(
            sides.map((side) => sideWords[side]),
            pairWidth,
          ),
        'dim',
      ),
    ],
    [piece('from etcd until they are ready'.padEnd(wordsWidth) + cells(['median', 'worst', 'median', 'worst']), 'dim')],
    ...dependantStages.map((stage) => {
      const spread = sides.map((side) => recovery[side][stage]);
      return line(stageWords[stage], cells(spread.flatMap((one) => [figure(one?.median), figure(one?.worst)])));
    }),
    [],
    line('service ready → first deletion', cells([figure(reaction?.median), figure(reaction?.worst)])),
    line('pods deleted', deletedWords(deleted, faults)),
    line('requests to the seed', requestWords(requests)),
  ];
}

function deletedWords(deleted: number, faults: number): string {
  if (deleted === 0) return '0';
  return faults === 0 ? `${deleted}, each of which was crash-looping` : `${deleted}, of which ${faults} wrongly`;
}

function requestWords({ all, lists, watches, deletions }: EtcdSummary['requests']): string {
  const others = all - lists - watches - deletions;
  const told = [counted(lists, 'list'), `${watches} watch${watches === 1 ? '' : 'es'}`, counted(deletions, 'deletion')];
  return `${all}: ${[...told, ...(others === 0 ? [] : [counted(others, 'other')])].join(', ')}`;
}

/** How far this machine may have distorted the weeder's figures. */
function honestyLines({ latest, length }: EtcdSummary, { speed, slowSpeed }: LineOptions): readonly PaintedLine[] {
  const clock = speed === slowSpeed ? `clock ×${speed}` : `clock ×${speed}, ×${slowSpeed} while the weeder works`;
  const told = `It took ${(length / 1_000).toFixed(0)} simulated s (${clock}).`;
  const late = `While the weeder worked, this machine was up to ${lengthText(latest)} of them late.`;
  return [[piece(told, 'dim')], [piece(late, 'dim')]];
}

function verdictLine({ ok, planes, recovery, isFaster }: EtcdSummary, wrong: readonly PlaneSummary[]): PaintedLine {
  const [weeded, unaided] = sides.map((side) => recovery[side].controllers?.worst);
  if (ok) {
    const who = counted(planes.length, 'control plane');
    const text = `${who} well again within ${figure(weeded)}, not ${figure(unaided)}. No other pod was deleted.`;
    return [piece(text, 'good')];
  }
  const faults = [
    [wrong.filter((one) => !one.hasRecovered).length, 'not well again'],
    [wrong.filter((one) => one.faults.length > 0).length, 'weeded wrongly'],
    [wrong.filter((one) => one.bugs > 0).length, 'hit by a bug of the watchdog'],
  ] as const;
  const tooSlow = isFaster ? '' : 'the weeder saved less than half of the time';
  return [piece(failedWords('control plane', faults, tooSlow), 'bad')];
}
