import type { ShootOutcome, ShootSnapshot } from 'dependency-watchdog/machines/kinds.ts';

/** What is said once, and what says that it is over (5.1, 5.5, 5.6, 5.7). */
const overs = {
  leasesAhead: 'leasesAheadOver',
  leasesNotRenewed: 'leasesNotRenewedOver',
  partialOutage: 'partialOutageOver',
  renewalsLate: 'renewalsLateOver',
} as const;

/** What was said, and is not over. */
export type StillSaid = readonly (keyof typeof overs)[];

type Plain = Pick<ShootSnapshot, 'value' | 'context'>;
type Turn = Readonly<{ before: Plain; after: Plain }> & Pick<ShootOutcome, 'notes'>;

/** What is still said after a turn, and the laws that the turn broke, each in words. */
export function auditSaid(
  stillSaid: StillSaid,
  { before, after, notes }: Turn,
): Readonly<{ still: StillSaid; broken: readonly string[] }> {
  const kinds = new Set<string>(notes.map(({ kind }) => kind));
  const isCutOff = notes.some((note) => note.kind === 'verdict' && note.verdict === 'cutOff');
  const isPaused = after.value.shield === 'idle';
  const all = Object.keys(overs) as StillSaid;
  const isWarning = (kind: StillSaid[number]): boolean => kind === 'partialOutage' || kind === 'renewalsLate';
  // A pause says what became of it, and so do the verdict that a shoot is cut off, and the part that is told. Others may be late then.
  const isSettled = (kind: StillSaid[number]): boolean =>
    (isPaused && isWarning(kind)) || (kind === 'renewalsLate' && (isCutOff || kinds.has('partialOutage')));
  const isOutage = (kind: StillSaid[number]): boolean =>
    kind !== 'leasesAhead' && (isCutOff || (kind === 'leasesNotRenewed' && after.context.flow !== null));
  const { partial } = before.context.said;
  // Another part that goes as well is told.
  const isOfAnother = notes.some(
    (one) =>
      one.kind === 'partialOutage' &&
      !(one.by === partial?.by && one.groups.every((group) => partial.groups.includes(group))),
  );
  return {
    still: all.filter(
      (kind) => kinds.has(kind) || (stillSaid.includes(kind) && !isSettled(kind) && !kinds.has(overs[kind])),
    ),
    broken: all.flatMap((kind) => [
      ...(kinds.has(kind) && stillSaid.includes(kind) && !(isWarning(kind) && isOfAnother)
        ? [`5 said once until it is over: ${kind}`]
        : []),
      ...(kinds.has(overs[kind]) && !stillSaid.includes(kind) ? [`5 over is what was said: ${kind}`] : []),
      ...(kinds.has(kind) && isOutage(kind) ? [`5 nothing is said in an outage: ${kind}`] : []),
    ]),
  };
}
