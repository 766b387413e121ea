import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import {
  figure,
  lengthText,
  cells,
  failedWords,
  figureLine,
  mostListed,
  summaryLines,
  titleLine,
} from '../story/figures.ts';
import { gap, piece, type PaintedLine } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import { dependantStages, sides, sideWords, stageWords } from './control-plane-model.ts';
import { isWrong, type EtcdSummary, type PlaneSummary } from './etcd-summary.ts';
import type { EtcdOptions } from './etcd-words.ts';

const wordsWidth = 36;
const figureWidth = 11;
const pairWidth = 2 * figureWidth;

/** The summary for people; every length is in simulated seconds. */
export function etcdSummaryLines(
  summary: EtcdSummary,
  options: Pick<EtcdOptions, 'speed' | 'slowSpeed' | 'seedNumber' | 'again'>,
): readonly PaintedLine[] {
  const { ok, planes, missed, latest, length } = summary;
  const { speed, slowSpeed } = options;
  const wrong = planes.filter(isWrong);
  const listed = planes.length <= mostListed ? planes : wrong.slice(0, mostListed);
  const clock = speed === slowSpeed ? `clock ×${speed}` : `clock ×${speed}, ×${slowSpeed} while the weeder works`;
  return summaryLines(
    {
      ok,
      table: listed.length === 0 ? [] : planeLines(listed),
      figures: figureLines(summary),
      honesty: [
        `It took ${(length / 1_000).toFixed(0)} simulated s (${clock}).`,
        `While the weeder worked, this machine was up to ${lengthText(latest)} of them late.`,
      ],
      missed,
      faults: planes.flatMap(({ shoot, faults }) => faults.map((fault) => `${shoot}: ${fault}.`)),
      verdict: ok ? goodWords(summary) : badWords(summary, wrong),
    },
    options,
  );
}

function planeLines(planes: readonly PlaneSummary[]): readonly PaintedLine[] {
  const nameWidth = Math.max('ready after etcd'.length, ...planes.map(({ shoot }) => shoot.length)) + gap;
  const titles = [...dependantStages.map((stage) => stageWords[stage]), 'pods'];
  const subtitles = ['with', 'without', 'with', 'without', 'deleted'];
  return [
    [piece(' '.repeat(nameWidth) + cells(titles, pairWidth), 'dim')],
    [piece('ready after etcd'.padEnd(nameWidth) + cells(subtitles, figureWidth), 'dim')],
    ...planes.map((plane) => {
      const figures = dependantStages.flatMap((stage) => sides.map((side) => figure(plane.recovery[side][stage])));
      const line = plane.shoot.padEnd(nameWidth) + cells([...figures, String(plane.deleted)], figureWidth);
      return [piece(line, isWrong(plane) ? 'bad' : 'plain')];
    }),
  ];
}

function figureLines({ recovery, reaction, deleted, requests, planes }: EtcdSummary): readonly PaintedLine[] {
  const wrongly = planes.reduce((sum, { faults }) => sum + faults.length, 0);
  const how = wrongly === 0 ? ', each of which was crash-looping' : `, of which ${wrongly} wrongly`;
  const { all, lists, watches, deletions } = requests;
  const others = all - lists - watches - deletions;
  const kinds = [
    counted(lists, 'list'),
    `${watches} watch${watches === 1 ? '' : 'es'}`,
    counted(deletions, 'deletion'),
    ...(others === 0 ? [] : [counted(others, 'other')]),
  ];
  return [
    titleLine('', wordsWidth, cells(Object.values(sideWords), pairWidth)),
    titleLine('from etcd until they are ready', wordsWidth, cells(['median', 'worst', 'median', 'worst'], figureWidth)),
    ...dependantStages.map((stage) => {
      const spread = sides.map((side) => recovery[side][stage]);
      const figures = spread.flatMap((one) => [figure(one?.median), figure(one?.worst)]);
      return figureLine(stageWords[stage], wordsWidth, cells(figures, figureWidth));
    }),
    [],
    figureLine(
      'service ready → first deletion',
      wordsWidth,
      cells([figure(reaction?.median), figure(reaction?.worst)], figureWidth),
    ),
    figureLine('pods deleted', wordsWidth, `${deleted}${deleted === 0 ? '' : how}`),
    figureLine('requests to the seed', wordsWidth, `${all}: ${kinds.join(', ')}`),
  ];
}

function goodWords({ planes, recovery }: EtcdSummary): string {
  const [weeded, unaided] = sides.map((side) => figure(recovery[side].controllers?.worst));
  const who = counted(planes.length, 'control plane');
  return `${who} well again within ${weeded}, not ${unaided}. No other pod was deleted.`;
}

function badWords({ isFaster }: EtcdSummary, wrong: readonly PlaneSummary[]): string {
  const faults = [
    [wrong.filter((one) => !one.hasRecovered).length, 'not well again'],
    [wrong.filter((one) => one.faults.length > 0).length, 'weeded wrongly'],
    [wrong.filter((one) => one.bugs > 0).length, 'hit by a bug of the watchdog'],
  ] as const;
  return failedWords('control plane', faults, isFaster ? '' : 'the weeder saved less than half of the time');
}
