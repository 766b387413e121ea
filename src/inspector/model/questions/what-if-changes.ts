import type { ProbeFailureReason } from '../../../domain/prober/probe-failure.ts';
import {
  hasTwoPaths,
  type LeaseConfig,
  type TwoPathConfig,
  type ProberConfig,
} from '../../../domain/prober/prober-config.ts';
import type { ShootPath } from '../../../domain/prober/shoot-path.ts';
import type { Millis } from '../../../domain/time.ts';
import type { ShootContext } from '../../../machines/shoot-context.ts';

/** What of the configuration can be imagined otherwise. The fraction has an effect on leases alone, the back-off on two paths alone. */
export type ImaginedConfig = Pick<
  LeaseConfig,
  'nodeLeaseFailureFraction' | 'kcmNodeMonitorGraceDuration' | 'failureThreshold' | 'successThreshold' | 'probeInterval'
> &
  Pick<TwoPathConfig, 'internalProbeFailureBackOffDuration'>;

type ImaginedAnswer = 'answered' | ProbeFailureReason;

/** What is imagined otherwise about one turn. What is absent stays as it was. */
export type Changes = Readonly<{
  /** How old a lease was when it was asked for; null where its `renewTime` cannot be read. */
  allAges?: Millis | null;
  /** The same of single nodes; outranks `allAges`. */
  ages?: ReadonlyMap<string, Millis | null>;
  /** The probe, or the look, was answered, or failed for this reason. */
  answer?: ImaginedAnswer;
  config?: Readonly<Partial<ImaginedConfig>>;
}> &
  /** One of the two paths of the probe answered, or failed for this reason (SPEC 4.9). */
  Readonly<Partial<Record<ShootPath, ImaginedAnswer>>>;

export function isUnchanged(changes: Changes): boolean {
  return Object.keys(changes).length === 0;
}

/** Why something cannot be imagined, and what to do: one sentence. `field`: of the form. */
export type Refusal = Readonly<{ field: string; sentence: string }>;

/** `because` is a clause, and may have further sentences; it ends without a point. */
export function refusal(field: string, because: string): Refusal {
  return { field, sentence: `${fieldNames[field] ?? field}: ${because}.` };
}

/** As the form calls them; others have the name of their key. */
const fieldNames: Readonly<Record<string, string>> = {
  allAges: 'age of all leases',
  internal: 'internal path',
  external: 'external path',
};

export const failureReasons = [
  'unreachable',
  'timeout',
  'certificate',
  'unauthorized',
  'throttled',
  'refused',
  'garbled',
  'tooLarge',
  'kubeconfig',
  'local',
] as const satisfies readonly ProbeFailureReason[];

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
