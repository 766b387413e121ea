import { afterAll } from 'vitest';
import { embeddedContractSeed, embeddedContractServer } from './embedded-contract-seed.ts';
import { seedContracts } from './seed-contracts.ts';

// The same contracts are run on a real kube-apiserver in packages/lab/test/apiserver.
const { api } = await embeddedContractServer();
afterAll(() => api.down());
const seed = embeddedContractSeed(api, [api]);

seedContracts({ name: 'embedded', seed: async () => seed, forgetful: async () => seed });
