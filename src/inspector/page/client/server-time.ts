import type { Instant } from '../../../domain/time.ts';

/**
 * What time it is where the machines run, by this browser's clock. The two differ, and a simulated seed's time runs faster: so the rate is
 * measured too.
 */
export type ServerTime = Readonly<{
  serverAt: Instant;
  browserAt: Instant;
  /** Milliseconds there for each one here. */
  rate: number;
  /** The pair from which the rate is measured. */
  from: Readonly<{ serverAt: Instant; browserAt: Instant }>;
}>;

/** What a message says travels some tens of milliseconds: over less time than this, that would be taken for a rate. */
const leastMeasured = 2_000;

/** Nearer to 1 than this, it is 1: a message that came late must not make seconds long. */
const realTime = 0.05;

/** Of a simulated seed; beyond it, this machine or that one slept, and the measuring begins afresh. */
const fastest = 1_000;

/** It was `serverAt` there when it was `browserAt` here. */
export function hearTime(before: ServerTime | null, serverAt: Instant, browserAt: Instant): ServerTime {
  const now = { serverAt, browserAt };
  if (before === null) return { ...now, rate: 1, from: now };
  const passed = browserAt - before.from.browserAt;
  const rate = (serverAt - before.from.serverAt) / passed;
  if (passed < 0 || rate > fastest) return { ...now, rate: 1, from: now };
  if (passed < leastMeasured) return { ...now, rate: before.rate, from: before.from };
  return { ...now, rate: Math.abs(rate - 1) < realTime ? 1 : rate, from: before.from };
}

/** What time it should be there, when it is `browserAt` here. */
export function serverNow({ serverAt, browserAt: heardAt, rate }: ServerTime, browserAt: Instant): Instant {
  return serverAt + Math.max(0, browserAt - heardAt) * rate;
}
