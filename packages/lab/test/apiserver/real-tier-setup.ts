/**
 * Vitest runs this once before all tests of the tier, and its answer after them: one etcd, a kube-apiserver that is the
 * seed and one that is a shoot, for all test files together. Rejects with ProgramMissing where their programs cannot
 * be had: the tier is never passed over in silence.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { User } from '../../real/api-server.ts';
import { endTheLiving } from '../../real/clearing-up.ts';
import { startSeed, startShoot } from '../../real/gardener-servers.ts';
import { prepareGround } from '../../control-plane/prepare-ground.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

const weak: User = { name: 'weak', token: 'weak', groups: [] };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ground = await prepareGround('apiserver', say);
  const { bin, directory, etcd } = ground;
  const leftOut = join(directory, 'left-out');
  writeFileSync(leftOut, '');
  const end = async () => {
    await endTheLiving();
    const suites = readFileSync(leftOut, 'utf8');
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    if (suites !== '') say(`LEFT OUT:\n${suites}`);
  };
  try {
    const auditLogs = { seed: join(directory, 'seed-audit.log'), shoot: join(directory, 'shoot-audit.log') };
    const [seed, shoot] = await Promise.all([
      startSeed(ground, 'seed', { users: [weak], auditLog: auditLogs.seed }),
      startShoot(ground, 'shoot', { users: [weak], auditLog: auditLogs.shoot }),
    ]);
    const { body } = await seed.call('GET', '/version');
    say(`real control plane ${String(body['gitVersion'])}; logs in ${directory} until the end`);
    project.provide('realTier', {
      bin,
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
