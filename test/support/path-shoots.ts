import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { PathVerdictNote } from '../../src/machines/shoot-language.ts';
import { kcm, mcm, newShoot, takeDown } from './lease-shoots.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import type { ShootDriver } from '@dwd/testing/shoot-driver.ts';

/** The older generation's defaults, without jitter, for a kube-controller-manager and a machine-controller-manager. */
export const pathConfig: ProberConfig = {
  ...twoPathConfig,
  backoffJitterFactor: 0,
  dependants: [kcm, mcm],
};

/** A shoot whose paths both answered, so that they are asked at once from then on. */
export function pathShoot(config = pathConfig): ShootDriver {
  const driver = newShoot(config);
  driver.wholePaths('connected');
  return driver;
}

/** A shoot whose external path has failed so often in a row that its first write down is under way. */
export function goingDown(config = pathConfig): ShootDriver {
  const driver = pathShoot(config);
  for (let count = 0; count < config.failureThreshold; count++) driver.wholePaths('cutOff');
  return driver;
}

/** All of it is down. */
export function downShoot(config = pathConfig): ShootDriver {
  return takeDown(goingDown(config));
}

/** What the last turn told of the external path; undefined where it gave no verdict. */
export function verdictOf({ outcome }: ShootDriver): PathVerdictNote | undefined {
  return outcome.notes.find((note): note is PathVerdictNote => note.kind === 'verdict' && note.external !== undefined);
}
