import { afterAll } from 'vitest';
import { carry } from '../memory/carry.ts';
import { answered } from '../memory/fate.ts';
import { MemoryApiServer } from '../memory/memory-api-server.ts';
import { MemoryDispatcher } from '../memory/memory-dispatcher.ts';
import { embeddedContractSeed, embeddedContractServer } from './embedded-contract-seed.ts';
import { seedContracts } from './seed-contracts.ts';

// Our clients reach the server in memory, as they do in simulated lives. The operator, who sets the scene, comes over the wire to its twin.
const { api, options } = await embeddedContractServer();
const memory = new MemoryApiServer({ ...options, twin: api }, api.url);
await memory.up();
afterAll(() => api.down());

const seed = {
  ...embeddedContractSeed(api, [api, memory]),
  dial: () =>
    new MemoryDispatcher((request, receiver) =>
      carry({
        server: memory,
        request,
        receiver,
        fate: { connect: 0, there: 0, back: 0, end: answered },
        watch: () => ({ lag: () => 0 }),
        struck: () => undefined,
        agenda: options.agenda,
        deliver: (task) => task(),
      }),
    ),
};

seedContracts({ name: 'memory', seed: async () => seed, forgetful: async () => seed, onWire: false });
