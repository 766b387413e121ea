import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedUser } from '@dwd/testing/gardener-rbac.ts';
import { findProgram, ProgramMissing } from '../../programs/find-program.ts';
import { StartedRole } from '../../real/started-role.ts';
import { leasePath, RealStage, fileOf, proberConfig } from './real-stage.ts';
import { realSeed, realShoot } from './real-tier.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** The Go watchdog itself: minutes to build, once. */
const go = await findProgram('dependency-watchdog', { say }).catch((error: unknown) => {
  if (!(error instanceof ProgramMissing)) throw error;
  say(`LEFT OUT: packages/lab/test/apiserver/go-and-back.test.ts, since ${error.message}`);
  return undefined;
});

const name = 'shoot--go--back';
const lease = leasePath('prober');
const seed = realSeed();
const shoot = realShoot();
const scene = new RealStage(seed, shoot, name);
// What Go cannot do without.
const config = `${proberConfig()}kcmNodeMonitorGraceDuration: 40s\n`;
const before = { 'kube-controller-manager': 2, 'machine-controller-manager': 3 };
const down = { 'kube-controller-manager': 0, 'machine-controller-manager': 0 };

beforeAll(async () => {
  if (go === undefined) return;
  await seed.call('DELETE', lease, undefined, [404]);
  await scene.enter(config);
  for (const [one, replicas] of Object.entries(before))
    await seed.call('PATCH', `/apis/apps/v1/namespaces/${name}/deployments/${one}`, { spec: { replicas } });
});

afterAll(async () => {
  if (go !== undefined) await scene.leave();
  await seed.call('DELETE', lease, undefined, [404]);
  await seed.close();
});

const start = (command?: string): Promise<StartedRole> =>
  StartedRole.start('prober', {
    kubeconfig: seed.kubeconfig(seedUser),
    configFile: fileOf('config.yaml', config),
    ...(command !== undefined && { command }),
  });

const holder = async (): Promise<unknown> => (await scene.leaseOf('prober'))?.['holderIdentity'] ?? '';

/** Ends the one that leads, and waits until another one holds its Lease. Returns how long that took. */
async function passOn(from: StartedRole): Promise<number> {
  const held = await holder();
  const endedAt = Date.now();
  from.kill('SIGTERM');
  await from.ended;
  await expect.poll(async () => [held, ''].includes(await holder()), { interval: 50 }).toBe(false);
  return Date.now() - endedAt;
}

const stands = (dependants: Readonly<Record<string, number>>) =>
  expect.poll(() => scene.replicas(), { interval: 200 }).toEqual(dependants);

/** It looks several times meanwhile. */
async function stays(dependants: Readonly<Record<string, number>>): Promise<void> {
  const until = Date.now() + 5_000;
  while (Date.now() < until) {
    expect(await scene.replicas()).toEqual(dependants);
    await pause(250);
  }
}

test.runIf(go !== undefined)(
  '6.4 6.5 8 in the middle of an outage a seed is rolled from the Go watchdog to ours and back: what is at 0 stays there, and all comes back as it was',
  async () => {
    await using theirs = await start(go);
    await expect.poll(holder).not.toBe('');
    await scene.cutOff();
    await stands(down);

    await using ours = await start();
    await ours.isReady();
    await passOn(theirs);
    await stays(down);
    await scene.heal();
    await stands(before);

    await scene.cutOff();
    await stands(down);
    await using again = await start(go);
    await pause(3_000);
    // It is given up at the end of the process, and asked for every 2 s.
    expect(await passOn(ours)).toBeLessThan(10_000);
    await stays(down);
    await scene.heal();
    await stands(before);

    // What Go cannot raise: a shoot that has one node left by then.
    await scene.cutOff();
    await stands(down);
    for (const node of [2, 3]) await shoot.operator.core.deleteNode({ name: `${name}-node-${node}` });
    await scene.heal();
    await stays(down);
    await using last = await start();
    await last.isReady();
    await passOn(again);
    await stands(before);
  },
  240_000,
);
