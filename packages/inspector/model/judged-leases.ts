import { leftOutWords } from 'dependency-watchdog/adapters/record/words/lease-words.ts';
import { lookOf, whyLeftOut } from 'dependency-watchdog/domain/prober/candidates.ts';
import { isExpired } from 'dependency-watchdog/domain/prober/verdict.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { leasePolicy, type ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';
import type { ShootEventOf } from 'dependency-watchdog/machines/shoot-language.ts';

/** A lease as it was judged. `silent`: for how long it was not renewed when it was asked for; null where its renewTime cannot be read. */
export type LeaseAge = Readonly<{ node: string; silent: Millis | null; expired: boolean }>;

/** The leases that a machine remembers, the longest silent first. */
export function leaseAges(context: ShootContext): readonly LeaseAge[] {
  const { seen } = context;
  if (seen === null) return [];
  const { askedAt, leases } = seen;
  const { grace } = leasePolicy(context);
  return leases
    .map((lease) => ({
      node: lease.node,
      silent: lease.renewedAt === null ? null : askedAt - lease.renewedAt,
      expired: isExpired(lease, askedAt, grace),
    }))
    .toSorted((one, other) => (other.silent ?? -Infinity) - (one.silent ?? -Infinity));
}

/** Why the lease of a node does not count, in words; undefined for one that counts. */
export function leftOutWordsOf(
  look: Pick<ShootEventOf<'candidates.answered'>, 'nodes' | 'machines'>,
  context: Pick<ShootContext, 'cluster' | 'config'>,
): (node: string) => string | undefined {
  const whyNot = whyLeftOut(lookOf(look, context));
  return (name) => {
    const why = whyNot(name);
    return why === undefined ? undefined : leftOutWords(why);
  };
}
