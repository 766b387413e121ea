import type * as z from 'zod';
import type { writtenProberConfig } from '../config/written-prober-config.ts';
import type { Dependant } from './dependant.ts';

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
  }> &
  Pick<Written, 'internalProbeFailureBackOffDuration'>;

/** Each key as its schema says what it is, with durations as `Millis`. */
type Written = Readonly<z.output<typeof writtenProberConfig>>;

type EitherConfig = Omit<
  Written,
  | 'kubeConfigSecretName'
  | 'internalKubeConfigSecretName'
  | 'externalKubeConfigSecretName'
  | 'internalProbeFailureBackOffDuration'
  | 'dependentResourceInfos'
  | 'name'
  | 'namespace'
> &
  Readonly<{
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
