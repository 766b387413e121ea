import { expect, test } from 'vitest';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';
import { watchedSeed, type WatchedSeed } from '../support/watched-seed.ts';

/** What a shoot may do to its prober, other than answer. */
const nuisances: readonly Readonly<{ name: string; apply: (shoot: EmbeddedShoot) => unknown }>[] = [
  { name: 'is down', apply: (shoot) => shoot.down() },
  { name: 'hangs before the handshake', apply: (shoot) => shoot.hang('handshake') },
  { name: 'hangs before the answer', apply: (shoot) => shoot.hang('answer') },
  { name: 'answers in text', apply: (shoot) => shoot.garble('text') },
  { name: 'answers in wrong JSON', apply: (shoot) => shoot.garble('json') },
  { name: 'answers in bytes', apply: (shoot) => shoot.garble('bytes') },
  { name: 'floods with items', apply: (shoot) => shoot.flood('items', ({ resource }) => resource === 'leases') },
  { name: 'floods with pages', apply: (shoot) => shoot.flood('pages', ({ resource }) => resource === 'leases') },
  { name: 'drips', apply: (shoot) => shoot.flood('drip') },
  { name: 'throttles', apply: (shoot) => shoot.throttle(15) },
  { name: 'redirects', apply: ({ api }) => api.setFault({ kind: 'redirect', to: 'https://127.0.0.1:1/version' }) },
  { name: 'cuts its answers', apply: ({ api }) => api.setFault({ kind: 'cut' }) },
  { name: 'is at its wit’s end', apply: ({ api }) => api.setFault({ kind: 'status', code: 500 }) },
];

test('3.4 4.4 4.7 S1 whatever some shoots do, they are not scaled, the others are probed in time, and one that is cut off is shielded', async () => {
  await using stage = await watchedSeed({ shoots: nuisances.length + 2, sharedCertificates: true });
  const { shoots } = stage.seed;
  const [healthy, cutOff] = [nuisances.length, nuisances.length + 1];
  await stage.pass(5_000);

  await Promise.all(nuisances.map(({ apply }, index) => apply(shoots[index]!)));
  for (const shoot of shoots.slice(0, nuisances.length)) shoot.cutOff();
  stage.shoot(cutOff).cutOff();
  const probes = stage.probes(healthy);
  await stage.untilState('scaledDown', 45_000, cutOff);
  await stage.pass(150_000 - 45_000);
  expect(stage.probes(healthy) - probes).toBeGreaterThanOrEqual(3);
  expect(new Set(stage.changes.all.map(({ shoot }) => shoot))).toEqual(new Set([stage.shoot(cutOff).name]));
  expect(stage.shoot(cutOff).marks).toEqual([]);
  expect(stage.clock.now()).toBeGreaterThan(stage.notesOf('shielded')[0]!.firstMarkAt);

  await Promise.all(shoots.map((shoot) => shoot.up()));
  for (const shoot of shoots) shoot.heal();
  await stage.until(() => stage.areAll('probing'), 180_000, 'all are well');
  const asked = shoots.map((_, index) => stage.probes(index));
  await stage.pass(75_000);
  const since = shoots.map((_, index) => stage.probes(index) - asked[index]!);
  expect(Math.min(...since)).toBeGreaterThanOrEqual(2);
  expect(shoots.filter(({ name }) => lastAnswer(stage, name) !== 'probe.answered')).toEqual([]);
});

function lastAnswer({ turns }: WatchedSeed, shoot: string): string | undefined {
  return turns.findLast((turn) => turn.subject === shoot && turn.event.type.startsWith('probe.'))?.event.type;
}
