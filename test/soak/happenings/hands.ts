import { ignoreAnnotation as ignore } from '../../../src/domain/prober/resource-view.ts';
import type { Millis } from '../../../src/domain/time.ts';
import type { ShootDependants } from '../../../src/simulator/shoot/shoot-dependants.ts';
import { between, oneOf, strikes } from '../chance-of.ts';
import { cutOff } from './outages.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Scene } from '../scene.ts';
import type { Happening } from '../happening.ts';
import { shootOf } from './shoot-of.ts';

const dependantsOf = (scene: Scene, it: Happening) => shootOf(scene, it)?.dependants;

/** Which dependants there are is the configuration's. */
function nameOf(scene: Scene, it: Happening): string {
  const { names = [] } = dependantsOf(scene, it) ?? {};
  return names[Number(it.of?.['which']) % names.length] ?? '';
}

/** In calm what is ignored stays so for as long as the laws need to tell that nothing but a mistake leaves a mark on it. */
const stillIgnored: Millis = 600_000;

/** Operators and autoscalers who write the dependants that we write. */
export const hands: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 3,
    draw(chance, _, at, shoot) {
      const which = between(chance, 0, 5);
      const replicas = between(chance, 0, 4);
      const length = between(chance, 5_000, 400_000);
      const end = at + length;
      const cutOffAt = at - between(chance, 100, 70_000);
      const [begin, over] = oneOf(chance, [
        ['scaled by hand', undefined],
        ['scaled by hand', undefined],
        ['told to ignore', 'told to heed'],
        ['deleted by hand', 'created again'],
      ] as const);
      return [
        ...(strikes(chance, 0.6) && cutOffAt > 0
          ? cutOff(shoot, cutOffAt, at + between(chance, 1_000, 2 * length))
          : []),
        { at, kind: begin, shoot, of: { which, replicas } },
        ...(over === undefined ? [] : [{ at: end, kind: over, shoot, of: { which, replicas: 1 } }]),
      ];
    },
    strike: {
      'scaled by hand': (scene, it) => {
        const dependants = dependantsOf(scene, it);
        const name = nameOf(scene, it);
        if (dependants?.get(name) !== undefined) dependants.scale(name, Number(it.of?.['replicas']));
      },
      'told to ignore': (scene, it) => annotate(scene, it, 'true'),
      'told to heed': (scene, it) => annotate(scene, it, null),
      'deleted by hand': (scene, it) => dependantsOf(scene, it)?.remove(nameOf(scene, it)),
      'created again': (scene, it) => {
        const dependants = dependantsOf(scene, it);
        const name = nameOf(scene, it);
        if (name !== '' && dependants?.get(name) === undefined) dependants?.add(name, 1);
      },
    },
    calm(scene) {
      for (const { dependants } of scene.seed.shoots) {
        for (const name of dependants.names) {
          if (dependants.get(name) === undefined) dependants.add(name, 1);
          else scene.seed.api.agenda.after(stillIgnored, () => heed(dependants, name));
        }
      }
    },
    tell: ({ kind, shoot, of }) => `dependant ${Number(of?.['which'])} of ${shoot} was ${kind}`,
  },
];

function heed(dependants: ShootDependants, name: string): void {
  if (dependants.get(name) !== undefined) dependants.annotate(name, { [ignore]: null });
}

function annotate(scene: Scene, it: Happening, value: string | null): void {
  const dependants = dependantsOf(scene, it);
  const name = nameOf(scene, it);
  if (dependants?.get(name) !== undefined) dependants.annotate(name, { [ignore]: value });
}
