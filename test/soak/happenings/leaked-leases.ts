import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { createObject } from '../../../src/simulator/store/object-writes.ts';
import { leaseObject } from '../../../src/simulator/shoot/shoot-objects.ts';
import { between } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import { shootOf } from './shoot-of.ts';

const day = 86_400_000;

/** Leases of nodes that are gone for long: nobody deletes them, in the weather or in the calm after it. */
export const leakedLeases: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: ({ twoPaths }) => (twoPaths ? 0 : 0.3),
    draw: (chance, _, at, shoot) => [{ at, kind: 'leases leaked', shoot, of: { count: between(chance, 1, 5) } }],
    strike: {
      'leases leaked': (scene, it) => {
        const storage = shootOf(scene, it)?.api.storage;
        if (storage === undefined) return;
        for (let index = 0; index < Number(it.of?.['count']); index += 1)
          createObject(storage, kinds.lease, leaseObject(`gone-${it.at}-${index}`, scene.now() - day));
      },
    },
    tell: ({ shoot, of }) => `${shoot}: ${String(of?.['count'])} leases of nodes that are gone`,
  },
];
