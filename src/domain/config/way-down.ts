import { jittered } from '../jitter.ts';
import { firstMarkAfter, pathPatience, pauseWhileCounting } from '../prober/path-schedule.ts';
import { hasTwoPaths, type ProberConfig, type TwoPathConfig } from '../prober/prober-config.ts';
import type { Millis } from '../time.ts';
import { expiryFraction } from '../prober/verdict.ts';

/** How long the way down to the kube-controller-manager is, by configuration alone, and how long it may be. */
export type WayDown = Readonly<{
  /** Until the first probe that sees the outage. */
  seeing: Millis;
  /** From then on, until it was seen `failureThreshold` times. */
  counting: Millis;
  /** From then on, until the kube-controller-manager's turn has come. */
  waiting: Millis;
  /** When the first node may be marked. With leases all lengths begin when they expire, with two paths when the external one breaks. */
  left: Millis;
}>;

/** Undefined where the kube-controller-manager is no dependant. */
export function wayDown(config: ProberConfig): WayDown | undefined {
  const waiting = waitingFor('kube-controller-manager', config);
  if (waiting === undefined) return undefined;
  return { ...(hasTwoPaths(config) ? worstOfPaths(config) : ofLeases(config)), waiting };
}

/** A probe comes at the crossing itself. */
function ofLeases({ failureThreshold, probeInterval, kcmNodeMonitorGraceDuration: grace }: ProberConfig) {
  return { seeing: 0, counting: (failureThreshold - 1) * probeInterval, left: (1 - expiryFraction) * grace };
}

/** The path breaks just after it answered, chance is at its longest, and each question waits in vain for all of its time (SPEC 4.9). */
export function worstOfPaths(config: TwoPathConfig): Omit<WayDown, 'waiting'> {
  const {
    probeInterval,
    probeTimeout,
    backoffJitterFactor,
    failureThreshold,
    kcmNodeMonitorGraceDuration: grace,
  } = config;
  const patience = pathPatience(probeTimeout, grace);
  const seeing = jittered(probeInterval, backoffJitterFactor, 1);
  const between = Math.max(patience, pauseWhileCounting(probeInterval));
  return {
    seeing,
    counting: (failureThreshold - 1) * between + patience,
    left: Math.max(0, firstMarkAfter(0, 0, grace)),
  };
}

/** The delays of the levels before it, and its own. */
function waitingFor(name: string, { dependants }: ProberConfig): Millis | undefined {
  const own = dependants.find(({ ref }) => ref.name === name)?.scaleDown;
  if (own === undefined) return undefined;
  let waiting = own.initialDelay;
  for (const [level, members] of Map.groupBy(dependants, ({ scaleDown }) => scaleDown.level)) {
    if (level < own.level) waiting += Math.max(...members.map(({ scaleDown }) => scaleDown.initialDelay));
  }
  return waiting;
}
