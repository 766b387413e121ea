import { jittered } from '../backoff.ts';
import { firstMarkAfter, pathPatience, pauseWhileCounting } from '../prober/shoot-path.ts';
import { hasTwoPaths, type ProberConfig, type TwoPathConfig } from '../prober/prober-config.ts';
import type { Millis } from '../time.ts';
import { expiryFraction } from '../prober/verdict.ts';
import { writeGoDuration as length } from '../go-duration.ts';
import type { ConfigWarning } from './config-remark.ts';

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
function wayDown(config: ProberConfig): WayDown | undefined {
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

/** A kubelet renews its lease every 10 s: a threshold under two renewals takes one lost packet for an outage (SPEC 2). */
const twoRenewals: Millis = 20_000;

/** What is allowed, and yet most likely not what the operator wants. */
export function warningsOf(config: ProberConfig): readonly ConfigWarning[] {
  return [...thresholdWarnings(config), ...onePathWarnings(config), ...latenessWarnings(config)];
}

function thresholdWarnings(config: ProberConfig): ConfigWarning[] {
  const threshold = expiryFraction * config.kcmNodeMonitorGraceDuration;
  if (hasTwoPaths(config) || threshold >= twoRenewals) return [];
  const text =
    `is short: leases would expire at three quarters of it, ${length(threshold)}, but kubelets renew them every ` +
    '10s only, so one lost renewal looks like an outage';
  return [{ path: ['kcmNodeMonitorGraceDuration'], text }];
}

function onePathWarnings(config: ProberConfig): ConfigWarning[] {
  if (!hasTwoPaths(config) || config.internalKubeConfigSecretName !== config.externalKubeConfigSecretName) return [];
  const text = 'is the Secret of the internal path too: the two paths are one, so no outage is ever seen';
  return [{ path: ['externalKubeConfigSecretName'], text }];
}

/** Whether the controller-manager, by configuration alone, is scaled down only after it has begun to mark nodes. */
function latenessWarnings(config: ProberConfig): ConfigWarning[] {
  const way = wayDown(config);
  if (way === undefined) return [];
  const whole = way.seeing + way.counting + way.waiting;
  if (whole <= way.left) return [];
  const { path, text } = longestPart(config, way);
  const late = hasTwoPaths(config) ? latePaths(way, whole) : lateLeases(way, whole);
  return [{ path, text: `${text}: ${late}` }];
}

function lateLeases({ left }: WayDown, whole: Millis): string {
  return (
    `the kube-controller-manager is scaled down ${length(whole)} after the leases have expired, or later, but it begins ` +
    `to mark nodes ${length(left)} after they have expired`
  );
}

function latePaths({ seeing, counting, waiting, left }: WayDown, whole: Millis): string {
  const parts = [`${length(seeing)} to the next probe`, `${length(counting)} to count the failures`];
  const ofWaiting = waiting === 0 ? [] : [`${length(waiting)} of delays`];
  return (
    `the kube-controller-manager may be scaled down ${length(whole)} after the external path broke ` +
    `(${[...parts, ...ofWaiting].join(', ')}), but it may mark nodes from ${length(left)} after the break on`
  );
}

/** The key that has most of it, and what it is. */
function longestPart(config: ProberConfig, { seeing, counting, waiting }: WayDown): ConfigWarning {
  if (counting > waiting && counting >= seeing) return { path: ['failureThreshold'], text: 'comes too late' };
  if (seeing > waiting) return { path: ['probeInterval'], text: 'is too long' };
  const index = config.dependants.findIndex(({ ref }) => ref.name === 'kube-controller-manager');
  return { path: ['dependentResourceInfos', index, 'scaleDown'], text: 'comes too late' };
}
