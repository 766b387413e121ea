import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { endAll } from '../../real/processes.ts';
import { RestorableSeed } from '../../real/restorable-seed.ts';
import { Wire } from '@dwd/simulator/contract/embedded-wire.ts';
import type { RestorablePair } from '@dwd/simulator/contract/restored-scene.ts';
import { restoredSeedContract } from '@dwd/simulator/contract/restored-seed.contract.ts';
import { realTier } from './real-tier.ts';

// What the simulated servers keep the real ones keep, when their etcd is restored.
afterAll(endAll);

async function startReal(): Promise<RestorablePair> {
  const { bin, directory } = realTier();
  const seed = await RestorableSeed.start({ bin, directory: join(directory, 'restored-pair') });
  const servers = [seed.api, await seed.addTwin()] as const;
  return {
    dial: (of) => new Wire({ ...servers[of].reach, token: servers[of].token('admin') }),
    backUp: () => seed.backUp(),
    restore: (mode) => seed.restore(mode),
    stop: () => seed.stop(),
  };
}

describe('restored seed, real', () => {
  restoredSeedContract(startReal);
});
