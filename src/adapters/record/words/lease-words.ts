import type { LeftOut } from '../../../domain/prober/candidates.ts';
import type { FirstOf, LeaseAccount, OddLeases, SilentNode } from '../../../domain/prober/odd-leases.ts';
import type { PartialOutage } from '../../../domain/prober/partial-outage.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Unjudged } from '../../../machines/shoot-language.ts';
import { seconds, wordsBy } from '../../words/plain-words.ts';

/** How many names a sentence holds. The fields beside it have ten of each. */
const mostInSentence = 3;

/** `node-a silent for 31.2 s, node-b for 30.8 s and 3 more`; empty where there is none. */
export function silentWords(expired: FirstOf<SilentNode>): string {
  return listed(expired, ({ node, silent }, index) => `${node} ${index === 0 ? 'silent ' : ''}for ${seconds(silent)}`);
}

/** ` (node-a silent for 31.2 s); left out: node-b (Machine Terminating); without a lease: node-c`, to stand behind the count of leases. */
export function accountWords({ expired, leftOut, withoutLease }: LeaseAccount): string {
  return [
    expired.count === 0 ? '' : ` (${silentWords(expired)})`,
    leftOut === undefined || leftOut.count === 0
      ? ''
      : `; left out: ${listed(leftOut, (one) => `${one.node} (${leftOutWords(one)})`)}`,
    withoutLease === undefined || withoutLease.count === 0
      ? ''
      : `; without a lease: ${listed(withoutLease, (node) => node)}`,
  ].join('');
}

/** Which leases speak for a verdict: the first ten of each, and how many there are of those that no other field counts (SPEC 9.4). */
export function accountFields(account: LeaseAccount | undefined): Readonly<Record<string, unknown>> {
  if (account === undefined) return {};
  const { expired, leftOut, withoutLease } = account;
  return {
    ...(expired.count === 0
      ? {}
      : { expiredLeases: expired.first.map(({ node, silent }) => ({ node, silentMs: silent })) }),
    ...(leftOut === undefined || leftOut.count === 0
      ? {}
      : {
          leftOut: leftOut.first.map(({ node, ...why }) => ({ node, why: leftOutWords(why) })),
          leftOutCount: leftOut.count,
        }),
    ...(withoutLease === undefined || withoutLease.count === 0
      ? {}
      : { withoutLease: withoutLease.first, withoutLeaseCount: withoutLease.count }),
  };
}

/** `zone eu-1b is cut off`. */
export function partWords({ by, groups }: Pick<PartialOutage, 'by' | 'groups'>): string {
  return groups.length === 1 ? `${by} ${groups[0]} is cut off` : `${by}s ${groups.join(', ')} are cut off`;
}

/** `zone eu-1b is cut off: 4 of its 4 leases are expired, and the other nodes renew. The first node may be marked in 9.8 s; nothing is scaled down for a part`. */
export function partialOutageWords(outage: PartialOutage, at: Instant): string {
  const { groups, expired, nodes, firstMarkAt } = outage;
  const their = groups.length === 1 ? 'its' : 'their';
  const left = firstMarkAt - at;
  const marked = left > 0 ? `may be marked in ${seconds(left)}` : `may have been marked ${seconds(-left)} ago`;
  return `${partWords(outage)}: ${expired} of ${their} ${nodes} leases are expired, and the other nodes renew. The first node ${marked}; nothing is scaled down for a part`;
}

/** `node-a by 62.0 s, node-b by 4.0 s and 3 more`. */
export function oddWords({ count, worst }: OddLeases, how: 'by' | 'for'): string {
  const named = worst.map(({ node, by }) => `${node} ${how} ${seconds(by)}`).join(', ');
  return count > worst.length ? `${named} and ${count - worst.length} more` : named;
}

/** Why a node is left out, in a few words. */
export const leftOutWords = wordsBy<'because', LeftOut>('because', {
  noNode: () => 'no such node',
  unmanaged: () => 'not managed by the machine-controller-manager',
  inPlaceUpdate: () => 'updated in place',
  noMachine: () => 'no Machine',
  leaving: ({ of = '' }) => `Machine ${of}`,
  unhealthy: ({ of = '' }) => of,
  noRenewTime: () => 'no readable renewTime',
});

/** `of its 20 nodes none has a lease that counts (18 not managed by the machine-controller-manager, 2 without a lease)`. */
export function unjudgedWords({ nodes, leases, untold }: Unjudged): string {
  const have = leases === 0 ? 'none has a lease' : `${leases} have a lease`;
  const why = untold.map((one) => `${one.nodes} ${untoldWords[one.because]}`).join(', ');
  return `of its ${nodes} nodes ${have} that counts${why === '' ? '' : ` (${why})`}`;
}

/** The same of several nodes. */
const untoldWords: Readonly<Record<Unjudged['untold'][number]['because'], string>> = {
  noLease: 'without a lease',
  leaving: 'whose Machine is leaving',
  unhealthy: 'unhealthy',
  noMachine: 'without a Machine',
  noRenewTime: 'whose lease has no readable renewTime',
  noNode: leftOutWords({ because: 'noNode' }),
  unmanaged: leftOutWords({ because: 'unmanaged' }),
  inPlaceUpdate: leftOutWords({ because: 'inPlaceUpdate' }),
};

function listed<One>({ count, first }: FirstOf<One>, words: (one: One, index: number) => string): string {
  const named = first.slice(0, mostInSentence);
  const rest = count - named.length;
  return `${named.map(words).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
