import { dependantKey, type Dependant } from 'dependency-watchdog/domain/prober/dependant.ts';
import { readProberConfig } from 'dependency-watchdog/domain/config/read-prober-config.ts';
import type { LeaseConfig, ProberConfig, TwoPathConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { parse } from 'yaml';

type Levels = Readonly<{ down: number; up: number; upDelay?: number; downDelay?: number; optional?: boolean }>;

export function deployment(name: string, levels: Levels): Dependant {
  return dependant('apps/v1', 'Deployment', name, levels);
}

export function dependant(apiVersion: string, kind: string, name: string, levels: Levels): Dependant {
  const ref = { apiVersion, kind, name };
  return {
    key: dependantKey(ref),
    ref,
    optional: levels.optional ?? false,
    scaleUp: { level: levels.up, initialDelay: levels.upDelay ?? 0, timeout: 30_000 },
    scaleDown: { level: levels.down, initialDelay: levels.downDelay ?? 0, timeout: 30_000 },
  };
}

export const controllerManager = deployment('kube-controller-manager', { down: 1, up: 0 });
export const machineController = deployment('machine-controller-manager', { down: 0, up: 1, upDelay: 30_000 });
export const autoscaler = deployment('cluster-autoscaler', { down: 0, up: 2, optional: true });
export const widget = dependant('example.org/v1', 'Widget', 'thing', { down: 1, up: 1 });

/** As Gardener configures it (30 s interval, 30 s delay on the way up, 40 s grace). */
export const gardenerConfig: LeaseConfig = {
  kubeConfigSecretName: 'shoot-access-dependency-watchdog-probe',
  probeInterval: 30_000,
  initialDelay: 30_000,
  probeTimeout: 30_000,
  backoffJitterFactor: 0.2,
  kcmNodeMonitorGraceDuration: 40_000,
  nodeLeaseFailureFraction: 0.6,
  failureThreshold: 1,
  successThreshold: 1,
  dependants: [controllerManager, machineController, autoscaler],
};

const { kubeConfigSecretName: _newer, ...either } = gardenerConfig;

/** The older generation's, with its defaults (SPEC 2.2). */
export const twoPathConfig: TwoPathConfig = {
  ...either,
  internalKubeConfigSecretName: 'dwd-internal-probe',
  externalKubeConfigSecretName: 'dwd-external-probe',
  internalProbeFailureBackOffDuration: 30_000,
  probeInterval: 10_000,
  failureThreshold: 3,
};

/** What the prober makes of a file with this text. */
export function configOf(text: string): ProberConfig {
  const reading = readProberConfig(parse(text));
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.config;
}
