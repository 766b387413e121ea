import type { Instant } from 'dependency-watchdog/domain/time.ts';

/**
 * What time it is where the machines run, by this browser's clock. The two differ, and a simulated seed's time runs faster: so the rate is
 * measured too.
 */
export type ServerTime = Reading & Readonly<{ rate: number; from: Reading | null }>;

/** It was `serverAt` there when it was `browserAt` here. `rate`: milliseconds there for each one here, measured since `from`. */
type Reading = Readonly<{ serverAt: Instant; browserAt: Instant }>;

/** A word travels some tens of milliseconds: over less time than this, that would be taken for a rate. */
const leastMeasured = 2_000;

/** Nearer to 1 than this, it is 1: a message that came late must not make seconds long. */
const realTime = 0.05;

/** Of a simulated seed; beyond it, this machine or that one slept, and the measuring starts over. */
const fastest = 1_000;

/** What a stream begins with may have been put into words some seconds ago, for another reader. */
const staleAtMost = 60_000;

/** Hears what time it is there. */
export function hearTime(before: ServerTime | null, now: Reading): ServerTime {
  if (before?.from == null) return { ...now, rate: 1, from: now };
  const passed = now.browserAt - before.from.browserAt;
  const rate = (now.serverAt - before.from.serverAt) / passed;
  if (passed < 0 || rate < 0 || rate > fastest) return { ...now, rate: 1, from: now };
  if (passed < leastMeasured) return { ...now, rate: before.rate, from: before.from };
  return { ...now, rate: Math.abs(rate - 1) < realTime ? 1 : rate, from: before.from };
}

/** Hears what time it was when somebody put a stream's beginning into words: the best there is until the next word, and nothing to measure by. */
export function hearBeginning(before: ServerTime | null, begun: Reading): ServerTime {
  if (before !== null) {
    const behind = serverNow(before, begun.browserAt) - begun.serverAt;
    if (behind >= 0 && behind < staleAtMost) return before;
  }
  return { ...begun, rate: 1, from: null };
}

/** What time it should be there, when it is `browserAt` here. */
export function serverNow({ serverAt, browserAt: heardAt, rate }: ServerTime, browserAt: Instant): Instant {
  return serverAt + Math.max(0, browserAt - heardAt) * rate;
}
