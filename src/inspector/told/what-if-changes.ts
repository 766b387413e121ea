import type { ProbeFailureReason } from '../../domain/prober/probe-failure.ts';
import type { LeaseConfig, TwoPathConfig } from '../../domain/prober/prober-config.ts';
import type { ShootPath } from '../../domain/prober/shoot-path.ts';
import type { Millis } from '../../domain/time.ts';

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
