import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Outage } from './outage.ts';
import type { TwinOutages } from './run-meltdown.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';

/** Of some lengths in ms; undefined where there are none. */
export type Spread = Readonly<{ least: number; median: number; worst: number }> | undefined;

export type ColumnSum = Readonly<{
  outages: number;
  /** Outages in which any node was marked, and in which every node was. */
  withMarks: number;
  allMarked: number;
  marked: number;
  nodes: number;
  /** Undefined where Machines are played. Outages in which any was replaced. */
  replaced: number | undefined;
  withReplaced: number;
  /** From when it could be known: the threshold, or with two paths the break. */
  firstWrite: Spread;
  scaled: Spread;
  gone: Spread;
  /** From then until the first node was marked; only where one was. */
  firstMark: Spread;
  /** From the end of the controller-manager's process until it would have marked the first node, or from then to the mark. */
  margin: Spread;
  /** From the healing until the first dependant was scaled up, the last one was, and all was as before. */
  firstUp: Spread;
  lastUp: Spread;
  back: Spread;
  notBack: number;
  /** How much later the first mark came than foretold; only where one came. */
  foretelling: Spread;
  missedRenewals: number;
}>;

/** Watched outages of one fault. */
type FaultSum = Readonly<{ fault: Outage['fault']; outages: number } & Pick<ColumnSum, 'scaled' | 'margin'>>;

export type Sum = Readonly<{
  watched: ColumnSum;
  unwatched: ColumnSum;
  faults: readonly FaultSum[];
  /** A sentence for each thing that should have been shown and was not. */
  failures: readonly string[];
}>;

/** What is to be shown: no watched node marked, everything back, and that there was something to protect from. */
export function sumUp(all: readonly TwinOutages[]): Sum {
  const watched = sumColumn(all.map((one) => one.watched));
  const unwatched = sumColumn(all.flatMap((one) => one.unwatched ?? []));
  const harmless = unwatched.outages - unwatched.withMarks;
  const lostNone = unwatched.replaced === undefined ? 0 : unwatched.outages - unwatched.withReplaced;
  const notBack = watched.notBack + unwatched.notBack;
  return {
    watched,
    unwatched,
    faults: [...Map.groupBy(all, (one) => one.watched.fault)].map(([fault, those]) => {
      const { outages, scaled, margin } = sumColumn(those.map((one) => one.watched));
      return { fault, outages, scaled, margin };
    }),
    failures: [
      ...(watched.outages === 0 ? ['Nobody was cut off.'] : []),
      ...(watched.marked > 0 ? [`Watched nodes that were marked: ${watched.marked}.`] : []),
      ...((watched.replaced ?? 0) > 0 ? [`Machines of watched shoots that were replaced: ${watched.replaced}.`] : []),
      ...(lostNone > 0 ? [`Unwatched outages in which no Machine was replaced, which show nothing: ${lostNone}.`] : []),
      ...(notBack > 0 ? [`Outages after which something did not come back as it was: ${notBack}.`] : []),
      ...(harmless > 0 ? [`Unwatched outages without a mark, which show nothing: ${harmless}.`] : []),
    ],
  };
}

/** Until the first node would have been marked, or was; negative where that was before the process had ended. */
export function marginOf({ goneAt, markedAt, foretoldAt }: Outage): number | undefined {
  return goneAt === undefined ? undefined : (markedAt ?? foretoldAt) - goneAt;
}

function sumColumn(outages: readonly Outage[]): ColumnSum {
  const sum = (of: (one: Outage) => number) => outages.reduce((total, one) => total + of(one), 0);
  const spread = (of: (one: Outage) => number | undefined) => spreadOf(outages.flatMap((one) => of(one) ?? []));
  const after = (at: (one: Outage) => number | undefined) =>
    spread((one) => {
      const instant = at(one);
      return instant === undefined ? undefined : instant - one.knowableAt;
    });
  return {
    outages: outages.length,
    withMarks: outages.filter(({ marked }) => marked > 0).length,
    allMarked: outages.filter(({ marked, nodes }) => marked === nodes).length,
    marked: sum(({ marked }) => marked),
    nodes: sum(({ nodes }) => nodes),
    replaced: outages.some(({ replaced }) => replaced !== undefined) ? sum(({ replaced = 0 }) => replaced) : undefined,
    withReplaced: outages.filter(({ replaced = 0 }) => replaced > 0).length,
    firstWrite: after(({ firstWriteAt }) => firstWriteAt),
    scaled: after(({ scaledAt }) => scaledAt),
    gone: after(({ goneAt }) => goneAt),
    firstMark: after(({ markedAt }) => markedAt),
    margin: spread(marginOf),
    firstUp: spread(({ firstUpAfter }) => firstUpAfter),
    lastUp: spread(({ lastUpAfter }) => lastUpAfter),
    back: spread(({ backAfter }) => backAfter),
    notBack: outages.filter(({ backAfter }) => backAfter === undefined).length,
    foretelling: spread(({ markedAt, foretoldAt }) => (markedAt === undefined ? undefined : markedAt - foretoldAt)),
    missedRenewals: sum(({ missedRenewals }) => missedRenewals),
  };
}

function spreadOf(lengths: readonly number[]): Spread {
  const sorted = lengths.toSorted((one, other) => one - other);
  const [least, median, worst] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
  return least === undefined || median === undefined || worst === undefined ? undefined : { least, median, worst };
}

/** Why the watched shoots are back later than the others, by the medians of this run; undefined where they are not. In sentences. */
export function whyLater({ watched, unwatched }: Sum, config: ProberConfig): string | undefined {
  const { back, firstUp, lastUp } = watched;
  if (back === undefined || firstUp === undefined || lastUp === undefined) return undefined;
  const without = unwatched.back?.median ?? 0;
  if (back.median <= without) return undefined;
  const delays = upDelays(config);
  const lost = unwatched.replaced === undefined ? '' : ` and ${unwatched.replaced} Machines replaced`;
  const waits = delays.length === 0 ? '' : `; of these, ${delays.join(' and ')}`;
  return [
    `The watched ones are as before ${seconds(back.median)} after the healing, the others ${seconds(without)}: only the watched ones have something to start again.`,
    `Their first dependant was scaled up after ${seconds(firstUp.median)} (the next probe has to see the healing, and a shoot that was scaled down before within ten minutes waits longer each time: 15 s, 30 s, 1 min),`,
    `the last one ${seconds(lastUp.median - firstUp.median)} later (scaleUp goes level by level${waits}),`,
    `and its pod took ${seconds(back.median - lastUp.median)}. What the others pay instead is that their nodes were marked${lost}.`,
  ].join('\n');
}

/** `30 s are the initialDelay of machine-controller-manager`. */
function upDelays({ dependants }: ProberConfig): readonly string[] {
  return dependants
    .filter(({ scaleUp }) => scaleUp.initialDelay > 0)
    .map(({ scaleUp, ref }) => `${scaleUp.initialDelay / 1_000} s are the initialDelay of ${ref.name}`);
}
