import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { Millis } from '../../src/domain/time.ts';
import { deployment, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { ShootDriver } from '@dwd/testing/shoot-driver.ts';

export const kcm = deployment('kcm', { down: 1, up: 0 });
export const mcm = deployment('mcm', { down: 0, up: 1, upDelay: 30_000 });

/** Gardener's configuration without jitter, for a kube-controller-manager and a machine-controller-manager. */
export const leaseConfig: ProberConfig = { ...gardenerConfig, backoffJitterFactor: 0, dependants: [kcm, mcm] };

/** The same, where the machine-controller-manager's delay on the way up is another one. */
export function delayedBy(upDelay: Millis): ProberConfig {
  return { ...leaseConfig, dependants: [kcm, deployment('mcm', { down: 0, up: 1, upDelay })] };
}

/** A shoot that waits for its first probe; all of it runs. */
export function newShoot(
  config = leaseConfig,
  options: Readonly<{ chance?: number; followed?: boolean }> = {},
): ShootDriver {
  const driver = new ShootDriver(config, options).allWell();
  driver.cluster();
  return driver;
}

/** It rests after a first probe that was asked and answered in one instant. */
export function probedShoot(config = leaseConfig): ShootDriver {
  const driver = newShoot(config);
  driver.wholeProbe('connected');
  return driver;
}

/** Takes down what a cut-off shoot has begun to take down, level by level. */
export function takeDown(driver: ShootDriver): ShootDriver {
  for (const one of [mcm, kcm]) {
    driver.written(one);
    driver.follows(one);
  }
  return driver;
}
