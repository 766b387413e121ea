/**
 * Vitest runs this once before all scenarios, and its answer after them: it picks a provider, brings its clusters up,
 * makes seed and shoots of them, and runs a prober of each generation and a weeder as Gardener does, for all scenarios together.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { isRemovedAfterUs } from '../../hack/real/clearing-up.ts';
import { end, start } from '../../hack/real/processes.ts';
import { chooseProvider } from './choose-provider.ts';
import { Cluster } from './cluster.ts';
import { expectControllers, furnishSeed, furnishShoot, refuseOthersSeed } from './furnish.ts';
import { bearerKubeconfig } from './kubeconfig.ts';
import { seedNode, StagedNodes } from './play/staged-nodes.ts';
import { readLog, type LogLine, type Program, type Stage } from './stage.ts';
import { sweep } from './sweep.ts';
import { until } from './until.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);
const main = join(import.meta.dirname, '../../src/main.ts');

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
    await furnishSeed(seed);
    if (clusters.runsControllers) await expectControllers(seed);
    const probeTokens: string[] = [];
    for (const shoot of shoots) {
      await furnishShoot(shoot);
      probeTokens.push(await shoot.tokenOf('kube-system', 'dependency-watchdog-probe'));
    }
    const host = await StagedNodes.join(seed, [seedNode]);
    endings.push(() => host.leave());

    const programs = {
      prober: await startProgram('prober', directory, seed, [...rates, elected]),
      // Each prober leaves the other one's shoots alone, which lack its Secrets. It is not elected: they would wait for each other.
      olderProber: await startProgram('olderProber', directory, seed, rates),
      weeder: await startProgram('weeder', directory, seed, [elected]),
    };
    endings.push(async () => {
      for (const [name, { child }] of Object.entries(programs)) await endGracefully(name, child);
    });
    const outputsOf = (program: Program) => ({
      log: programs[program].log,
      metricsPort: programs[program].metricsPort,
    });
    const stage: Stage = {
      ...clusters,
      provider: provider.name,
      probeTokens,
      programs: {
        prober: outputsOf('prober'),
        olderProber: outputsOf('olderProber'),
        weeder: outputsOf('weeder'),
      },
    };
    project.provide('stage', stage);
  } catch (error) {
    await endAll();
    throw error;
  }
  return endAll;
}

const configFiles: Readonly<Record<Program, string>> = {
  prober: 'prober.yaml',
  olderProber: 'older-prober.yaml',
  weeder: 'weeder.yaml',
};
const rates = ['--kube-api-qps=20.0', '--kube-api-burst=100'];
const elected = '--enable-leader-election=true';

/** As Gardener's Deployment does, from a kubeconfig instead of the account's mounted token. */
async function startProgram(program: Program, directory: string, seed: Cluster, flags: readonly string[]) {
  const role = program === 'weeder' ? 'weeder' : 'prober';
  const token = await seed.tokenOf('garden', `dependency-watchdog-${role}`);
  const kubeconfig = join(directory, `${program}.kubeconfig`);
  writeFileSync(kubeconfig, bearerKubeconfig(role, seed.credentials, token));
  const child = start(directory, program, process.execPath, [
    main,
    role,
    `--config-file=${join(import.meta.dirname, configFiles[program])}`,
    `--kubeconfig=${kubeconfig}`,
    ...flags,
    '--zap-log-level=INFO',
    ...['metrics', 'health', 'inspector'].map((what) => `--${what}-bind-addr=127.0.0.1:0`),
  ]);
  const log = join(directory, `${program}.log`);
  let starts: LogLine | undefined;
  const isLeading = async () => {
    starts = readLog(log).find(({ msg }) => msg === `the ${role} starts`);
    if (child.exitCode !== null) throw new Error(`the ${program} ended:\n${JSON.stringify(readLog(log))}`);
    if (starts === undefined) return false;
    const answer = await fetch(`http://127.0.0.1:${portIn(starts)}/metrics`);
    return (await answer.text()).includes('\ndwd_leader 1\n');
  };
  await until(`the ${program} leads`, isLeading, { patience: 40_000 });
  return { child, log, metricsPort: portIn(starts!) };
}

function portIn(line: LogLine): number {
  return (line['ports'] as Readonly<{ metrics: number }>).metrics;
}

/** SPEC 1.4: after SIGTERM it ends with code 0. `bench/start.ts` measures how long that takes. */
async function endGracefully(name: string, child: ChildProcess): Promise<void> {
  await end(child);
  if (child.exitCode !== 0) throw new Error(`the ${name} ended with ${child.exitCode ?? child.signalCode}`);
}
