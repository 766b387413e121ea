/**
 * Vitest runs this once before all scenarios, and its answer after them: it picks a provider, brings its clusters up,
 * makes seed and shoots of them, and runs a prober of each generation and a weeder as Gardener does, for all scenarios together.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isRemovedAfterUs } from '@dwd/lab/real/clearing-up.ts';
import { seedNode } from '@dwd/lab/real/played-pods.ts';
import { StartedRole } from '@dwd/lab/real/started-role.ts';
import { chooseProvider } from './choose-provider.ts';
import { Cluster } from '@dwd/lab/test/support/cluster.ts';
import { furnishShoot } from '@dwd/lab/real/gardener-servers.ts';
import { expectControllers, furnishCluster, refuseOthersSeed } from './furnish.ts';
import { bearerKubeconfig } from './kubeconfig.ts';
import { StagedNodes } from '@dwd/lab/test/support/staged-nodes.ts';
import type { ProgramName, KindStage } from './stage.ts';
import { sweep } from './sweep.ts';
import { until } from '@dwd/lab/test/support/until.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { provider, because } = chooseProvider();
  say(`test:kind plays on the provider ${provider.name}: ${because}`);
  const directory = mkdtempSync(join(tmpdir(), 'dwd-kind-'));
  isRemovedAfterUs(directory);
  const endings: (() => Promise<void>)[] = [() => provider.stop()];
  const endAll = async () => {
    const failures: unknown[] = [];
    for (const ending of endings.toReversed()) await ending().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
  };
  try {
    const clusters = await provider.start(directory, say);
    say(`${clusters.account}; logs in ${directory} until the end`);
    const seed = await Cluster.by(clusters.seed);
    const shoots = await Promise.all(clusters.shoots.map((file) => Cluster.by(file)));
    await refuseOthersSeed(seed);
    // The clusters of the other providers end with them.
    if (provider.name === 'kubeconfig') endings.push(() => sweep(seed));
    await furnishCluster(seed);
    if (clusters.runsControllers) await expectControllers(seed);
    const probeTokens: string[] = [];
    for (const shoot of shoots) {
      await furnishShoot(shoot);
      probeTokens.push(await shoot.tokenOf('kube-system', 'dependency-watchdog-probe'));
    }
    const host = await StagedNodes.join(seed.operator, [seedNode]);
    endings.push(() => host.leave());

    const programs = {
      prober: await startProgram('prober', directory, seed),
      // Each prober leaves the other one's shoots alone, which lack its Secrets. It is not elected: they would wait for each other.
      olderProber: await startProgram('olderProber', directory, seed, false),
      weeder: await startProgram('weeder', directory, seed),
    };
    endings.push(async () => {
      for (const [name, program] of Object.entries(programs)) await endGracefully(name, program);
    });
    const stage: KindStage = {
      ...clusters,
      provider: provider.name,
      probeTokens,
      programs: {
        prober: outputsOf(programs.prober),
        olderProber: outputsOf(programs.olderProber),
        weeder: outputsOf(programs.weeder),
      },
    };
    project.provide('stage', stage);
  } catch (error) {
    await endAll();
    throw error;
  }
  return endAll;
}

function outputsOf({ log, metricsPort }: StartedRole): KindStage['programs'][ProgramName] {
  return { log, metricsPort };
}

const configFiles: Readonly<Record<ProgramName, string>> = {
  prober: 'prober.yaml',
  olderProber: 'older-prober.yaml',
  weeder: 'weeder.yaml',
};

/** With a kubeconfig instead of the account's mounted token. */
async function startProgram(name: ProgramName, directory: string, seed: Cluster, elected = true): Promise<StartedRole> {
  const role = name === 'weeder' ? 'weeder' : 'prober';
  const token = await seed.tokenOf('garden', `dependency-watchdog-${role}`);
  const kubeconfig = bearerKubeconfig(role, seed.credentials, token);
  const configFile = join(import.meta.dirname, configFiles[name]);
  const program = await StartedRole.start(role, { name, directory, kubeconfig, configFile, elected });
  await until(`the ${name} leads`, () => program.leads(), { patience: 40_000 });
  return program;
}

/** SPEC 1.4: after SIGTERM it ends with code 0. `packages/lab/bench/start.ts` measures how long that takes. */
async function endGracefully(name: string, program: StartedRole): Promise<void> {
  program.kill('SIGTERM');
  const { code, signal } = await program.ended;
  if (code !== 0) throw new Error(`the ${name} ended with ${code ?? signal}`);
}
