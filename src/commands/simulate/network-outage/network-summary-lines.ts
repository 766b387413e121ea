import { counted } from '../../../adapters/words/plain-words.ts';
import { shortName } from '../../../adapters/words/shoot-words.ts';
import type { Millis } from '../../../domain/time.ts';
import { failedWords, figure, lengthText, none, type Spread } from '../story/figures.ts';
import { hasTwoPaths } from '../../../domain/prober/prober-config.ts';
import { gap, piece, type PaintedLine } from '../../terminal/painted-line.ts';
import { againLine } from '../story/story-run.ts';
import { initialsOf } from '../../terminal/columns.ts';
import type { NetworkOptions } from './observation.ts';
import { isControllerManager, type NetworkSummary, type ShootSummary } from './network-summary.ts';

/** With more shoots than this, only those with a problem are listed one by one. */
const mostShoots = 12;

const wordsWidth = 58;
const figureWidth = 10;

/** Beyond this the figures say more about this machine than about the watchdog. */
const muchTooLate: Millis = 500;

/** The summary for people; every length is in simulated seconds. */
export function networkSummaryLines(summary: NetworkSummary, options: NetworkOptions): readonly PaintedLine[] {
  const { ok, shoots, missed } = summary;
  const since = sinceWhat(options);
  const wrong = shoots.filter(isWrong);
  const cutOff = shoots.filter((one) => one.cutOff);
  const told = cutOff.length <= mostShoots ? [...new Set([...cutOff, ...wrong])] : wrong.slice(0, mostShoots);
  return [
    [],
    ...(told.length === 0 ? [] : [...shootLines(told, since), []]),
    ...figureLines(summary, since),
    [],
    ...honestyLines(summary, options),
    ...missed.map((what) => [piece(`Not seen: ${what}.`, 'bad')]),
    verdictLine(ok, shoots, wrong),
    [piece(againLine(options), 'dim')],
  ];
}

function isWrong({ isProtected, hasReturned, bugs }: ShootSummary): boolean {
  return !isProtected || !hasReturned || bugs > 0;
}

/** From when on lengths are counted. To two paths an outage shows as soon as one of them breaks. */
function sinceWhat({ config }: NetworkOptions): string {
  return hasTwoPaths(config) ? 'the break' : 'the threshold';
}

function shootLines(shoots: readonly ShootSummary[], since: string): readonly PaintedLine[] {
  const names = Object.keys(shoots[0]?.replicas ?? {}).map(shortName);
  const titles = initialsOf(names);
  const rows = shoots.map((one) => [
    one.shoot,
    figure(one.decisionDelay),
    figure(one.downDelay),
    figure(one.margin),
    String(one.nodesMarked),
    ...Object.values(one.replicas).map(({ before, least, after }) => `${before}→${least}→${after}`),
  ]);
  const table = [['shoot', 'decision', 'all at 0', 'margin', 'marked', ...titles], ...rows];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const text = (row: readonly string[]) => row.map((word, column) => word.padEnd((widths[column] ?? 0) + gap)).join('');
  const [head = [], ...body] = table;
  const legend = titles.map((title, index) => `${title}=${names[index]}`).join(' ');
  return [
    [piece(text(head), 'dim')],
    ...body.map((row, index) => {
      const one = shoots[index];
      return [piece(text(row), one !== undefined && isWrong(one) ? 'bad' : 'plain')];
    }),
    [piece(legend, 'dim')],
    [piece(`decision, all at 0: after ${since}; replicas: before→least→after`, 'dim')],
  ];
}

function figureLines(
  { spread, healthyProbes, quiet, nodesMarked, shoots }: NetworkSummary,
  since: string,
): readonly PaintedLine[] {
  const cutOff = shoots.filter((one) => one.cutOff).length;
  const unasked = shoots.filter((one) => one.unasked);
  const isStopped = Object.keys(shoots[0]?.replicas ?? {}).some(isControllerManager);
  const markedWords = `nodes that kube-controller-manager${isStopped ? '' : ', no dependant,'} marked`;
  return [
    [piece(`${'over the shoots that were cut off'.padEnd(wordsWidth)}${'median'.padEnd(figureWidth)}worst`, 'dim')],
    spreadLine(`from ${since} to the first scale-down`, spread.decisionDelay),
    spreadLine(`from ${since} until everything is at 0`, spread.downDelay),
    ...(spread.controllerManagerDelay === undefined
      ? []
      : [spreadLine(`from ${since} until kube-controller-manager is at 0`, spread.controllerManagerDelay)]),
    spreadLine('from then until it could have marked a node', spread.margin),
    plainLine(markedWords, `${nodesMarked} in ${counted(cutOff, 'shoot')}`),
    ...(unasked.length === 0
      ? []
      : [
          plainLine(
            'scaled while only the internal path failed',
            `${unasked.filter((one) => one.scaledUnasked).length} of ${counted(unasked.length, 'shoot')}`,
          ),
        ]),
    ...(healthyProbes.count === 0 ? [] : probeLines(healthyProbes)),
    ...(quiet === null
      ? []
      : [plainLine(`all requests to the seed in ${lengthText(quiet.length)} of calm`, String(quiet.seedRequests))]),
  ];
}

/** What looking after a shoot costs as long as nothing happens. */
function probeLines({ count, spread }: NetworkSummary['healthyProbes']): readonly PaintedLine[] {
  const { connections, shootRequests, seedRequests } = spread;
  return [
    [],
    [
      piece(
        `${`over ${counted(count, 'probe')} of connected shoots`.padEnd(wordsWidth)}${'median'.padEnd(figureWidth)}worst`,
        'dim',
      ),
    ],
    spreadLine('connections to the shoot', connections, String),
    spreadLine('requests to the shoot', shootRequests, String),
    spreadLine('requests to the seed about the shoot', seedRequests, String),
  ];
}

function spreadLine(
  words: string,
  spread: Spread | undefined,
  show: (value: number) => string = lengthText,
): PaintedLine {
  const [median, worst] = spread === undefined ? [none, none] : [show(spread.median), show(spread.worst)];
  return plainLine(words, `${median.padEnd(figureWidth)}${worst}`);
}

function plainLine(words: string, figures: string): PaintedLine {
  return [piece(words.padEnd(wordsWidth)), piece(figures, 'bold')];
}

function verdictLine(ok: boolean, shoots: readonly ShootSummary[], wrong: readonly ShootSummary[]): PaintedLine {
  const cutOff = shoots.filter((one) => one.cutOff).length;
  if (ok) {
    const brief = shoots.filter((one) => one.wasBrief).length;
    const spared = shoots.length - cutOff;
    const told = [
      [cutOff - brief, `${counted(cutOff - brief, 'shoot')} protected, and as before.`],
      [brief, `${counted(brief, 'shoot')} connected again before there was anything to do.`],
      [spared, `${counted(spared, 'other')} left alone.`],
    ] as const;
    return [piece(told.flatMap(([count, words]) => (count === 0 ? [] : [words])).join(' '), 'good')];
  }
  const faults = [
    [wrong.filter((one) => !one.isProtected).length, 'not protected'],
    [wrong.filter((one) => !one.hasReturned).length, 'not as before'],
    [wrong.filter((one) => one.bugs > 0).length, 'hit by a bug of the watchdog'],
  ] as const;
  return [piece(failedWords('shoot', faults), 'bad')];
}

/** How far this machine may have distorted the figures. */
function honestyLines(
  { latest, length }: Readonly<{ latest: Millis; length: Millis }>,
  { speed }: Pick<NetworkOptions, 'speed'>,
): readonly PaintedLine[] {
  const unit = speed === 1 ? 's in real time' : `simulated s (clock ×${speed})`;
  const hint = latest > muchTooLate && speed > 1 ? ' A lower --speed gives truer figures.' : '';
  return [
    [piece(`It took ${(length / 1_000).toFixed(0)} ${unit}.`, 'dim')],
    [piece(`This machine was up to ${lengthText(latest)} of them late.${hint}`, 'dim')],
  ];
}
