import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seedUser } from '../real/gardener-rbac.ts';
import { freePort } from '../real/free-port.ts';
import { end, saidLast, start } from '../real/processes.ts';
import type { RealApiServer } from '../real/api-server.ts';
import type { Place } from './place.ts';

/** The program as Gardener starts it, journal and log beside the others'. */
export async function startProber(
  { directory, journalDirectory = directory, logDirectory = directory, configFile }: Place,
  seed: RealApiServer,
) {
  const kubeconfig = join(directory, 'prober.kubeconfig');
  writeFileSync(kubeconfig, seed.kubeconfig(seedUser));
  const metricsPort = await freePort();
  const child = start(logDirectory, 'prober', process.execPath, [
    join(import.meta.dirname, '../../src/main.ts'),
    'prober',
    `--config-file=${configFile}`,
    `--kubeconfig=${kubeconfig}`,
    '--kube-api-qps=20.0',
    '--kube-api-burst=100',
    '--zap-log-level=INFO',
    '--enable-leader-election=true',
    `--metrics-bind-addr=127.0.0.1:${metricsPort}`,
    `--health-bind-addr=127.0.0.1:${await freePort()}`,
    '--inspector-bind-addr=0',
    `--journal-dir=${journalDirectory}`,
  ]);
  return {
    /** Resolves once so many shoots are in calm and have been probed: each probe of either generation asks twice. */
    async guards(shoots: number): Promise<void> {
      for (let tries = 0; tries < 120; tries++) {
        const text = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(
          (answer) => answer.text(),
          () => '',
        );
        const probing = [...text.matchAll(/^dwd_shoot_state\{.*state="probing".*\} 1$/gm)].length;
        const answers = Number(/^dwd_shoot_api_requests_total\{code="200"\} (\d+)$/m.exec(text)?.[1] ?? 0);
        if (probing >= shoots && answers >= 2 * shoots) return;
        if (child.exitCode !== null)
          throw new Error(
            `the prober has ended with code ${child.exitCode}; it said last:\n${saidLast(logDirectory, 'prober')}`,
          );
        await pause(1_000);
      }
      throw new Error(`the prober did not guard ${shoots} shoots within two minutes`);
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}
