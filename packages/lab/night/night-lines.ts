import type { Judged } from './facts.ts';
import { whyMarked, type LawSum } from './laws.ts';
import type { Night } from './play-night.ts';

const counted = (names: readonly string[]): readonly string[] =>
  [...Map.groupBy(names, (name) => name)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, all]) => `${String(all.length).padStart(5)}  ${name}`);

const seconds = (millis: number): string => `${(millis / 1_000).toFixed(1)} s`;

/** What struck, what each law came to, what was broken. */
export function nightLines(
  { facts, leftOut, backAfter }: Night,
  judged: Judged,
  sums: readonly LawSum[],
): readonly string[] {
  const zeros = facts.written.filter(
    ({ by, replicas, name }) => by !== undefined && replicas === 0 && name === 'kube-controller-manager',
  );
  const why = facts.marked.map((mark) => whyMarked(facts, judged, mark) ?? 'nothing explains it');
  return [
    'struck',
    ...counted(facts.struck.map(({ kind }) => kind)),
    ...(leftOut.length === 0 ? [] : ['left out, for what they met', ...counted(leftOut)]),
    '',
    `kube-controller-managers scaled to 0: ${zeros.length} times; nodes marked: ${facts.marked.length}`,
    ...counted(why.map((reason) => `marked while or after: ${reason}`)),
    backAfter === undefined
      ? 'not all came back'
      : `all was as it should be ${seconds(backAfter)} after the last trouble`,
    '',
    'law                                              judged   open  broken',
    ...sums.map(
      ({ law, asked, open, broken }) =>
        `${law.padEnd(48)} ${String(asked - open).padStart(6)} ${String(open).padStart(6)} ${String(broken.length).padStart(7)}`,
    ),
    ...sums.flatMap(({ law, broken }) => broken.slice(0, 10).map((one) => `BROKEN ${law}: ${one}`)),
  ];
}
