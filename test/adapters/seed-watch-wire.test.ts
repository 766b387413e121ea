import { filter, firstValueFrom, type Observable } from 'rxjs';
import { afterEach, expect, test } from 'vitest';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import { scaledClock, systemClock } from '../../src/adapters/clock/wall-clock.ts';
import { RateLimit } from '../../src/adapters/seed-client/rate-limit.ts';
import { SeedConnection } from '../../src/adapters/seed-client/seed-connection.ts';
import { UndiciKubeClient } from '../../src/adapters/seed-client/undici-kube-client.ts';
import { seedWatch } from '../../src/adapters/seed-watch/seed-watch.ts';
import { kubeShootApi } from '../../src/adapters/shoot/kube-shoot-api.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { ShootPath } from '../../src/domain/prober/shoot-path.ts';
import type { StreamNotice } from '../../src/adapters/reflector/stream-item.ts';
import type { SeedEvent } from '../../src/machines/shoot-language.ts';
import { startEmbeddedSeed } from '../../src/simulator/embedded-seed.ts';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import { controllerManager, gardenerConfig, twoPathConfig } from '../support/prober-configs.ts';
import { settled } from '../support/virtual-clock.ts';

const usual = { ...gardenerConfig, dependants: [controllerManager] };

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function stage(shoots: number, config: ProberConfig = usual) {
  // Faster than real time, since the test waits for pauses of seconds. Not faster still, since requests have time-outs too.
  const clock = scaledClock(4);
  const seed = await startEmbeddedSeed({
    clock,
    chance: seededChance(7),
    config,
    shoots,
    nodes: 1,
    sharedCertificates: true,
  });
  seed.api.tokens.set('prober', 'prober');
  const read = () =>
    Promise.resolve({
      server: seed.api.url,
      headers: { authorization: 'Bearer prober' },
      tls: { ca: seed.api.certificates.ca },
    });
  const connection = new SeedConnection({ origin: 'a test', read }, clock);
  const limit = new RateLimit(clock, 'unlimited');
  const client = new UndiciKubeClient({ connection, clock, limit, userAgent: 'test' });
  const notices: StreamNotice[] = [];
  const watch = seedWatch({ client, clock, chance: seededChance(8), config, notice: (notice) => notices.push(notice) });
  opened.push(
    () => seed.stop(),
    () => connection.close(),
  );
  return { clock, seed, watch, notices };
}

/** Collects all events of a shoot, and waits for the next one that matches. */
function collector(events$: Observable<SeedEvent>) {
  const heard: SeedEvent[] = [];
  let wake: (() => void) | undefined;
  const subscription = events$.subscribe((event) => {
    heard.push(event);
    wake?.();
  });
  let seen = 0;
  const next = async (matches: (event: SeedEvent) => boolean): Promise<SeedEvent> => {
    for (;;) {
      while (seen < heard.length) {
        const event = heard[seen++];
        if (event !== undefined && matches(event)) return event;
      }
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return { heard, next, subscription };
}

const isLive = (live: boolean) => (event: SeedEvent) => event.type === 'dependant.watched' && event.live === live;
const isMissing = (event: SeedEvent) => event.type === 'dependant.changed' && !event.view.found;
const isHibernation = (enabled: boolean) => (event: SeedEvent) =>
  event.type === 'cluster.changed' && event.reading.readable && event.reading.cluster.hibernationEnabled === enabled;

/** What is told before the first lists are in. */
const begun = ['dependant.watched', 'cluster.watched'];

test('3 over the wire: what is there is known, and each change of the Cluster is seen', async () => {
  const { seed, watch } = await stage(45);
  const shoots = collector(watch.events$('shoot--demo--07'));
  const sets: number[] = [];
  const all = watch.shoots$.subscribe((set) => sets.push(set.size));
  await firstValueFrom(watch.synced$.pipe(filter((is) => is)));
  expect(sets).toEqual([45]);
  expect(shoots.heard.map(({ type }) => type).toSorted()).toEqual(
    [
      ...begun,
      'dependant.changed',
      'dependant.watched',
      'cluster.changed',
      'cluster.watched',
      'cluster.changed',
    ].toSorted(),
  );

  const shoot = seed.shoot('shoot--demo--07');
  shoot.hibernate();
  await shoots.next(isHibernation(true));
  shoot.wake();
  await shoots.next(isHibernation(false));
  shoot.makeUnreadable();
  await shoots.next((event) => event.type === 'cluster.changed' && !event.reading.readable);
  shoot.delete();
  await shoots.next(({ type }) => type === 'cluster.gone');
  expect(sets).toEqual([45, 44]);
  all.unsubscribe();
  shoots.subscription.unsubscribe();
});

test('4.1 over the wire: a renewed kubeconfig is held as soon as it is written', async () => {
  const { seed, watch } = await stage(1);
  const shoots = collector(watch.events$('shoot--demo--01'));
  await firstValueFrom(watch.synced$.pipe(filter((is) => is)));
  const before = watch.kubeconfigOf('shoot--demo--01', usual.kubeConfigSecretName);
  expect(before).toContain(seed.shoots[0]?.api.url);
  seed.shoot('shoot--demo--01').rotateSecret();
  seed.shoot('shoot--demo--01').hibernate();
  await shoots.next(isHibernation(true));
  // Another stream has shown what came later; this one may be a moment behind.
  while (watch.kubeconfigOf('shoot--demo--01', usual.kubeConfigSecretName) === before) await settled();
  expect(watch.kubeconfigOf('shoot--demo--01', usual.kubeConfigSecretName)).not.toBe(before);
  shoots.subscription.unsubscribe();
});

test('4.1 4.9 over the wire: both kubeconfigs are held, and each path is asked with its own', async () => {
  const { seed, watch } = await stage(1, { ...twoPathConfig, dependants: [controllerManager] });
  const shoot = seed.shoot('shoot--demo--01');
  const shoots = collector(watch.events$(shoot.name));
  await firstValueFrom(watch.synced$.pipe(filter((is) => is)));
  const api = kubeShootApi({
    kubeconfigOf: (of, name) => watch.kubeconfigOf(of, name),
    config: twoPathConfig,
    clock: systemClock,
    onRequest: () => undefined,
  });
  const told = (path: ShootPath) =>
    api.askPath(shoot.name, path, systemClock.now() + 30_000, new AbortController().signal);
  const both = async () =>
    [await told('internal'), await told('external')].map((failure) => failure?.reason ?? 'answered').join(' ');
  expect(await both()).toBe('answered answered');
  await shoot.paths.break('external', { kind: 'cut' });
  expect(await both()).toBe('answered unreachable');
  await shoot.paths.heal('external');
  await shoot.paths.break('internal', { kind: 'refuse' });
  expect(await both()).toBe('unreachable answered');
  await shoot.paths.heal('internal');

  for (const path of ['internal', 'external'] as const) {
    shoot.rotateSecret(path);
    await expect.poll(both, { interval: 5, timeout: 10_000 }).toBe('answered answered');
    shoot.removeSecret(path);
    await expect.poll(async () => (await told(path))?.reason, { interval: 5, timeout: 10_000 }).toBe('kubeconfig');
    expect(await told(path === 'internal' ? 'external' : 'internal')).toBeUndefined();
    shoot.rotateSecret(path);
    await expect.poll(both, { interval: 5, timeout: 10_000 }).toBe('answered answered');
  }
  shoots.subscription.unsubscribe();
});

test('6.6 over the wire: after cuts, 410 and an outage every stream is right again, and says so', async () => {
  const { seed, watch, notices } = await stage(3);
  const shoots = collector(watch.events$('shoot--demo--02'));
  await shoots.next(isLive(true));
  const deployments = seed.api.storage.store.of(kinds.deployment);

  seed.api.breakWatches();
  seed.shoot('shoot--demo--02').hibernate();
  await shoots.next(isHibernation(true));

  seed.api.expireWatches();
  seed.shoot('shoot--demo--02').wake();
  await shoots.next(isHibernation(false));
  expect(shoots.heard.filter(isLive(false))).toHaveLength(1);

  await seed.api.down();
  await shoots.next(isLive(false));
  deployments.remove(`shoot--demo--02/kube-controller-manager`);
  seed.shoot('shoot--demo--01').delete();
  seed.api.storage.store.compact();
  await seed.api.up();
  // The watch may open before it is told that its place is gone, or the list come first.
  await shoots.next(isMissing);
  const last = shoots.heard.findLast(({ type }) => type === 'dependant.watched');
  if (last?.type === 'dependant.watched' && !last.live) await shoots.next(isLive(true));
  const present = await firstValueFrom(watch.shoots$.pipe(filter(({ size }) => size === 2)));
  expect([...present]).toEqual(['shoot--demo--02', 'shoot--demo--03']);
  expect(new Set(notices.flatMap((one) => (one.kind === 'restarted' ? [one.why] : [])))).toEqual(
    new Set(['failed', 'expired']),
  );
  shoots.subscription.unsubscribe();
});

test('6.6 over the wire: a watch that is refused is out, and live once it is permitted', async () => {
  const { seed, watch } = await stage(1);
  seed.api.refuseWatches(['deployments']);
  const shoots = collector(watch.events$('shoot--demo--01'));
  await shoots.next(isLive(true));
  await shoots.next(isLive(false));
  seed.api.refuseWatches([]);
  expect(await shoots.next(isLive(true))).toMatchObject({ key: controllerManager.key });
  shoots.subscription.unsubscribe();
});

test('1.4 over the wire: who leaves closes every watch', async () => {
  const { seed, watch } = await stage(1);
  const shoots = collector(watch.events$('shoot--demo--01'));
  await firstValueFrom(watch.synced$.pipe(filter((is) => is)));
  while (seed.api.watches < 3) await settled();
  shoots.subscription.unsubscribe();
  while (seed.api.watches > 0) await settled();
  expect(watch.kubeconfigOf('shoot--demo--01', usual.kubeConfigSecretName)).toBeUndefined();
});
