import { hasTwoPaths, type ProberConfig } from '../../domain/prober/prober-config.ts';
import type { ShootContext } from '../../machines/shoot-context.ts';
import { refusal, type Changes, type ImaginedConfig, type Refusal } from './what-if-changes.ts';

/** Which keys mean something to a shoot of this configuration. */
export function fieldsOf(config: ProberConfig): readonly (keyof ImaginedConfig)[] {
  const own = hasTwoPaths(config) ? 'internalProbeFailureBackOffDuration' : 'nodeLeaseFailureFraction';
  return [own, 'kcmNodeMonitorGraceDuration', 'probeInterval', 'failureThreshold', 'successThreshold'];
}

/** A configuration with other values; a value without effect is refused. */
export function imaginedConfig(config: ProberConfig, { config: changed = {} }: Changes): ProberConfig | Refusal {
  const { nodeLeaseFailureFraction, internalProbeFailureBackOffDuration, ...either } = changed;
  if (hasTwoPaths(config)) {
    if (nodeLeaseFailureFraction !== undefined)
      return refusal(
        'nodeLeaseFailureFraction',
        'this shoot is judged by two paths, and no lease is read. Take it back',
      );
    const backOff = internalProbeFailureBackOffDuration ?? config.internalProbeFailureBackOffDuration;
    return { ...config, ...either, internalProbeFailureBackOffDuration: backOff };
  }
  if (internalProbeFailureBackOffDuration !== undefined)
    return refusal(
      'internalProbeFailureBackOffDuration',
      'this shoot is judged by its leases, and has no internal path. Take it back',
    );
  const fraction = nodeLeaseFailureFraction ?? config.nodeLeaseFailureFraction;
  return { ...config, ...either, nodeLeaseFailureFraction: fraction };
}

/** What the machine remembers, with another configuration. The shoot's own grace outranks the configuration's (SPEC 3.3), so both are changed. */
export function imaginedContext(
  context: ShootContext,
  changes: Changes,
): Readonly<{ context: ShootContext; assumed: readonly string[] }> | Refusal {
  const config = imaginedConfig(context.config, changes);
  if ('field' in config) return config;
  const grace = changes.config?.kcmNodeMonitorGraceDuration;
  const { cluster } = context;
  const changed = { ...context, config };
  if (grace === undefined || cluster?.nodeMonitorGrace === undefined) return { context: changed, assumed: [] };
  const assumed = ['The shoot has a grace of its own, which outranks the configuration: that one is changed.'];
  return { context: { ...changed, cluster: { ...cluster, nodeMonitorGrace: grace } }, assumed };
}
