import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { between } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Happening } from '../happening.ts';
import type { Scene } from '../scene.ts';
import { slotOf } from './at-request.ts';

/** The default of `--leader-elect-retry-period`. */
const retryPeriod = 2_000;

/** A leader is told to end in the very moment in which it has sent its next renewal. */
export const renewals: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: ({ election, replicas }) => (election || replicas.prober > 1 || replicas.weeder > 1 ? 1.5 : 0),
    draw: (chance, _, at) => [{ at, kind: 'leader told to end as it renews', of: { late: between(chance, 0, 20) } }],
    strike: { 'leader told to end as it renews': endWithRenewal },
    tell: ({ kind, of }) => `a ${kind}, ${Number(of?.['late'])} ms later`,
  },
];

/** The one whose renewal comes next. */
function endWithRenewal(scene: Scene, { of }: Happening): void {
  const { agenda, storage } = scene.seed.api;
  const stop = storage.store.of(kinds.lease).onChange(({ writer }) => {
    const slot = slotOf(scene, writer?.user ?? '');
    if (writer === undefined || slot === undefined) return;
    stop();
    agenda.at(writer.sentAt + retryPeriod + Number(of?.['late']), () => {
      if (slot === slotOf(scene, writer.user) && scene.calmSince === undefined) scene.terminate(slot);
    });
  });
  agenda.after(2 * retryPeriod, stop);
}
