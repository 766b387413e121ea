import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import type { ApiServer, ApiServerOptions } from '../api/api-server.ts';
import { issueCertificates } from '../api/certificates.ts';
import { EmbeddedApiServer } from '../api/embedded-api-server.ts';
import { Agenda } from '../store/agenda.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { olderGrants, type ContractSeed } from './contract-stage.ts';
import { gadget } from './gadgets.ts';

/** The simulator's API server for the contracts, up. */
export async function embeddedContractServer(): Promise<
  Readonly<{ api: EmbeddedApiServer; options: ApiServerOptions }>
> {
  const options: ApiServerOptions = {
    agenda: new Agenda(systemClock),
    chance: seededChance(1),
    certificates: await issueCertificates('contract'),
    kinds: [...Object.values(kinds), gadget],
    authorize: ({ user, resource, verb }) => {
      if (user === 'older')
        return Object.entries(olderGrants).some(([of, verbs]) => of === resource && verbs.includes(verb));
      return user !== 'weak' || resource === '/version';
    },
  };
  const api = new EmbeddedApiServer(options);
  for (const user of ['admin', 'weak', 'busy', 'older']) api.tokens.set(`of-${user}`, user);
  await api.up();
  return { api, options };
}

const as = (user: string) => ({ authorization: `Bearer of-${user}` });

/** `servers`: those over one store that our clients and the operator meet. */
export function embeddedContractSeed(
  { url, certificates }: Pick<ApiServer, 'url' | 'certificates'>,
  servers: readonly ApiServer[],
): ContractSeed {
  return {
    url,
    ca: certificates.ca,
    headers: { admin: as('admin'), weak: as('weak'), busy: as('busy'), older: as('older'), nobody: as('nobody') },
    async compact() {
      for (const one of servers) one.compact();
    },
    async throttle() {
      for (const one of servers)
        one.setFault({ kind: 'throttle', retryAfterSeconds: 1 }, ({ user }) => user === 'busy');
      return async () => {
        for (const one of servers) one.clearFault();
      };
    },
  };
}
