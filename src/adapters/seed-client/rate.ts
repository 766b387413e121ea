/** At most `burst` requests at once, and `qps` per second in the long run. */
export type Rate = 'unlimited' | Readonly<{ qps: number; burst: number }>;

/** client-go's. */
export const defaultRate = { qps: 5, burst: 10 } as const;

/** The rate that the flags mean (SPEC 1.2): 0 is the default, below 0 or infinite is no limit. */
export function rateOf({ qps, burst }: Readonly<{ qps: number; burst: number }>): Rate {
  if (qps < 0 || burst < 0 || !Number.isFinite(qps)) return 'unlimited';
  return { qps: qps === 0 ? defaultRate.qps : qps, burst: burst === 0 ? defaultRate.burst : burst };
}
