import { shortName } from '../words/write-words.ts';
import type { Instant } from '../../../domain/time.ts';
import { accountFields } from '../words/lease-words.ts';
import { textOf } from './episode.ts';
import type { ShootOutage } from './shoot-outages.ts';

/** `kube-controller-manager 2 → 0 → 1 (kubectl) → 0 → 2, cluster-autoscaler 1 → 0 → 1`. */
export function scaledWords({ scaled, unnamedWrites }: ShootOutage): string {
  const ways = [...Map.groupBy(scaled, ({ key }) => key)].map(
    ([key, writes]) =>
      `${shortName(key)} ${[writes[0]?.from, ...writes.map(({ to, by }) => (by === undefined ? to : `${to} (${by === '' ? 'somebody else' : by})`))].join(' → ')}`,
  );
  return [...ways, ...(unnamedWrites === 0 ? [] : [`and ${unnamedWrites} writes in between`])].join(', ');
}

/** The same for programs: instants as in the lines, lengths in milliseconds. */
export function outageData(outage: ShootOutage): Readonly<Record<string, unknown>> {
  const { shoot, cutOffAt, leases, decidedAt, downAt, downAgain, firstMarkAt, connectedAt, backAt, endedAt, endedBy } =
    outage;
  const { count, of, ...why } = outage.external ?? {};
  return {
    shoot,
    cutOffAt: textOf(cutOffAt),
    ...leases,
    ...accountFields(outage.witnessed?.account),
    ...(outage.external === null ? {} : { external: { count, of }, ...why }),
    decidedAfterMs: between(cutOffAt, decidedAt),
    scaledDownAfterMs: between(cutOffAt, downAt),
    marginMs: between(downAt, firstMarkAt),
    connectedAt: textOf(connectedAt),
    broughtBackAfterMs: between(connectedAt, backAt),
    endedAt: textOf(endedAt),
    endedBy: endedBy ?? undefined,
    marginAgainMs: downAgain === null ? undefined : downAgain.firstMarkAt - downAgain.at,
    scaled: outage.scaled.map(({ key, from, to, at, by }) => ({
      dependant: key,
      from,
      to,
      at: textOf(at),
      ...(by === undefined ? {} : { by }),
    })),
  };
}

function between(from: Instant | null, to: Instant | null): number | undefined {
  return from === null || to === null ? undefined : to - from;
}
