import type { Instant, Millis } from '../time.ts';

/** The `Date` of a shoot's answer, in whole seconds, between two instants of our clock: it was written in between. */
export type ServedDate = Readonly<{ date: Instant; sentAt: Instant; receivedAt: Instant }>;

/** The form of RFC 9110 that servers write today. `Date.parse` alone would accept almost any text. */
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

/** A date has whole seconds only; the rest is cut off. */
const resolution: Millis = 1_000;

/** Clocks under NTP differ by less. A kubelet's own clock may differ from its API server's by as much. */
export const toleratedDifference: Millis = 3_000;

/**
 * By how much the shoot's clock is ahead of ours (below 0: behind); 0 unless it is surely more than is tolerated (SPEC 5.1).
 * The date's resolution and the duration of the request count in the shoot's favour.
 */
export function clockDifference(served: ServedDate | undefined): Millis {
  if (served === undefined) return 0;
  const least = served.date - served.receivedAt;
  const most = served.date + resolution - served.sentAt;
  return least > toleratedDifference || most + toleratedDifference < 0 ? (least + most) / 2 : 0;
}
