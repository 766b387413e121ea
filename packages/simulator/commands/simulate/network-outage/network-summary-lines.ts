import type { Headline } from 'dependency-watchdog/adapters/record/episodes/headline.ts';
import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { shortName } from 'dependency-watchdog/adapters/record/words/write-words.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import {
  figure,
  lengthText,
  type Spread,
  cells,
  failedWords,
  figureLine,
  mostListed,
  summaryLines,
  titleLine,
} from '../story/figures.ts';
import { healthTimeout } from '../../../shoot/machine-health.ts';
import { hasTwoPaths } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { nameFor } from '../story/screen.ts';
import { gap, initialsOf, type PaintedLine, piece } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import { twinName, type NetworkOptions } from './network-model.ts';
import { isControllerManager, isWrong, type NetworkSummary, type ShootSummary } from './network-summary.ts';

const wordsWidth = 58;
const figureWidth = 10;

/** Beyond this the figures say more about this machine than about the watchdog. */
const muchTooLate: Millis = 500;

/** The summary for people; every length is in simulated seconds. `headline`: of what the turns tell. */
export function networkSummaryLines(
  summary: NetworkSummary,
  options: NetworkOptions,
  { headline, columns }: Readonly<{ headline?: Headline; columns?: number | undefined }> = {},
): readonly PaintedLine[] {
  const { ok, shoots, missed, latest, length } = summary;
  const { speed, config } = options;
  // From when on lengths are counted. To two paths an outage shows as soon as one of them breaks.
  const since = hasTwoPaths(config) ? 'the break' : 'the threshold';
  const wrong = shoots.filter((one) => isWrong(one, latest) || one.tooLateBy > 0);
  const cutOff = shoots.filter((one) => one.cutOff);
  const listed = cutOff.length <= mostListed ? [...new Set([...cutOff, ...wrong])] : wrong.slice(0, mostListed);
  const unit = speed === 1 ? 's in real time' : `simulated s (clock ×${speed})`;
  const hint = latest > muchTooLate && speed > 1 ? ' A lower --speed gives truer figures.' : '';
  return summaryLines(
    {
      ok,
      table: listed.length === 0 ? [] : shootLines(listed, { wrong, since, columns: columns ?? Infinity }),
      figures: [...figureLines(summary, since), ...besideLines(summary, options)],
      honesty: [
        `It took ${(length / 1_000).toFixed(0)} ${unit}.`,
        ...(summary.twin === null
          ? []
          : [
              `A machine is replaced ${lengthText(healthTimeout)} after its node was marked, not 10 minutes as in Gardener.`,
            ]),
        `This machine was up to ${lengthText(latest)} of them late.${hint}`,
      ],
      missed,
      verdict: ok ? goodWords(shoots) : badWords(wrong),
      ...(headline && { headline }),
      ...(columns === undefined ? {} : { columns }),
    },
    options,
  );
}

function shootLines(
  shoots: readonly ShootSummary[],
  { wrong, since, columns }: Readonly<{ wrong: readonly ShootSummary[]; since: string; columns: number }>,
): readonly PaintedLine[] {
  const names = Object.keys(shoots[0]?.replicas ?? {}).map(shortName);
  const titles = initialsOf(names);
  // What counts stands first: where there is less room, the last columns are left out.
  const head = ['shoot', 'margin', 'marked', 'all at 0', 'decision', ...titles];
  const rows = shoots.map(({ shoot, lengths, nodesMarked, replicas }) => [
    nameFor(shoot, columns),
    figure(lengths.margin),
    String(nodesMarked),
    figure(lengths.downDelay),
    figure(lengths.decisionDelay),
    ...Object.values(replicas).map(({ before, least, after }) => `${before}→${least}→${after}`),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  let end = -gap;
  const room = widths.filter((width) => (end += width + gap) <= columns).length;
  const text = (row: readonly string[]) =>
    row
      .slice(0, room)
      .map((word, column) => word.padEnd((widths[column] ?? 0) + gap))
      .join('')
      .trimEnd();
  const bad = new Set(wrong.map(({ shoot }) => nameFor(shoot, columns)));
  const legend =
    head.length === room
      ? [[piece(titles.map((title, index) => `${title}=${names[index]}`).join(' '), 'dim')] satisfies PaintedLine]
      : [];
  return [
    [piece(text(head), 'dim')],
    ...rows.map((row) => [piece(text(row), bad.has(row[0] ?? '') ? 'bad' : 'plain')]),
    ...legend,
    [piece(`decision, all at 0: after ${since}; replicas: before→least→after`, 'dim')],
  ];
}

function figureLines({ spread, healthyProbes, quiet, shoots }: NetworkSummary, since: string): readonly PaintedLine[] {
  const unasked = shoots.filter((one) => one.unasked);
  const scaledUnasked = unasked.filter((one) => one.scaledUnasked).length;
  const lines = [
    headLine('over the shoots that were cut off'),
    spreadLine(`from ${since} to the first scale-down`, spread.decisionDelay),
    spreadLine(`from ${since} until everything is at 0`, spread.downDelay),
  ];
  if (spread.controllerManagerDelay !== undefined)
    lines.push(spreadLine(`from ${since} until kube-controller-manager is at 0`, spread.controllerManagerDelay));
  lines.push(spreadLine('from then until it could have marked a node', spread.margin));
  if (unasked.length > 0)
    lines.push(
      figureLine(
        'scaled while only the internal path failed',
        wordsWidth,
        `${scaledUnasked} of ${counted(unasked.length, 'shoot')}`,
      ),
    );
  // What looking after a shoot costs as long as nothing happens.
  const { connections, shootRequests, seedRequests } = healthyProbes.spread;
  if (connections !== undefined && shootRequests !== undefined && seedRequests !== undefined) {
    const requests = shootRequests.worst + seedRequests.worst;
    lines.push(
      [],
      figureLine(
        `connections, and requests, of a probe (of ${healthyProbes.count} in calm)`,
        wordsWidth,
        cells([String(connections.worst), String(requests)], figureWidth),
      ),
    );
  }
  if (quiet !== null)
    lines.push(
      figureLine(
        `all requests to the seed in ${lengthText(quiet.length)} of calm`,
        wordsWidth,
        String(quiet.seedRequests),
      ),
    );
  return lines;
}

/** What the watchdog spared the shoots that it watched, beside what came of the one that nobody watched. */
function besideLines(
  { shoots, nodesMarked, machinesReplaced, twin }: NetworkSummary,
  { nodes }: NetworkOptions,
): readonly PaintedLine[] {
  const isStopped = Object.keys(shoots[0]?.replicas ?? {}).some(isControllerManager);
  const watched = nodes * shoots.filter((one) => one.cutOff).length;
  const line = (words: string, here: number, there: number | undefined) =>
    figureLine(
      words,
      wordsWidth,
      cells([`${here} of ${watched}`, ...(there === undefined ? [] : [`${there} of ${nodes}`])], figureWidth),
    );
  return [
    [],
    titleLine(
      'of the nodes that were cut off',
      wordsWidth,
      cells(['watched', ...(twin === null ? [] : [twinName])], figureWidth),
    ),
    line(`marked by kube-controller-manager${isStopped ? '' : ', no dependant'}`, nodesMarked, twin?.nodesMarked),
    line('healthy, and replaced by machine-controller-manager', machinesReplaced, twin?.machinesReplaced),
  ];
}

function headLine(words: string): PaintedLine {
  return titleLine(words, wordsWidth, cells(['median', 'worst'], figureWidth));
}

function spreadLine(words: string, spread: Spread | undefined): PaintedLine {
  return figureLine(words, wordsWidth, cells([figure(spread?.median), figure(spread?.worst)], figureWidth));
}

function goodWords(shoots: readonly ShootSummary[]): string {
  const cutOff = shoots.filter((one) => one.cutOff).length;
  const brief = shoots.filter((one) => one.wasBrief).length;
  const spared = shoots.length - cutOff;
  const late = shoots.filter(({ tooLateBy }) => tooLateBy > 0);
  const groups = [
    [late.length, `${late.length} ${lateWords(late)}, no more than this machine was late itself.`],
    [brief, `${counted(brief, 'shoot')} connected again before there was anything to do.`],
    [spared, `${counted(spared, 'other')} left alone.`],
  ] as const;
  return groups.flatMap(([count, words]) => (count === 0 ? [] : [words])).join(' ');
}

/** Of those that were late: by how much at most. */
function lateWords(shoots: readonly ShootSummary[]): string {
  return `too late by ${lengthText(Math.max(...shoots.map(({ tooLateBy }) => tooLateBy)))}`;
}

function badWords(wrong: readonly ShootSummary[]): string {
  return failedWords('shoot', [
    [wrong.filter((one) => !one.isProtected).length, 'not protected'],
    [wrong.filter((one) => one.isProtected && one.tooLateBy > 0).length, lateWords(wrong)],
    [wrong.filter((one) => !one.hasReturned).length, 'not brought back'],
    [wrong.filter((one) => one.bugs > 0).length, 'hit by a bug of the watchdog'],
  ]);
}
