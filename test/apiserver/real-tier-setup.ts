/**
 * Vitest runs this once before all tests of the tier, and its answer after them: one etcd, a kube-apiserver that is the
 * seed and one that is a shoot, for all test files together. Rejects with ControlPlaneMissing where their programs cannot
 * be had: the tier is never passed over in silence.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findControlPlane } from '../../hack/control-plane/find-control-plane.ts';
import { endTheLiving, isRemovedAfterUs } from '../../hack/real/clearing-up.ts';
import {
  grantInSeed,
  grantInShoot,
  grantWeederInSeed,
  seedUser,
  shootUser,
  weederUser,
} from '../../hack/real/gardener-rbac.ts';
import { RealApiServer, type User } from '../../hack/real/api-server.ts';
import { startEtcd } from '../../hack/real/etcd.ts';
import { defineKinds } from '../../hack/real/seed-objects.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

const accounts = ['system:serviceaccounts'];
const weak: User = { name: 'weak', token: 'weak', groups: [] };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { directory: bin, from, hasControllerManager } = await findControlPlane(say);
  const directory = mkdtempSync(join(tmpdir(), 'dwd-apiserver-'));
  isRemovedAfterUs(directory);
  const leftOut = join(directory, 'left-out');
  writeFileSync(leftOut, '');
  const end = async () => {
    await endTheLiving();
    const suites = readFileSync(leftOut, 'utf8');
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    if (suites !== '') say(`LEFT OUT, since ${bin} holds no kube-controller-manager:\n${suites}`);
  };
  try {
    const etcd = await startEtcd(bin, directory);
    const auditLogs = { seed: join(directory, 'seed-audit.log'), shoot: join(directory, 'shoot-audit.log') };
    const [seed, shoot] = await Promise.all([
      RealApiServer.start(
        bin,
        directory,
        'seed',
        etcd,
        [
          { name: seedUser, token: 'prober-in-seed', groups: accounts },
          { name: weederUser, token: 'weeder-in-seed', groups: accounts },
          weak,
        ],
        { auditLog: auditLogs.seed },
      ),
      RealApiServer.start(
        bin,
        directory,
        'shoot',
        etcd,
        [{ name: shootUser, token: 'probe-in-shoot', groups: accounts }, weak],
        { auditLog: auditLogs.shoot },
      ),
    ]);
    await furnish(seed, shoot);
    const { body } = await seed.call('GET', '/version');
    say(`real control plane ${String(body['gitVersion'])}, from ${from}; logs in ${directory} until the end`);
    project.provide('realTier', {
      bin,
      hasControllerManager,
      directory,
      etcd,
      leftOut,
      seed: { ...seed.reach, auditLog: auditLogs.seed },
      shoot: { ...shoot.reach, auditLog: auditLogs.shoot },
    });
    await Promise.all([seed.close(), shoot.close()]);
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

/** What every seed and shoot of Gardener has, and its grants for our users. */
async function furnish(seed: RealApiServer, shoot: RealApiServer): Promise<void> {
  await defineKinds(seed);
  await seed.call('POST', '/api/v1/namespaces', { metadata: { name: 'garden' } });
  await shoot.call('POST', '/api/v1/namespaces', { metadata: { name: 'kube-node-lease' } }, [409]);
  await grantInSeed(seed);
  await grantWeederInSeed(seed);
  await grantInShoot(shoot);
}
