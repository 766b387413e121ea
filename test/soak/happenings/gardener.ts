import { workerPool } from '../../../src/simulator/shoot/shoot-objects.ts';
import { between, oneOf, strikes } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import { cutOff } from './outages.ts';
import { shootOf } from './shoot-of.ts';

/** What gardenlet and the garden say of a shoot in its Cluster; often just after its nodes were cut off, when it does the most harm. */
export const gardener: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 1.5,
    draw(chance, _, at, shoot) {
      const [begin, end] = oneOf(chance, [
        ['hibernated', 'woken'],
        ['migrated', 'reconciled'],
        ['made workerless', 'given workers'],
        ['Cluster garbled', 'Cluster mended'],
      ] as const);
      const isAtWorst = strikes(chance, 0.6);
      const length = between(chance, 20_000, 600_000);
      const cutOffAt = at - between(chance, 500, 60_000);
      return [
        ...(isAtWorst && cutOffAt > 0 ? cutOff(shoot, cutOffAt, at + between(chance, 1_000, 2 * length)) : []),
        { at, kind: begin, shoot },
        { at: at + length, kind: end, shoot },
      ];
    },
    strike: {
      hibernated: (scene, it) => shootOf(scene, it)?.hibernate(),
      woken: (scene, it) => shootOf(scene, it)?.wake(),
      migrated: (scene, it) => shootOf(scene, it)?.migrate(),
      reconciled: (scene, it) => shootOf(scene, it)?.reconcile(),
      'made workerless': (scene, it) => shootOf(scene, it)?.makeWorkerless(),
      'given workers': (scene, it) => shootOf(scene, it)?.giveWorkers(),
      'Cluster garbled': (scene, it) => shootOf(scene, it)?.makeUnreadable(),
      'Cluster mended': (scene, it) => mend(shootOf(scene, it)),
    },
    calm(scene) {
      for (const shoot of scene.seed.shoots) mend(shoot);
    },
    tell: ({ kind, shoot }) => `${shoot} was ${kind}`,
  },
];

/** As gardenlet writes it for a shoot that is awake and well. Where it is so already nothing is written, so calm tells no process what it has missed. */
function mend(shoot: ReturnType<typeof shootOf>): void {
  shoot?.editShoot({
    metadata: { deletionTimestamp: null },
    spec: { hibernation: null, kubernetes: {}, provider: { type: 'local', workers: [workerPool] } },
    status: { hibernated: false, lastOperation: { type: 'Reconcile', state: 'Succeeded' } },
  });
}
