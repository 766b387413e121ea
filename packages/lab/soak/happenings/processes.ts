import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { HappeningKind, Struck } from '../happening.ts';
import { slotNames } from '../seed-plan.ts';
import { slotOf } from './at-request.ts';

/** Ends and pauses of our own processes. */
export const processDeaths: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: 4,
    draw({ at, shape, between, oneOf }) {
      const of = { slot: oneOf(slotNames(shape)), length: between(1_000, oneOf([20_000, 240_000])) };
      return [{ at, kind: oneOf(['process crashed', 'process paused', 'process told to end']), of }];
    },
    strike: {
      'process crashed': ({ scene, slot }) => slot && scene.crash(slot),
      'process paused': ({ scene, slot, of }) => slot && scene.pause(slot, of.length),
      'process told to end': ({ scene, slot }) => slot && scene.terminate(slot),
    },
    tell: ({ kind, of }) => `${of.slot}: ${kind}${kind === 'process paused' ? ` for ${of.length} ms` : ''}`,
  },
  // A node that hosts all replicas fails, or a rollout ends them: no standby is there.
  {
    of: 'seed',
    hourly: 1,
    draw: ({ at, between, oneOf }) => [
      {
        at,
        kind: oneOf(['all processes crashed', 'all processes paused', 'all processes told to end']),
        of: { length: between(1_000, 120_000) },
      },
    ],
    strike: {
      'all processes crashed': ({ scene }) => scene.slots.forEach((slot) => scene.crash(slot)),
      'all processes paused': ({ scene, of }) => scene.slots.forEach((slot) => scene.pause(slot, of.length)),
      'all processes told to end': ({ scene }) => scene.slots.forEach((slot) => scene.terminate(slot)),
    },
    tell: ({ kind }) => kind,
  },
  // A process that crashes again soon after each start, so that the kubelet's back-off grows up to 5 minutes.
  {
    of: 'seed',
    hourly: 0.5,
    draw: ({ at, shape, between, oneOf }) => [
      {
        at,
        kind: 'crash loop',
        of: { slot: oneOf(slotNames(shape)), length: between(60_000, 900_000), lives: between(50, 8_000) },
      },
    ],
    strike: { 'crash loop': crashLoop },
    tell: ({ of }) => `${of.slot} crashed, and again ${of.lives} ms after each start, for ${of.length} ms`,
  },
];

function crashLoop({ scene, slot, of, agenda }: Struck): void {
  if (slot === undefined) return;
  const until = scene.now() + of.length;
  const crash = (): void => {
    if (scene.calmSince !== undefined || scene.now() > until) return;
    // Between two starts there is nothing to crash: look again soon.
    const lived = slot.process === undefined ? 0 : scene.now() - slot.startedAt;
    const left = of.lives - lived;
    if (slot.process !== undefined && left <= 0) scene.crash(slot);
    agenda.after(slot.process === undefined ? 1_000 : Math.max(left, 1), crash);
  };
  scene.crash(slot);
  crash();
}

/** The default of `--leader-elect-retry-period`. */
const retryPeriod: Millis = 2_000;

/** A leader is told to end in the very moment in which it has sent its next renewal. */
export const renewals: HappeningKind = {
  of: 'seed',
  hourly: ({ election, replicas }) => (election || replicas.prober > 1 || replicas.weeder > 1 ? 1.5 : 0),
  draw: ({ at, between }) => [{ at, kind: 'leader told to end as it renews', of: { late: between(0, 20) } }],
  strike: { 'leader told to end as it renews': endWithRenewal },
  tell: ({ kind, of }) => `a ${kind}, ${of.late} ms later`,
};

/** The one whose renewal comes next. */
function endWithRenewal({ scene, of, agenda }: Struck): void {
  const stop = scene.seed.api.storage.store.of(kinds.lease).onChange(({ writer }) => {
    const slot = slotOf(scene, writer?.user ?? '');
    if (writer === undefined || slot === undefined) return;
    stop();
    agenda.at(writer.sentAt + retryPeriod + of.late, () => {
      if (slot === slotOf(scene, writer.user) && scene.calmSince === undefined) scene.terminate(slot);
    });
  });
  agenda.after(2 * retryPeriod, stop);
}
