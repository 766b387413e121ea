import { accountWords } from '../words/lease-words.ts';
import { failedWords } from '../words/path-words.ts';
import { instantText, seconds } from '../words/plain-words.ts';
import { shortName } from '../words/shoot-words.ts';
import type { Instant } from '../../domain/time.ts';
import { accountFields } from '../turns/lease-accounts.ts';
import { firstLine, textOf } from './episode.ts';
import type { ShootOutage } from './shoot-outages.ts';

/** An outage in a few lines, for the summary of a replay. */
export function outageLines(outage: ShootOutage): readonly string[] {
  const { shoot, cutOffAt, healedAt, backAt, endedAt, endedBy } = outage;
  const scaled = scaledWords(outage);
  return [
    cutOffAt === null
      ? `${shoot}, cut off before this journal begins`
      : `${shoot}, cut off at ${instantText(cutOffAt)}${causeWords(outage)}`,
    `  ${downWords(outage)}`,
    ...(scaled === '' ? [] : [`  replicas: ${scaled}`]),
    ...(healedAt === null ? [] : [`  found healed at ${instantText(healedAt)}; ${backWords(outage)}`]),
    ...(endedBy === null || endedAt === null ? [] : [`  it ended at ${instantText(endedAt)}: ${endedBy}`]),
    ...(endedAt === null ? [`  it still goes on at the end of the journal`] : []),
  ];

  function backWords({ decidedAt }: ShootOutage): string {
    if (backAt !== null) return `everything was back ${seconds(backAt - (healedAt ?? backAt))} later`;
    return decidedAt === null && scaled === '' ? 'nothing had to be scaled up' : 'not everything was back by then';
  }
}

/** What it was decided by: `: 3 of 5 leases expired (…)`, `: the external path failed 3 times in a row (…)`. */
function causeWords({ leases, external, witnessed }: ShootOutage): string {
  if (external !== null) {
    const why = external.detail ?? external.reason;
    return `: the external path ${failedWords(external)}${why === undefined ? '' : ` (${firstLine(why)})`}`;
  }
  const named = witnessed === undefined ? '' : accountWords(witnessed.account);
  return leases === null ? '' : `: ${leases.expired} of ${leases.candidates} leases expired${named}`;
}

function downWords({ cutOffAt, external, decidedAt, downAt, firstMarkAt, healedAt }: ShootOutage): string {
  if (cutOffAt === null) return 'how it was scaled down is not in this journal';
  const decided = decidedAt === null ? undefined : `scale-down decided ${seconds(decidedAt - cutOffAt)} after that`;
  if (downAt === null || firstMarkAt === null)
    return decided === undefined
      ? `nothing was scaled down${healedAt === null ? ' yet' : ''}`
      : `${decided}; not everything is known to have come down`;
  const margin = firstMarkAt - downAt;
  // Of two paths only the earliest instant of a mark is known.
  const early = `before the first node ${external === null ? 'would' : 'could'} be`;
  const before = `${seconds(Math.abs(margin))} ${margin < 0 ? 'after the first node may have been' : early} marked`;
  return `${decided === undefined ? '' : `${decided}; `}everything down after ${seconds(downAt - cutOffAt)}, ${before}`;
}

/** `kube-controller-manager 2 → 0 → 2, cluster-autoscaler 1 → 0 → 1`. */
export function scaledWords({ scaled, unnamedWrites }: ShootOutage): string {
  const ways = [...Map.groupBy(scaled, ({ key }) => key)].map(
    ([key, writes]) => `${shortName(key)} ${[writes[0]?.from, ...writes.map(({ to }) => to)].join(' → ')}`,
  );
  return [...ways, ...(unnamedWrites === 0 ? [] : [`and ${unnamedWrites} writes in between`])].join(', ');
}

/** The same for programs: instants as in the lines, lengths in milliseconds. */
export function outageData(outage: ShootOutage): Readonly<Record<string, unknown>> {
  const { shoot, cutOffAt, leases, decidedAt, downAt, firstMarkAt, healedAt, backAt, endedAt, endedBy } = outage;
  const { count, of, ...why } = outage.external ?? {};
  return {
    shoot,
    cutOffAt: textOf(cutOffAt),
    ...leases,
    ...accountFields(outage.witnessed?.account),
    ...(outage.external === null ? {} : { external: { count, of }, ...why }),
    decidedAfterMs: between(cutOffAt, decidedAt),
    downAfterMs: between(cutOffAt, downAt),
    marginMs: between(downAt, firstMarkAt),
    healedAt: textOf(healedAt),
    backAfterMs: between(healedAt, backAt),
    endedAt: textOf(endedAt),
    endedBy: endedBy ?? undefined,
    scaled: outage.scaled.map(({ key, from, to, at }) => ({ dependant: key, from, to, at: textOf(at) })),
  };
}

function between(from: Instant | null, to: Instant | null): number | undefined {
  return from === null || to === null ? undefined : to - from;
}
