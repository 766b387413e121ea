import type { RoleName } from '../../../src/commands/role/role.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { Backup } from '../../../src/simulator/store/object-store.ts';
import { between, oneOf } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Happening } from '../happening.ts';
import { holderOf } from '../laws/lease-holder.ts';
import type { Scene } from '../scene.ts';
import { slotOf } from './at-request.ts';
import { restore } from './restores.ts';

const roles: readonly RoleName[] = ['prober', 'weeder'];

/**
 * A leader is told to end, and a backup has the Lease as it let it go. It is restored once another one leads and a standby is there again: to both of them the
 * Lease looks free.
 */
export const freedLeases: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: ({ restores, replicas }) => (restores && roles.some((role) => replicas[role] > 1) ? 3 : 0),
    draw: (chance, { replicas }, at) => [
      {
        at,
        kind: 'Lease let go and backed up',
        of: {
          role: oneOf(
            chance,
            roles.filter((role) => replicas[role] > 1),
          ),
          after: between(chance, 20_000, 80_000),
        },
      },
    ],
    strike: { 'Lease let go and backed up': letGo },
    tell: ({ kind, of }) => `${String(of?.['role'])}: ${kind}`,
  },
];

/** Whoever does not let it go at once does not do so any more. */
function letGo(scene: Scene, it: Happening): void {
  const { agenda, storage } = scene.seed.api;
  const role = String(it.of?.['role']);
  const leases = storage.store.of(kinds.lease);
  const lease = leases.list().find(({ object }) => object.metadata.name.includes(role));
  const leader = slotOf(scene, holderOf(lease?.object));
  if (lease === undefined || leader === undefined) return;
  const stop = leases.onChange(({ revision }) => {
    if (revision.key !== lease.key || holderOf(revision.object) !== '') return;
    stop();
    const backup = storage.store.backup();
    agenda.after(Number(it.of?.['after']), () => restoreNow(scene, role, backup));
  });
  agenda.after(10_000, stop);
  scene.terminate(leader);
}

/** It is told as if it had been drawn for this moment. */
function restoreNow(scene: Scene, role: string, backup: Backup): void {
  const own = scene.slots.filter((slot) => slot.role === role);
  const areThere = own.every(({ process, links }) => process?.isPaused === false && links.seed.out === undefined);
  if (!areThere || scene.calmSince !== undefined || !scene.servers().every((server) => server.isWell)) return;
  scene.backup = backup;
  scene.observe({ kind: 'happening', happening: { at: scene.age, kind: 'etcd restored', of: { unnoticed: 0 } } });
  restore(scene, (server) => server.restart());
}
