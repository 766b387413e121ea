import type { Instant, Millis } from '../time.ts';

/** The `Date` of a shoot's answer, in whole seconds, between two instants of our clock: it was written in between. */
export type ServedDate = Readonly<{ date: Instant; sentAt: Instant; receivedAt: Instant }>;

/** The form of RFC 9110 that every server of today writes. `Date.parse` alone reads a year into almost anything. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Undefined where there is no header, or it is no date. */
export function readServedDate(
  header: string | undefined,
  sentAt: Instant,
  receivedAt: Instant,
): ServedDate | undefined {
  const date = header !== undefined && httpDate.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : { date, sentAt, receivedAt };
}

/** A date tells whole seconds only, cut off. */
const resolution: Millis = 1_000;

/** Clocks that are kept by NTP differ by less; and a kubelet's own clock may differ from its API server's by as much. */
const toleratedDifference: Millis = 3_000;

/**
 * By how much the shoot's clock is ahead of ours (below 0: behind), where that is more than is tolerated for sure; else 0
 * (SPEC 5.1). The date's resolution and the time that the request took are in the shoot's favour.
 */
export function clockDifference(served: ServedDate | undefined): Millis {
  if (served === undefined) return 0;
  const least = served.date - served.receivedAt;
  const most = served.date + resolution - served.sentAt;
  return least > toleratedDifference || most + toleratedDifference < 0 ? (least + most) / 2 : 0;
}
