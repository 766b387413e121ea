import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import { readLease } from 'dependency-watchdog/domain/prober/node-lease.ts';
import type { PathFault } from '../api/balancer.ts';
import type { EmbeddedSeed } from '../embedded-seed.ts';
import type { EmbeddedShoot } from '../shoot/embedded-shoot.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { Wire } from '../contract/embedded-wire.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import type { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { config as leaseConfig, seedAtNoon } from './embedded-stage.ts';

const name = 'shoot--demo--01';
const secrets: Readonly<Record<ShootPath, string>> = {
  internal: twoPathConfig.internalKubeConfigSecretName,
  external: twoPathConfig.externalKubeConfigSecretName,
};

let seed: EmbeddedSeed;
let clock: VirtualClock;
let shoot: EmbeddedShoot;

const begin = async (): Promise<void> => {
  ({ seed, clock } = await seedAtNoon({ config: twoPathConfig }));
  shoot = seed.shoot(name);
};

afterEach(() => seed.stop());

function kubeconfigOf(path: ShootPath): string | undefined {
  const secret = seed.api.storage.store.of(kinds.secret).get(`${name}/${secrets[path]}`)?.object['data'];
  const data = secret as Readonly<Record<string, string>> | undefined;
  return data && Buffer.from(data['kubeconfig']!, 'base64').toString('utf8');
}

/** The status that `/version` has on a path by what stands in its Secret, or the word `none`. */
async function askedOn(path: ShootPath): Promise<number | 'none'> {
  const read = parse(kubeconfigOf(path)!);
  const wire = new Wire({
    url: read.clusters[0].cluster.server,
    ca: shoot.api.certificates.ca,
    token: read.users[0].user.token,
  });
  try {
    return (await wire.get('/version')).code;
  } catch {
    return 'none';
  } finally {
    await wire.close();
  }
}

function oldestRenewal(): number {
  const leases = shoot.api.storage.store.of(kinds.lease).list('kube-node-lease');
  return Math.min(...leases.map(({ object }) => readLease(object)!.renewedAt!));
}

test('4.9 each Secret leads to the one API server on a way of its own', async () => {
  await begin();
  const addresses = (['internal', 'external'] as const).map(
    (path) => parse(kubeconfigOf(path)!).clusters[0].cluster.server,
  );
  expect(addresses).toEqual([shoot.paths.internal.url, shoot.paths.external.url]);
  expect(new Set([...addresses, shoot.api.url]).size).toBe(3);
  expect([await askedOn('internal'), await askedOn('external')]).toEqual([200, 200]);
  expect(shoot.api.requests.count).toBe(2);
});

test('4.9 each Secret is rotated, spoiled and removed by itself, or together with the other', async () => {
  await begin();
  const before = kubeconfigOf('internal');
  shoot.rotateSecret('external');
  expect(kubeconfigOf('internal')).toBe(before);
  expect([await askedOn('internal'), await askedOn('external')]).toEqual([200, 200]);
  shoot.writeSecret('none', 'external');
  shoot.removeSecret('internal');
  expect([kubeconfigOf('internal'), kubeconfigOf('external')]).toEqual([undefined, 'none']);
  shoot.rotateSecret();
  expect([await askedOn('internal'), await askedOn('external')]).toEqual([200, 200]);
  await seed.removeShoot(name);
  expect([kubeconfigOf('internal'), kubeconfigOf('external')]).toEqual([undefined, undefined]);
});

const broken: readonly PathFault[] = [{ kind: 'refuse' }, { kind: 'cut' }, { kind: 'hang' }, { kind: 'reset' }];

test.for([...broken, { kind: 'slow', delay: 20_000 } as const])(
  '4.9 an external path that does $kind keeps renewals back, until it is healed; the kube-controller-manager marks',
  async (fault) => {
    await begin();
    await shoot.paths.break('external', fault);
    await clock.advanceBy(60_000);
    expect(clock.now() - oldestRenewal()).toBeGreaterThanOrEqual(60_000);
    expect(shoot.unknownNodes).toEqual(shoot.nodes);
    expect(await askedOn('internal')).toBe(200);
    await shoot.paths.heal('external');
    await clock.advanceBy(11_000);
    expect(clock.now() - oldestRenewal()).toBeLessThan(11_000);
    expect(shoot.unknownNodes).toEqual([]);
  },
);

test.for(broken)('4.9 an internal path that does $kind keeps no renewal back', async (fault) => {
  await begin();
  await shoot.paths.break('internal', fault);
  await clock.advanceBy(60_000);
  expect(clock.now() - oldestRenewal()).toBeLessThan(11_000);
  expect([shoot.unknownNodes, await askedOn('external')]).toEqual([[], 200]);
});

test('4.9 a renewal passes where the way is a little slow', async () => {
  await begin();
  await shoot.paths.break('external', { kind: 'slow', delay: 2_000 });
  await clock.advanceBy(60_000);
  expect(clock.now() - oldestRenewal()).toBeLessThan(11_000);
});

test('2.2 a shoot whose leases are probed has one way', async () => {
  ({ seed } = await seedAtNoon({ config: leaseConfig }));
  expect(() => seed.shoot(name).paths).toThrow(`${name} is of the generation that has one path`);
});
