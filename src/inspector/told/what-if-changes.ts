import type { ProbeFailureReason } from '../../domain/prober/probe-failure.ts';
import type { ProberConfig } from '../../domain/prober/prober-config.ts';
import type { Millis } from '../../domain/time.ts';

/** What of the configuration can be imagined otherwise. */
export type ImaginedConfig = Pick<
  ProberConfig,
  'nodeLeaseFailureFraction' | 'kcmNodeMonitorGraceDuration' | 'failureThreshold' | 'successThreshold' | 'probeInterval'
>;

/** What is imagined otherwise about one turn. What is absent stays as it was. */
export type Changes = Readonly<{
  /** How old a lease was when it was asked for; null where its `renewTime` cannot be read. */
  allAges?: Millis | null;
  /** The same of single nodes; outranks `allAges`. */
  ages?: ReadonlyMap<string, Millis | null>;
  /** The probe, or the look, was answered, or failed for this reason. */
  answer?: 'answered' | ProbeFailureReason;
  config?: Readonly<Partial<ImaginedConfig>>;
}>;

export function isUnchanged(changes: Changes): boolean {
  return Object.keys(changes).length === 0;
}

/** Why something cannot be imagined, and what to do: one sentence. `field`: of the form. */
export type Refusal = Readonly<{ field: string; sentence: string }>;

/** `because` is a clause, and may have further sentences; it ends without a point. */
export function refusal(field: string, because: string): Refusal {
  return { field, sentence: `${field === 'allAges' ? 'age of all leases' : field}: ${because}.` };
}

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
] as const satisfies readonly ProbeFailureReason[];
