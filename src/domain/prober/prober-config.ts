import type { Dependant } from './dependant.ts';
import type { Millis } from '../time.ts';

/** What the prober works by: the operator's YAML, every default filled in (SPEC 2). Which of the names it has says of which generation it is. */
export type ProberConfig = LeaseConfig | TwoPathConfig;

/** Shoots are judged by the leases of their nodes. */
export type LeaseConfig = EitherConfig &
  Readonly<{ kubeConfigSecretName: string; internalKubeConfigSecretName?: never }>;

/** The older generation: shoots are judged by two paths to their API server (SPEC 2.2, 4.9). */
export type TwoPathConfig = EitherConfig &
  Readonly<{
    kubeConfigSecretName?: never;
    internalKubeConfigSecretName: string;
    externalKubeConfigSecretName: string;
    /** For how long a shoot is left alone once its internal path has failed `failureThreshold` times. */
    internalProbeFailureBackOffDuration: Millis;
  }>;

type EitherConfig = Readonly<{
  probeInterval: Millis;
  initialDelay: Millis;
  probeTimeout: Millis;
  /** 0 to 1; a jittered length is × (1 + chance × factor). */
  backoffJitterFactor: number;
  /** The kube-controller-manager's node-monitor-grace-period, unless the shoot sets its own (SPEC 3.3). */
  kcmNodeMonitorGraceDuration: Millis;
  /** Above 0, at most 1. */
  nodeLeaseFailureFraction: number;
  failureThreshold: number;
  successThreshold: number;
  /** At least one, in the order of the configuration. */
  dependants: readonly Dependant[];
}>;

export function hasTwoPaths(config: ProberConfig): config is TwoPathConfig {
  return config.internalKubeConfigSecretName !== undefined;
}

/** The Secrets whose kubeconfigs are needed, in each shoot's namespace. */
export function secretNames(config: ProberConfig): readonly string[] {
  return hasTwoPaths(config)
    ? [...new Set([config.internalKubeConfigSecretName, config.externalKubeConfigSecretName])]
    : [config.kubeConfigSecretName];
}
