import { afterAll } from 'vitest';
import { seedContracts } from '@dwd/simulator/contract/seed-contracts.ts';
import { endAll } from '../../real/processes.ts';
import { RealApiServer } from '../../real/api-server.ts';
import { defineKinds } from '../../real/seed-objects.ts';
import { realContractSeed } from './real-contract-seed.ts';
import { realSeed, realTier } from './real-tier.ts';

// What the embedded seed keeps a real one keeps, through the same adapters.
const { etcd } = realTier();
afterAll(endAll);

/** Without a cache of what watches were told, which lets etcd forget without anybody's noticing for a minute. */
async function startForgetful(): Promise<RealApiServer> {
  const weak = { name: 'weak', token: 'weak', groups: [] };
  const flags = ['--watch-cache=false'];
  const server = await RealApiServer.start(realTier(), 'forgetful', { users: [weak], flags });
  await defineKinds(server);
  return server;
}

seedContracts({
  name: 'real',
  seed: () => realContractSeed(realSeed(), etcd),
  forgetful: async () => realContractSeed(await startForgetful(), etcd),
});
