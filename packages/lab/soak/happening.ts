import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { PathFault } from '@dwd/simulator/api/balancer.ts';
import type { Agenda } from '@dwd/simulator/store/agenda.ts';
import type { Draws } from './chance-of.ts';
import type { Scene, Shoot, Slot } from './scene.ts';
import type { SeedShape } from './seed-plan.ts';

/**
 * One thing that happens to a simulated seed, as plain data, so that a story can be told, cut down and played again. `at` counts from the beginning
 * of the life. The kinds stand in `happenings.ts`; each subject has its own file in `happenings/`.
 */
export type Happening = Readonly<{ at: Millis; kind: string; shoot?: ShootNamespace; of?: Partial<Details> }>;

type Numbers =
  | ('below' | 'by' | 'code' | 'count' | 'fraction' | 'json' | 'lag' | 'late' | 'length' | 'lives' | 'patience')
  | ('replicas' | 'retryAfterSeconds' | 'starts' | 'unnoticed' | 'which');

/** Whatever else a kind needs. A happening has all that its own kind reads, but for what may be left out. */
export type Details = Readonly<Record<Numbers, number>> &
  Readonly<Record<'fails' | 'meanwhile' | 'role' | 'slot' | 'tellsExpiredBy' | 'to' | 'trouble', string>> &
  Readonly<{ fault: PathFault }> &
  Readonly<Partial<Record<'after' | 'hold' | 'others' | 'server', number>>> &
  Readonly<Partial<Record<'as' | 'group' | 'phase', string>>> &
  Readonly<{ leads?: boolean }>;

/** With what a happening is drawn: its time, and its shoot, or '' where it is the seed's. */
export type Drawing = Draws & Readonly<{ shape: SeedShape; at: Millis; shoot: string }>;

/** A kind of happening: how it is drawn, what it does, and how it is told. */
export type HappeningKind = Readonly<{
  of: 'shoot' | 'seed';
  /** How often it comes in an hour of a shoot's life, or of the seed's where it is not of a shoot; 0 in plans that must not have it. */
  hourly: number | ((shape: SeedShape) => number);
  /** What it needs beside its time; may be many: what begins also ends, by a second happening, and may be of another kind. */
  draw(drawing: Drawing): readonly Happening[];
  /** What it does, by the name of its kind. */
  strike?: Readonly<Record<string, (struck: Struck) => void>>;
  /** Puts right what is still wrong by it when the weather ends. */
  calm?(scene: Scene): void;
  /** In the past tense, without the time: `the nodes of shoot--demo--01 were cut off`. Its kind and whom it befell unless told. */
  tell?(told: Happening & Readonly<{ of: Details }>): string;
}>;

/** A happening as it strikes. Shoot and slot are looked up each time they are asked for: they come and go, and a smaller plan may not have them. */
export class Struck {
  readonly scene: Scene;
  readonly it: Happening;
  readonly of: Details;

  constructor(scene: Scene, it: Happening) {
    this.scene = scene;
    this.it = it;
    this.of = detailsOf(it);
  }

  get shoot(): Shoot | undefined {
    return this.scene.seed.shoots.find(({ name }) => name === this.it.shoot);
  }

  get slot(): Slot | undefined {
    return this.scene.slots.find(({ name }) => name === this.of.slot);
  }

  get agenda(): Agenda {
    return this.scene.seed.api.agenda;
  }
}

export function detailsOf({ of = {} }: Happening): Details {
  return of as Details;
}

/** Nodes of a shoot are cut off, all of them unless told, and reach their API server again later. */
export function cutOff(shoot: string, at: Millis, healedAt: Millis, fraction = 1): readonly Happening[] {
  return [
    { at, kind: 'nodes cut off', shoot, of: { fraction } },
    { at: healedAt, kind: 'nodes healed', shoot },
  ];
}
