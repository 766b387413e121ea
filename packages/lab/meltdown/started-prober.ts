import { setTimeout as pause } from 'node:timers/promises';
import type { RealApiServer } from '../real/api-server.ts';
import { seedUser } from '@dwd/testing/gardener-rbac.ts';
import { StartedRole } from '../real/started-role.ts';
import type { Place } from './place.ts';

/** The prober, with its journal; and journal and log are where the place wants them. */
export function startProber(
  { directory, journalDirectory = directory, logDirectory, configFile }: Place,
  seed: RealApiServer,
): Promise<StartedRole> {
  const more = [`--journal-dir=${journalDirectory}`];
  return StartedRole.start('prober', {
    directory,
    logDirectory,
    configFile,
    kubeconfig: seed.kubeconfig(seedUser),
    more,
  });
}

/** Resolves once so many shoots are in calm and have been probed: each probe of either generation asks twice. */
export async function guards(prober: StartedRole, shoots: number): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    const series = Object.entries(await prober.series());
    const probing = series.filter(
      ([name, value]) => /^dwd_shoot_state\{.*state="probing"/.test(name) && value === 1,
    ).length;
    const answers = series.find(([name]) => name === 'dwd_shoot_api_requests_total{code="200"}')?.[1] ?? 0;
    if (probing >= shoots && answers >= 2 * shoots) return;
    prober.refuseEnd();
    await pause(1_000);
  }
  throw new Error(`the prober did not guard ${shoots} shoots within two minutes`);
}
