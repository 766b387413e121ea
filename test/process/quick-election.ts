import type { Millis } from '../../src/domain/time.ts';

/** Long enough for a process that gets no CPU for a while, short enough to wait for. */
export const leaseDuration: Millis = 4_000;
export const renewDeadline: Millis = 3_000;

export const electionFlags: readonly string[] = [
  '--enable-leader-election',
  `--leader-elect-lease-duration=${leaseDuration}ms`,
  `--leader-elect-renew-deadline=${renewDeadline}ms`,
  '--leader-elect-retry-period=500ms',
];
