import type { Dependant } from './dependant.ts';
import type { Millis } from '../time.ts';

/** What the prober works by: the operator's YAML, every default filled in (SPEC 2). */
export type ProberConfig = Readonly<{
  kubeConfigSecretName: string;
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
