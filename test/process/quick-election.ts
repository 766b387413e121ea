import type { Millis } from '../../src/domain/time.ts';
import type { SeedStage } from './seed-stage.ts';

/** Long enough for a process that gets no CPU for seconds, short enough to wait for. */
export const leaseDuration: Millis = 10_000;
export const renewDeadline: Millis = 8_000;

/** For tests in which a lead runs out; all others take Gardener's times, which no busy machine comes near. */
export const electionFlags: readonly string[] = [
  '--enable-leader-election',
  `--leader-elect-lease-duration=${leaseDuration}ms`,
  `--leader-elect-renew-deadline=${renewDeadline}ms`,
  '--leader-elect-retry-period=500ms',
];

/** What somebody asked of the Lease, beginning with the `from`th request to the seed, until it wrote its name there. */
export function triesToLead({ asked }: SeedStage, user: string, from: number): readonly string[] {
  const own = asked.slice(from).filter((one) => one.user === user && one.resource === 'leases' && one.verb !== 'watch');
  const verbs = own.map(({ verb }) => verb);
  return verbs.slice(0, verbs.indexOf('update') + 1);
}
