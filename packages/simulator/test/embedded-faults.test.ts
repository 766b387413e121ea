import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { issueCertificates } from '../api/certificates.ts';
import type { EmbeddedSeed } from '../embedded-seed.ts';
import type { EmbeddedShoot } from '../shoot/embedded-shoot.ts';
import type { Wire } from '../contract/embedded-wire.ts';
import type { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { seedAtNoon, seedWire, shootWire } from './embedded-stage.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const deployments = '/apis/apps/v1/deployments';

let clock: VirtualClock;
let seed: EmbeddedSeed;
let shoot: EmbeddedShoot;
let wire: Wire;
let shootsNeighbour: Wire;

const begin = async (): Promise<void> => {
  ({ clock, seed } = await seedAtNoon());
  shoot = seed.shoot('shoot--demo--01');
  wire = shootWire(seed, shoot);
  shootsNeighbour = shootWire(seed, seed.shoot('shoot--demo--02'));
};

afterEach(async () => {
  await Promise.all([wire.close(), shootsNeighbour.close()]);
  await seed.stop();
});

/** Whether it is still open by the time that a later request to another server was answered. */
const isOpen = async (asked: Promise<unknown>, other: Wire = shootsNeighbour): Promise<boolean> => {
  const settled = Symbol('settled');
  const over = asked.then(
    () => settled,
    () => settled,
  );
  return (await Promise.race([over, other.get('/version')])) !== settled;
};

test('hang before the handshake: TCP connects, TLS does not', async () => {
  await begin();
  shoot.hang('handshake');
  const socket = connect(Number(new URL(shoot.api.url).port), '127.0.0.1');
  await new Promise((resolve) => {
    socket.once('connect', resolve);
  });
  const asked = wire.get('/version');
  expect(await isOpen(asked)).toBe(true);
  expect([shoot.api.connections, shoot.api.requests.count]).toEqual([0, 0]);
  socket.destroy();
  await wire.close();
  await expect(asked).rejects.toThrow(/destroyed|abort/i);
});

test.each([
  ['items', 20_000_000],
  ['drip', 0],
] as const)('flood: %s without an end', async (as, size) => {
  await begin();
  shoot.flood(as);
  let read = 0;
  for await (const chunk of await wire.stream(leases)) {
    read += chunk.length;
    if (read > size) break;
    await clock.advanceBy(1_000);
  }
  expect(read).toBeGreaterThan(size);
});

test('flood: pages without an end', async () => {
  await begin();
  shoot.flood('pages', ({ resource }) => resource === 'leases');
  for (let page = 0; page < 3; page += 1)
    expect((await wire.get(`${leases}?continue=more`)).body.metadata.continue).toBe('more');
});

test('a certificate of another authority no longer verifies', async () => {
  await begin();
  shoot.api.show(await issueCertificates('somebody else'));
  await expect(wire.get('/version')).rejects.toThrow(/self-signed|verify|certificate/);
});

test('a fault may affect some requests only, and ends', async () => {
  await begin();
  shoot.throttle(1, ({ resource }) => resource === 'leases');
  expect([(await wire.get('/version')).code, (await wire.get(leases)).code]).toEqual([200, 429]);
  await shoot.up();
  expect((await wire.get(leases)).code).toBe(200);
});

test('latency goes by the clock of the world', async () => {
  await begin();
  shoot.api.latency = 5_000;
  const asked = wire.get('/version');
  expect(await isOpen(asked)).toBe(true);
  await clock.advanceBy(5_000);
  expect((await asked).code).toBe(200);
});

test('watches break, expire, are refused, and hang with the server', async () => {
  await begin();
  const admin = seedWire(seed);
  const watchAll = `/apis/apps/v1/namespaces/${shoot.name}/deployments?watch=1&resourceVersion=${seed.api.storage.store.resourceVersion}`;
  const broken = await admin.watch(watchAll);
  expect(seed.api.watches).toBe(1);
  seed.api.breakWatches('deployments');
  await expect(broken.next()).rejects.toThrow(/terminated|other side|aborted/);

  const expired = await admin.watch(watchAll);
  seed.api.expireWatches();
  expect(await expired.next()).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  expect(await expired.next()).toBeUndefined();

  const silent = await admin.watch(watchAll);
  shoot.dependants.scale('kube-controller-manager', 7);
  expect(await silent.next()).toMatchObject({ type: 'MODIFIED', object: { spec: { replicas: 7 } } });
  seed.api.setFault({ kind: 'hang', at: 'answer' });
  shoot.dependants.scale('kube-controller-manager', 0);
  shoot.dependants.scale('kube-controller-manager', 8);
  const next = silent.next();
  expect(await isOpen(next)).toBe(true);
  seed.api.clearFault();
  expect(await next).toMatchObject({ type: 'MODIFIED', object: { spec: { replicas: 0 } } });
  expect(await silent.next()).toMatchObject({ type: 'MODIFIED', object: { spec: { replicas: 8 } } });
  shoot.dependants.scale('kube-controller-manager', 9);
  expect(await silent.next()).toMatchObject({ type: 'MODIFIED', object: { spec: { replicas: 9 } } });

  seed.api.refuseWatches(['deployments']);
  await expect(silent.next()).rejects.toThrow(/terminated|other side|aborted/);
  expect((await admin.get(watchAll)).body).toMatchObject({ code: 403, reason: 'Forbidden' });
  expect((await admin.get(deployments)).code).toBe(200);
  seed.api.refuseWatches([]);
  const again = await admin.watch(watchAll);
  expect(again.code).toBe(200);
  again.cut();
  await admin.close();
});

test('a quiet watch is sent a bookmark each minute, and a last one before it ends', async () => {
  await begin();
  const admin = seedWire(seed);
  const { resourceVersion } = (await admin.get(deployments)).body.metadata;
  const watch = await admin.watch(
    `${deployments}?watch=1&allowWatchBookmarks=true&timeoutSeconds=150&resourceVersion=${resourceVersion}`,
  );
  // Of another kind: no event here, but the bookmark moves on.
  shoot.hibernate();
  await clock.advanceBy(61_000);
  const bookmark = await watch.next();
  expect(bookmark).toMatchObject({ type: 'BOOKMARK', object: { kind: 'Deployment', apiVersion: 'apps/v1' } });
  expect(Number(bookmark?.object.metadata.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
  await clock.advanceBy(60_000 + 28_000);
  expect(await watch.take(2)).toEqual(['BOOKMARK', 'BOOKMARK']);
  await clock.advanceBy(2_000);
  expect(await watch.next()).toBeUndefined();
  await admin.close();
});

test('said: whatever a test has a hostile server say, to the requests that it affects', async () => {
  await begin();
  shoot.says(
    ({ verb, resource }, response) => void response.writeHead(418).end(`${verb} ${resource}`),
    ({ resource }) => resource === 'leases',
  );
  expect(await wire.get(leases)).toMatchObject({ code: 418, text: 'list leases' });
  expect((await wire.get('/version')).code).toBe(200);
  await shoot.up();
  expect((await wire.get(leases)).code).toBe(200);
});
