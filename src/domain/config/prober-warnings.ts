import { writeGoDuration } from '../go-duration.ts';
import type { ProberConfig } from '../prober/prober-config.ts';
import type { Millis } from '../time.ts';
import { expiryFraction } from '../prober/verdict.ts';
import type { ConfigWarning } from './config-remark.ts';

/** A kubelet renews its lease every 10 s: a threshold under two renewals takes one lost packet for an outage (SPEC 2). */
const twoRenewals: Millis = 20_000;

/** What is allowed, and yet most likely not what the operator wants. */
export function warningsOf(config: ProberConfig): readonly ConfigWarning[] {
  return [...thresholdWarnings(config), ...latenessWarnings(config)];
}

function thresholdWarnings({ kcmNodeMonitorGraceDuration: grace }: ProberConfig): ConfigWarning[] {
  const threshold = expiryFraction * grace;
  if (threshold >= twoRenewals) return [];
  const text =
    `is short: leases would expire at three quarters of it, ${writeGoDuration(threshold)}, but kubelets renew them every ` +
    '10s only, so one lost renewal looks like an outage';
  return [{ path: ['kcmNodeMonitorGraceDuration'], text }];
}

/** Whether the controller-manager, by configuration alone, is scaled down only after it has begun to mark nodes. */
function latenessWarnings(config: ProberConfig): ConfigWarning[] {
  const { dependants, failureThreshold, probeInterval, kcmNodeMonitorGraceDuration: grace } = config;
  const index = dependants.findIndex(({ ref }) => ref.name === 'kube-controller-manager');
  const kcm = dependants[index]?.scaleDown;
  if (kcm === undefined) return [];

  const counting = (failureThreshold - 1) * probeInterval;
  const levels = Map.groupBy(dependants, ({ scaleDown }) => scaleDown.level);
  let waiting = kcm.initialDelay;
  for (const [level, members] of levels) {
    if (level < kcm.level) waiting += Math.max(...members.map(({ scaleDown }) => scaleDown.initialDelay));
  }
  const left = (1 - expiryFraction) * grace;
  if (counting + waiting <= left) return [];
  const text =
    `comes too late: the kube-controller-manager is scaled down ${writeGoDuration(counting + waiting)} after the leases have ` +
    `expired, or later, but it begins to mark nodes ${writeGoDuration(left)} after they have expired`;
  return [{ path: counting > waiting ? ['failureThreshold'] : ['dependentResourceInfos', index, 'scaleDown'], text }];
}
