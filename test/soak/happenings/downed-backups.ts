import { between, oneOf } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Happening } from '../happening.ts';
import type { Scene } from '../scene.ts';
import { cutOff, shootNames } from './outages.ts';
import { restoreWhileAway } from './restores.ts';
import { shootOf } from './shoot-of.ts';

/**
 * A backup of the moment in which something that we took down goes up again. It is restored once that is up, from under a process that is well, while the
 * API servers are away; by the time they are back the seed's counter has overtaken what the process knows. Where there is no election, no Lease shows what
 * happened.
 */
export const downedBackups: readonly HappeningKind[] = [
  {
    of: 'seed',
    // Seldom enough: what is listed again for 5 minutes after a restore hides what the next one leaves.
    hourly: ({ restores, election, replicas }) => (restores && !election && replicas.prober === 1 ? 5 : 0),
    draw(chance, shape, at) {
      const shoot = oneOf(chance, shootNames(shape.shoots));
      const healed = at + between(chance, 60_000, 150_000);
      const of = {
        after: between(chance, 1_000, 30_000),
        // After some more tries to reach the seed everything would be listed anyway.
        length: between(chance, 500, 3_000),
        others: oneOf(chance, [5, 500, 500]),
      };
      return [...cutOff(shoot, at, healed), { at: healed, kind: 'etcd backed up as it goes up', shoot, of }];
    },
    strike: { 'etcd backed up as it goes up': backUp },
    tell: ({ kind, shoot }) => `the seed's ${kind}: ${shoot}`,
  },
];

/** Before the seed carries out a write to something of the shoot that is at 0. Whoever waits for one gives up after a minute. */
function backUp(scene: Scene, it: Happening): void {
  const { agenda, storage } = scene.seed.api;
  const stops = scene.servers().map((server) =>
    server.onRequest(({ verb, namespace, name }) => {
      if (verb !== 'patch' || namespace !== it.shoot) return;
      if (shootOf(scene, it)?.dependants.get(name)?.desired !== 0) return;
      leave();
      const backup = storage.store.backup();
      agenda.after(Number(it.of?.['after']), () => {
        const isUp = shootOf(scene, it)?.dependants.get(name)?.desired !== 0;
        if (!isUp || !isWell(scene)) return;
        scene.backup = backup;
        restoreNow(scene, it);
      });
    }),
  );
  const leave = (): void => stops.forEach((stop) => stop());
  agenda.after(60_000, leave);
}

/** The weather lasts, and the process can learn whatever the seed shows. */
function isWell(scene: Scene): boolean {
  const prober = scene.slot('prober-0');
  const isThere = prober?.process?.isPaused === false && prober.links.seed.out === undefined;
  return isThere && scene.calmSince === undefined && scene.servers().every((server) => server.isWell);
}

/** It is told as if it had been drawn for this moment. */
function restoreNow(scene: Scene, { of }: Happening): void {
  scene.observe({ kind: 'happening', happening: { at: scene.age, kind: 'etcd restored while away', of: { ...of } } });
  restoreWhileAway(scene, Number(of?.['others']));
  scene.seed.api.agenda.after(Number(of?.['length']), () => scene.servers().forEach((server) => void server.up()));
}
