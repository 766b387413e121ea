import { afterAll } from 'vitest';
import type { KubeClient } from '../../src/adapters/kube-client.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { kubeMachineApi } from '../../src/adapters/seed/machine-api.ts';
import { RateLimit } from '../../src/adapters/seed/rate-limit.ts';
import { kubeScaler } from '../../src/adapters/seed/scaler.ts';
import { SeedConnection } from '../../src/adapters/seed/seed-connection.ts';
import { UndiciKubeClient } from '../../src/adapters/seed/undici-kube-client.ts';
import { seededChance } from '../../src/adapters/chance.ts';
import { Agenda } from '../../src/simulator/agenda.ts';
import { issueCertificates } from '../../src/simulator/certificates.ts';
import { EmbeddedApiServer } from '../../src/simulator/embedded-api-server.ts';
import { kinds } from '../../src/simulator/embedded-kinds.ts';
import type { ResourceKind } from '../../src/simulator/resource-kind.ts';
import { scalerContract, type ScalerStage } from './scaler.contract.ts';

const sized: ResourceKind = {
  group: 'contract.example',
  version: 'v1',
  kind: 'Sized',
  plural: 'sizeds',
  namespaced: true,
  custom: true,
  countsGenerations: true,
  hasStatus: true,
  scale: { specReplicas: ['spec', 'size'], statusReplicas: ['status', 'size'] },
};
const unscalable: ResourceKind = { ...sized, kind: 'Plain', plural: 'plains' };

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

let started: Promise<KubeClient> | undefined;
let count = 0;

/** One server for all, without a life of its own; each test has its namespace. */
async function start(): Promise<KubeClient> {
  const { scale: _none, ...plain } = unscalable;
  const api = new EmbeddedApiServer({
    agenda: new Agenda(systemClock),
    chance: seededChance(1),
    certificates: await issueCertificates('contract'),
    kinds: [...Object.values<ResourceKind>(kinds), sized, plain],
  });
  await api.up();
  api.tokens.set('t', 'admin');
  const { ca } = api.certificates;
  const credentials = { server: api.url, headers: { authorization: 'Bearer t' }, tls: { ca } };
  const connection = new SeedConnection({ origin: 'contract', read: () => Promise.resolve(credentials) }, systemClock);
  ends.push(
    () => connection.close(),
    () => api.down(),
  );
  return new UndiciKubeClient({
    connection,
    clock: systemClock,
    limit: new RateLimit(systemClock, { qps: -1, burst: 0 }),
    userAgent: 'contract',
  });
}

async function stage(): Promise<ScalerStage> {
  started ??= start();
  const admin = await started;
  const shoot = `shoot--contract--${(count += 1)}`;
  await admin.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: shoot } } });
  const apiVersion = 'contract.example/v1';
  return {
    scaler: kubeScaler({ client: admin, clock: systemClock }),
    machines: kubeMachineApi(admin, systemClock),
    admin,
    shoot,
    sized: { apiVersion, kind: 'Sized', plural: 'sizeds' },
    unscalable: { apiVersion, kind: 'Plain', plural: 'plains' },
    now: () => systemClock.now(),
  };
}

scalerContract('embedded seed', stage);
