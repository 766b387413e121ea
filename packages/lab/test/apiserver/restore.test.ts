import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import { balancerBefore } from '@dwd/simulator/api/load-balancer.ts';
import type { Program } from '@dwd/testing/program.ts';
import { isRemovedAfterUs } from '../../real/clearing-up.ts';
import { furnishSeed, seedUsers } from '../../real/gardener-servers.ts';
import { RestorableSeed } from '../../real/restorable-seed.ts';
import { RealStage, gardenersRates, proberConfig, started, RealPlainDependants } from './real-stage.ts';
import { realShoot, realTier } from './real-tier.ts';

const weederConfig = `
watchDuration: 10m
servicesAndDependantSelectors:
  restore-etcd:
    podSelectors:
    - matchLabels: {role: apiserver}
    - matchLabels: {restored: "yes"}
`;

const election = [
  '--enable-leader-election',
  '--leader-elect-lease-duration=4s',
  '--leader-elect-renew-deadline=3s',
  '--leader-elect-retry-period=300ms',
];
const down = { 'kube-controller-manager': 0, 'machine-controller-manager': 0 };
const up = { 'kube-controller-manager': 1, 'machine-controller-manager': 1 };
const role = { role: 'apiserver', restored: 'yes' };
const patience = { timeout: 60_000 };

/**
 * One story for each way in which a backup can meet who watches: the shoot is cut off and everything of it is down, a pod
 * crash-loops; that is backed up. The shoot heals, the pod is deleted, another leader comes; then the backup is put back.
 */
test.each(['has overtaken', 'has not reached'] as const)(
  '8 6.6 6.10 7.4 of a restored seed whose counter %s what was seen: what is down comes back, what crash-loops again is deleted again, and a standby leads',
  async (counter) => {
    const directory = mkdtempSync(join(tmpdir(), 'dwd-restore-'));
    isRemovedAfterUs(directory);
    const { bin } = realTier();
    const seed = await RestorableSeed.start({ bin, directory: join(directory, 'seed') }, { users: seedUsers });
    onTestFinished(() => seed.stop());
    await furnishSeed(seed.api);
    const balancer = await balancerBefore(seed.api.url);
    onTestFinished(() => balancer.stop());
    const name = counter === 'has overtaken' ? 'ahead' : 'behind';
    const guarded = new RealStage(seed.api, realShoot(), `shoot--restore--${name}`);
    onTestFinished(() => guarded.leave());
    const weeded = new RealPlainDependants(seed.api, `weeded--${name}`);
    const run = (role: RoleName, ...more: readonly string[]): Program => {
      const config = role === 'prober' ? proberConfig() : weederConfig;
      return started({ onTestFinished }, role, seed.api, {
        config,
        server: balancer.url,
        flags: [...gardenersRates, ...more],
      });
    };

    await guarded.enter(proberConfig());
    await weeded.enter();
    await weeded.slice('restore-etcd', true);
    const earlier = run('prober', ...election);
    await guarded.cutOff();
    await expect.poll(() => guarded.replicas(), patience).toEqual(down);
    earlier.kill('SIGKILL');
    const pod = await weeded.add('restored', role, true);
    await seed.backUp();

    run('weeder');
    await expect.poll(() => weeded.left(), patience).not.toContain(pod.name);
    await guarded.heal();
    const first = run('prober', ...election);
    await expect.poll(() => guarded.replicas(), patience).toEqual(up);
    const second = run('prober', ...election);
    await second.line('the first lists of the seed are in');
    const seen = await seed.revision();

    first.kill('SIGKILL');
    await balancer.setFault({ kind: 'refuse' });
    await seed.restore();
    expect(await guarded.replicas()).toEqual(down);
    expect(await weeded.left()).toContain(pod.name);
    if (counter === 'has overtaken') await seed.overtake(seen + 100);
    expect((await seed.revision()) > seen).toBe(counter === 'has overtaken');
    await balancer.heal();

    await expect.poll(() => weeded.left(), patience).not.toContain(pod.name);
    await second.line('leadership', { leadership: 'leading' });
    await expect.poll(() => guarded.replicas(), patience).toEqual(up);
    expect(second.isRunning).toBe(true);
  },
  300_000,
);
