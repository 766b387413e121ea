import { worstOfPaths } from '../domain/config/prober-warnings.ts';
import { writeGoDuration as length } from '../domain/go-duration.ts';
import { pathPatience, pauseWhileCounting } from '../domain/prober/shoot-path.ts';
import { firstBackoff } from '../domain/prober/probe-schedule.ts';
import type { LeaseConfig, TwoPathConfig } from '../domain/prober/prober-config.ts';
import { expiryFraction } from '../domain/prober/verdict.ts';
import { wrap } from './command.ts';

/** How shoots are probed and judged by their leases, as paragraphs for a terminal. */
export function leaseProbing(config: LeaseConfig): string[] {
  const grace = config.kcmNodeMonitorGraceDuration;
  const lengthened = 1 + config.backoffJitterFactor;
  const sentences = [
    `A shoot is probed every ${upTo(config.probeInterval, lengthened)}, and earlier when its leases may be about to ` +
      `expire. A whole probe may take ${length(config.probeTimeout)}.`,
    `A lease counts as expired ${length(expiryFraction * grace)} after its last renewal: three quarters of the ` +
      `${length(grace)} after which the kube-controller-manager marks a node. A shoot may set another time than these ` +
      `${length(grace)}.`,
    `When ${percent(config.nodeLeaseFailureFraction)} of a shoot's leases are expired, or more, it is cut off, and scaled down ` +
      `with ${verdicts(config.failureThreshold)}. When fewer are, it is connected, and scaled up with ` +
      `${verdicts(config.successThreshold)}.`,
  ];
  return sentences.flatMap((text) => wrap(text, 2));
}

/** The same for two paths (SPEC 4.9). */
export function pathProbing(config: TwoPathConfig): string[] {
  const { probeInterval, kcmNodeMonitorGraceDuration: grace, failureThreshold, successThreshold } = config;
  const alone = length(config.internalProbeFailureBackOffDuration);
  const { seeing, counting, left } = worstOfPaths(config);
  const sentences = [
    `A shoot is probed every ${upTo(probeInterval, 1 + config.backoffJitterFactor)} on two paths: the internal one straight to ` +
      'its API server, and the external one through the load balancer, as its kubelets go.',
    `Both have ${patience(config)}. A shoot may set another time than these ${length(grace)}. 401, 403 and 429 are answers, ` +
      'since the API server was reached.',
    'When the internal path answers and the external one does not, the shoot is cut off, and scaled down with ' +
      `${verdicts(failureThreshold)}${whileCounting(config)}. When both answer, it is connected, and scaled up with ` +
      `${verdicts(successThreshold)}.`,
    'When the internal path does not answer, nothing new is scaled, and the external one counts for nothing. ' +
      `${beforeAlone(config)}With ${inARow(failureThreshold)} the shoot is left alone for ${alone}, and so after each ` +
      'further one, until it answers.',
    `While its internal path answers quickly, a shoot is found to be cut off no later than ${length(seeing + counting)} after its ` +
      'external path broke. The ' +
      `kube-controller-manager marks no node earlier than ${length(left)} after that path broke.`,
  ];
  return sentences.flatMap((text) => wrap(text, 2));
}

function patience({ probeTimeout, kcmNodeMonitorGraceDuration: grace }: TwoPathConfig): string {
  const given = pathPatience(probeTimeout, grace);
  const marked = `the ${length(grace)} after which the kube-controller-manager marks a node`;
  if (given < probeTimeout) return `${length(given)} to answer: an eighth of ${marked}, since probeTimeout is longer`;
  return `${length(given)} to answer, which is probeTimeout, and no more than an eighth of ${marked}`;
}

function whileCounting({ failureThreshold, probeInterval }: TwoPathConfig): string {
  const pause = pauseWhileCounting(probeInterval);
  if (failureThreshold === 1 || pause >= probeInterval) return '';
  return `, which are counted by a probe every ${length(pause)}`;
}

/** Empty where the shoot is left alone from the first failure on, for no less than the back-off of 4.4 can be. */
function beforeAlone({ failureThreshold, probeInterval, internalProbeFailureBackOffDuration }: TwoPathConfig): string {
  if (failureThreshold === 1 && internalProbeFailureBackOffDuration >= Math.max(probeInterval, firstBackoff)) return '';
  return `The next probe comes ${backOff(probeInterval)}. `;
}

function backOff(interval: number): string {
  if (interval <= firstBackoff) return `after ${length(interval)}`;
  return `after ${length(firstBackoff)}, and after twice as long with each failure, up to ${length(interval)}`;
}

/** `30s to 36s`: a length as it is written, and as chance may lengthen it. */
export function upTo(ms: number, factor: number): string {
  const longest = length(Math.round(ms * factor));
  return longest === length(ms) ? longest : `${length(ms)} to ${longest}`;
}

function verdicts(count: number): string {
  return count === 1 ? 'the first such verdict' : `${count} such verdicts in a row`;
}

function inARow(count: number): string {
  return count === 1 ? 'the first such failure' : `${count} such failures in a row`;
}

function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(4))}%`;
}
