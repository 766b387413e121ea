import type { Dispatcher } from 'undici';
import { describe } from 'vitest';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import type { ApiServer } from '../api/api-server.ts';
import { issueCertificates } from '../api/certificates.ts';
import { EmbeddedApiServer } from '../api/embedded-api-server.ts';
import { carry } from '../memory/carry.ts';
import { answered } from '../memory/fate.ts';
import type { MemoryApiServer } from '../memory/memory-api-server.ts';
import { MemoryDispatcher } from '../memory/memory-dispatcher.ts';
import { MemoryNetwork } from '../memory/memory-network.ts';
import { Agenda } from '../store/agenda.ts';
import { kinds } from '../store/embedded-kinds.ts';
import type { Backup } from '../store/object-store.ts';
import { Wire } from './embedded-wire.ts';
import type { RestorablePair } from './restored-scene.ts';
import { restoredSeedContract } from './restored-seed.contract.ts';

const basics = { agenda: new Agenda(systemClock), chance: seededChance(1), kinds: Object.values(kinds) };

async function pairOf<Server extends ApiServer>(
  servers: readonly [Server, Server],
  dispatcher: (server: Server) => Dispatcher | undefined,
): Promise<RestorablePair> {
  const [first] = servers;
  const { store } = first.storage;
  let backup: Backup = store.backup();
  first.tokens.set('token', 'admin');
  for (const server of servers) await server.up();
  const end = async () => {
    for (const server of servers) await server.down();
  };
  return {
    dial: (of) =>
      new Wire({ url: servers[of].url, ca: first.certificates.ca, token: 'token' }, null, dispatcher(servers[of])),
    backUp: async () => {
      backup = store.backup();
    },
    restore: async (mode) => {
      if (mode === 'start afresh') await end();
      else for (const server of servers) server.missRestore();
      store.restore(backup);
      for (const server of servers) await server.up();
    },
    stop: end,
  };
}

const options = { ...basics, certificates: await issueCertificates('restored') };
const embedded = new EmbeddedApiServer(options);

describe('restored seed, embedded', () => {
  restoredSeedContract(() =>
    pairOf([embedded, new EmbeddedApiServer({ ...options, twin: embedded })], () => undefined),
  );
});

const network = new MemoryNetwork();
const memory = network.server({ ...basics, certificates: await network.certificates() });

describe('restored seed, memory', () => {
  restoredSeedContract(() => pairOf([memory, network.twin(memory)], inMemory));
});

/** A way without delays. */
function inMemory(server: MemoryApiServer): Dispatcher {
  return new MemoryDispatcher((request, receiver) =>
    carry({
      server,
      request,
      receiver,
      fate: { connect: 0, there: 0, back: 0, end: answered },
      watch: () => ({ lag: () => 0 }),
      struck: () => undefined,
      agenda: basics.agenda,
      deliver: (task) => task(),
    }),
  );
}
