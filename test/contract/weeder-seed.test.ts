import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { seededChance } from '../../src/adapters/chance.ts';
import type { KubeClient } from '../../src/adapters/kube-client.ts';
import { RateLimit } from '../../src/adapters/seed/rate-limit.ts';
import { SeedConnection } from '../../src/adapters/seed/seed-connection.ts';
import { UndiciKubeClient } from '../../src/adapters/seed/undici-kube-client.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { podRemover } from '../../src/adapters/weeder-seed/pod-remover.ts';
import { podWatch } from '../../src/adapters/weeder-seed/pod-watch.ts';
import { serviceWatch } from '../../src/adapters/weeder-seed/service-watch.ts';
import { Agenda } from '../../src/simulator/agenda.ts';
import { issueCertificates } from '../../src/simulator/certificates.ts';
import { EmbeddedApiServer } from '../../src/simulator/embedded-api-server.ts';
import { kinds } from '../../src/simulator/embedded-kinds.ts';
import { weederSeedContract, type WeederSeedStage } from './weeder-seed.contract.ts';

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

/** One server for all, without a life of its own; each test has its namespace. */
async function embedded(): Promise<KubeClient> {
  const api = new EmbeddedApiServer({
    agenda: new Agenda(systemClock),
    chance: seededChance(1),
    certificates: await issueCertificates('contract'),
    kinds: Object.values(kinds),
  });
  await api.up();
  api.tokens.set('t', 'admin');
  const client = clientOf(api.url, api.certificates.ca, 't');
  ends.push(() => api.down());
  return client;
}

function clientOf(server: string, ca: string, token: string): KubeClient {
  const credentials = { server, headers: { authorization: `Bearer ${token}` }, tls: { ca } };
  const connection = new SeedConnection({ origin: 'contract', read: () => Promise.resolve(credentials) }, systemClock);
  ends.push(() => connection.close());
  const limit = new RateLimit(systemClock, { qps: -1, burst: 0 });
  return new UndiciKubeClient({ connection, clock: systemClock, limit, userAgent: 'contract' });
}

function stageOn(start: () => Promise<KubeClient>, run: string): () => Promise<WeederSeedStage> {
  let started: Promise<KubeClient> | undefined;
  let count = 0;
  return async () => {
    started ??= start();
    const admin = await started;
    const namespace = `shoot--contract--${run}${(count += 1)}`;
    await admin.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
    const ports = { client: admin, clock: systemClock, chance: seededChance(2) };
    const services = ['contract-etcd', 'contract-apiserver'].map((name) => ({ name, podSelectors: ['role'] }));
    return {
      services: serviceWatch({ ...ports, config: { services } }),
      pods: podWatch(ports),
      remover: podRemover(admin),
      admin,
      namespace,
    };
  };
}

weederSeedContract('embedded seed', stageOn(embedded, ''));

// A real kube-apiserver, where one runs: its URL, an administrator's token, and the file with its CA.
const { REAL_API_URL, REAL_API_TOKEN = '', REAL_API_CA = '' } = process.env;
if (REAL_API_URL !== undefined) {
  // What an earlier run has left there is in nobody's way.
  const run = `${systemClock.now().toString(36)}-`;
  weederSeedContract(
    'real API server',
    stageOn(() => Promise.resolve(clientOf(REAL_API_URL, readFileSync(REAL_API_CA, 'utf8'), REAL_API_TOKEN)), run),
  );
}
