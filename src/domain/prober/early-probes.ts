import type { Instant, Millis } from '../time.ts';

/**
 * How many early probes a shoot may still have (SPEC 4.6). Its owner decides what the leases say: without a budget, leases
 * that are always about to cross the threshold would cause four probes a second.
 */
export type EarlyBudget = Readonly<{
  left: number;
  filledAt: Instant;
  /** It ran out, and has not been full since. */
  spent: boolean;
}>;

/** Two probes of one shoot are never nearer than this, so that leases expiring one by one do not become a hail of probes. */
const leastPause: Millis = 250;

/** An honest outage is decided by the first or second of them; leases that expire one by one take some more. */
const atOnce = 10;

/** A healthy shoot with Gardener's interval of 30 s takes three a minute. */
const refillEvery: Millis = 5_000;

/** Once the budget is used up. An honest outage is then decided late by this much at worst. */
const pauseWhenSpent: Millis = 2_000;

export const fullBudget: EarlyBudget = { left: atOnce, filledAt: 0, spent: false };

/** Takes one early probe out of the budget, and says when it may come. `askedAt`: of the probe before it. */
export function takeEarly(
  budget: EarlyBudget,
  { at, wanted, askedAt }: Readonly<{ at: Instant; wanted: Instant; askedAt: Instant }>,
): Readonly<{ probeAt: Instant; budget: EarlyBudget }> {
  const filled = Math.min(atOnce, budget.left + Math.max(0, at - budget.filledAt) / refillEvery);
  const spent = budget.spent && filled < atOnce;
  if (filled >= 1)
    return { probeAt: Math.max(wanted, askedAt + leastPause), budget: { left: filled - 1, filledAt: at, spent } };
  return { probeAt: Math.max(wanted, askedAt + pauseWhenSpent), budget: { left: filled, filledAt: at, spent: true } };
}
