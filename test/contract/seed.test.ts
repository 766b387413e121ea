import { afterAll } from 'vitest';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import { systemClock } from '../../src/adapters/clock/wall-clock.ts';
import { Agenda } from '../../src/simulator/store/agenda.ts';
import { issueCertificates } from '../../src/simulator/api/certificates.ts';
import { EmbeddedApiServer } from '../../src/simulator/api/embedded-api-server.ts';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import { olderGrants, type ContractSeed } from './contract-stage.ts';
import { gadget } from './gadgets.ts';
import { seedContracts } from './seed-contracts.ts';

// The same contracts are run on a real kube-apiserver in test/apiserver.
const api = new EmbeddedApiServer({
  agenda: new Agenda(systemClock),
  chance: seededChance(1),
  certificates: await issueCertificates('contract'),
  kinds: [...Object.values(kinds), gadget],
  authorize: ({ user, resource, verb }) => {
    if (user === 'older')
      return Object.entries(olderGrants).some(([of, verbs]) => of === resource && verbs.includes(verb));
    return user !== 'weak' || resource === '/version';
  },
});
for (const user of ['admin', 'weak', 'busy', 'older']) api.tokens.set(`of-${user}`, user);
await api.up();
afterAll(() => api.down());

const as = (user: string) => ({ authorization: `Bearer of-${user}` });

const embedded: ContractSeed = {
  url: api.url,
  ca: api.certificates.ca,
  headers: { admin: as('admin'), weak: as('weak'), busy: as('busy'), older: as('older'), nobody: as('nobody') },
  compact: () => Promise.resolve(api.compact()),
  throttle: () => {
    api.setFault({ kind: 'throttle', retryAfterSeconds: 1 }, ({ user }) => user === 'busy');
    return Promise.resolve(() => Promise.resolve(api.clearFault()));
  },
};

seedContracts({
  name: 'embedded',
  seed: () => Promise.resolve(embedded),
  forgetful: () => Promise.resolve(embedded),
});
