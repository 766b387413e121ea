import type { Dependant } from 'dependency-watchdog/domain/prober/dependant.ts';
import { ignoreAnnotation as ignore } from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { ShootDependants } from '@dwd/simulator/shoot/shoot-dependants.ts';
import { cutOff, type HappeningKind, type Struck } from '../happening.ts';
import { atRequest, byAnother, patience, silenceSeed, type Asked } from './at-request.ts';

/** In calm what is ignored stays so for as long as the laws need to tell that nothing but a mistake leaves a mark on it. */
const stillIgnored: Millis = 600_000;

/** Operators and autoscalers who write the dependants that we write. */
export const hands: HappeningKind = {
  of: 'shoot',
  hourly: 3,
  draw({ at, shoot, between, oneOf, strikes }) {
    const which = between(0, 5);
    const replicas = between(0, 4);
    const length = between(5_000, 400_000);
    const cutOffAt = at - between(100, 70_000);
    const [begin, over] = oneOf([
      ['scaled by hand', undefined],
      ['scaled by hand', undefined],
      ['told to ignore', 'told to heed'],
      ['deleted by hand', 'created again'],
    ] as const);
    return [
      ...(strikes(0.6) && cutOffAt > 0 ? cutOff(shoot, cutOffAt, at + between(1_000, 2 * length)) : []),
      { at, kind: begin, shoot, of: { which, replicas } },
      ...(over === undefined ? [] : [{ at: at + length, kind: over, shoot, of: { which, replicas: 1 } }]),
    ];
  },
  strike: {
    'scaled by hand': (struck) => withDependant(struck, (own, name) => own.scale(name, struck.of.replicas)),
    'told to ignore': (struck) => withDependant(struck, (own, name) => own.annotate(name, { [ignore]: 'true' })),
    'told to heed': (struck) => withDependant(struck, heed),
    'deleted by hand': ({ shoot, of }) => shoot?.dependants.remove(nameOf(shoot.dependants, of.which)),
    'created again': ({ shoot, of }) => {
      const name = nameOf(shoot?.dependants, of.which);
      if (name !== '' && shoot?.dependants.get(name) === undefined) shoot?.dependants.add(name, 1);
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
  tell: ({ kind, shoot, of }) => `dependant ${of.which} of ${shoot} was ${kind}`,
};

/** Which dependants there are is the configuration's. */
function nameOf(dependants: ShootDependants | undefined, which: number): string {
  const { names = [] } = dependants ?? {};
  return names[which % names.length] ?? '';
}

/** Where there is such a one. */
function withDependant({ shoot, of }: Struck, does: (own: ShootDependants, name: string) => void): void {
  const name = nameOf(shoot?.dependants, of.which);
  if (shoot?.dependants.get(name) !== undefined) does(shoot.dependants, name);
}

function heed(dependants: ShootDependants, name: string): void {
  if (dependants.get(name) !== undefined) dependants.annotate(name, { [ignore]: null });
}

const atWrite = (does: (struck: Struck, asked: Asked) => void) => (struck: Struck) =>
  atRequest(struck, 'patch', (asked) => does(struck, asked));

/**
 * What happens in the very moment in which one of our writes reaches the seed, in an outage that begins for it. By chance alone it would come
 * once in thousands of lives.
 */
export const worstMoments: HappeningKind = {
  of: 'shoot',
  hourly: 4,
  draw({ at, shoot, between, oneOf }) {
    const kind = oneOf([
      'overtaken by a hand',
      'told to ignore as it is written',
      'paused as it writes',
      'paused as it writes',
      'crashed as it writes',
      'cut off as it writes',
      'hibernated as it writes',
    ]);
    const of = { which: between(1, 4), replicas: between(1, 4), length: between(16_000, 90_000) };
    const healed = at + between(30_000, 180_000);
    const end = { at: healed + of.length, shoot };
    return [
      { at, kind, shoot, of },
      ...cutOff(shoot, at + 1, healed),
      ...(kind === 'hibernated as it writes' ? [{ ...end, kind: 'Cluster mended' }] : []),
      // That is at no write.
      ...(kind === 'told to ignore as it is written' ? [{ ...end, kind: 'heeded again', of: { which: NaN } }] : []),
    ];
  },
  strike: {
    'overtaken by a hand': atWrite(({ shoot, of }, { name }) => shoot?.dependants.scale(name, of.replicas)),
    'told to ignore as it is written': atWrite(({ shoot }, { name }) =>
      shoot?.dependants.annotate(name, { [ignore]: 'true' }),
    ),
    'heeded again': ({ shoot }) => shoot?.dependants.names.forEach((name) => heed(shoot.dependants, name)),
    'paused as it writes': atWrite(({ scene, of }, { slot }) => slot && scene.pause(slot, of.length)),
    'crashed as it writes': atWrite(({ scene }, { slot }) => slot && scene.crash(slot)),
    'cut off as it writes': atWrite((struck, { slot }) => slot && silenceSeed(struck, slot)),
    'hibernated as it writes': atWrite(({ shoot }) => shoot?.hibernate()),
  },
  tell: ({ kind, shoot, of }) => `${shoot}: ${kind}, at write ${of.which}`,
};

/**
 * In an outage somebody overtakes each of our writes to one dependant until it is late on the way down, and the flow goes on without it. Then something
 * below it is raised, and our writes to that are overtaken, too: the flow goes back to it, and what is late has to wait.
 */
export const lateWays: HappeningKind = {
  of: 'shoot',
  hourly: 1.5,
  draw({ at, shoot, between }) {
    const of = { which: between(0, 5), below: between(0, 5), length: between(5_000, 25_000) };
    return [
      { at, kind: 'overtaken until it is late', shoot, of },
      ...cutOff(shoot, at + 1, at + between(130_000, 300_000)),
    ];
  },
  strike: { 'overtaken until it is late': overtake },
  tell: ({ kind, shoot, of }) =>
    `dependant ${of.which} of ${shoot} was ${kind}, and then one below it, for ${of.length} ms`,
};

/** Nothing happens where all dependants are of one level. */
function overtake(struck: Struck): void {
  const { scene, it, of, agenda } = struck;
  /** Those that have to be down before it. */
  const below = (own: Dependant) =>
    dependantsThere(struck).filter(({ scaleDown }) => scaleDown.level < own.scaleDown.level);
  const late = nth(
    of.which,
    dependantsThere(struck).filter((one) => below(one).length > 0),
  );
  if (late === undefined) return;
  let firstAt: Instant | undefined;
  let raised: Dependant | undefined;
  const stop = scene.seed.api.onRequest(({ verb, namespace, name }) => {
    if (scene.calmSince !== undefined) return stop();
    if (verb !== 'patch' || namespace !== it.shoot || (name !== late.ref.name && name !== raised?.ref.name)) return;
    // That is a way up.
    if (struck.shoot?.dependants.get(name)?.desired === 0) return;
    firstAt ??= scene.now();
    const isLate = scene.now() - firstAt >= late.scaleDown.timeout;
    byAnother(scene, () => raise(struck, name));
    if (!isLate || raised !== undefined) return;
    raised = nth(of.below, below(late));
    if (raised === undefined) return stop();
    const { name: lower } = raised.ref;
    byAnother(scene, () => raise(struck, lower));
    agenda.after(of.length, stop);
  });
  agenda.after(patience, stop);
}

/** To another count than it has, since what changes nothing is no write. */
function raise({ shoot }: Struck, name: string): void {
  const desired = shoot?.dependants.get(name)?.desired;
  if (desired !== undefined) shoot?.dependants.scale(name, 1 + (desired % 4));
}

function dependantsThere({ scene, shoot }: Struck): readonly Dependant[] {
  return scene.config.dependants.filter(({ ref }) => shoot?.dependants.get(ref.name) !== undefined);
}

function nth(which: number, among: readonly Dependant[]): Dependant | undefined {
  return among[which % among.length];
}
