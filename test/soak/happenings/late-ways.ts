import type { Dependant } from '../../../src/domain/prober/dependant.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { between } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Happening } from '../happening.ts';
import type { Scene } from '../scene.ts';
import { byAnother } from './at-request.ts';
import { cutOff } from './outages.ts';
import { shootOf } from './shoot-of.ts';

/** Whoever waits for a way down that does not come gives up. */
const patience: Millis = 300_000;

/**
 * In an outage somebody overtakes each of our writes to one dependant until it is late on the way down, and the flow goes on without it. Then something
 * below it is raised, and our writes to that are overtaken, too: the flow goes back to it, and what is late has to wait.
 */
export const lateWays: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 1.5,
    draw(chance, _, at, shoot) {
      const of = { which: between(chance, 0, 5), below: between(chance, 0, 5), length: between(chance, 5_000, 25_000) };
      return [
        { at, kind: 'overtaken until it is late', shoot, of },
        ...cutOff(shoot, at + 1, at + between(chance, 130_000, 300_000)),
      ];
    },
    strike: { 'overtaken until it is late': overtake },
    tell: ({ kind, shoot, of }) =>
      `dependant ${Number(of?.['which'])} of ${shoot} was ${kind}, and then one below it, for ${Number(of?.['length'])} ms`,
  },
];

/** Nothing happens where all dependants are of one level. */
function overtake(scene: Scene, it: Happening): void {
  const { agenda } = scene.seed.api;
  const late = nth(
    it.of?.['which'],
    dependantsThere(scene, it).filter((one) => allBelow(scene, it, one).length > 0),
  );
  if (late === undefined) return;
  let firstAt: Instant | undefined;
  let raised: Dependant | undefined;
  const stop = scene.seed.api.onRequest(({ verb, namespace, name }) => {
    if (scene.calmSince !== undefined) return stop();
    if (verb !== 'patch' || namespace !== it.shoot || (name !== late.ref.name && name !== raised?.ref.name)) return;
    // That is a way up.
    if (shootOf(scene, it)?.dependants.get(name)?.desired === 0) return;
    firstAt ??= scene.now();
    const isLate = scene.now() - firstAt >= late.scaleDown.timeout;
    byAnother(scene, () => raise(scene, it, name));
    if (!isLate || raised !== undefined) return;
    raised = nth(it.of?.['below'], allBelow(scene, it, late));
    if (raised === undefined) return stop();
    const { name: lower } = raised.ref;
    byAnother(scene, () => raise(scene, it, lower));
    agenda.after(Number(it.of?.['length']), stop);
  });
  agenda.after(patience, stop);
}

/** To another count than it has, since what changes nothing is no write. */
function raise(scene: Scene, it: Happening, name: string): void {
  const dependants = shootOf(scene, it)?.dependants;
  const desired = dependants?.get(name)?.desired;
  if (desired !== undefined) dependants?.scale(name, 1 + (desired % 4));
}

function dependantsThere(scene: Scene, it: Happening): readonly Dependant[] {
  const dependants = shootOf(scene, it)?.dependants;
  return scene.config.dependants.filter(({ ref }) => dependants?.get(ref.name) !== undefined);
}

/** Those that have to be down before it. */
function allBelow(scene: Scene, it: Happening, { scaleDown: { level } }: Dependant): readonly Dependant[] {
  return dependantsThere(scene, it).filter(({ scaleDown }) => scaleDown.level < level);
}

function nth(which: unknown, among: readonly Dependant[]): Dependant | undefined {
  return among[Number(which) % among.length];
}
