import type { Observation } from './observation.ts';
import type { Scene } from './scene.ts';
import type { TroublesSeen } from './laws/troubles-seen.ts';

/** A law that holds at every instant of every life. It is begun once for each life, and keeps what it needs. */
export type Law = Readonly<{
  /** Begins with the rules that it checks: `S6 only who holds the Lease writes`. */
  name: string;
  /** `troubles` are those of the life, one for all its laws; they have heard and seen whatever a law is told. */
  begin(scene: Scene, troubles: TroublesSeen): LawInForce;
}>;

/** Each returns in words how the law is broken; undefined while it holds. */
export type LawInForce = Readonly<{
  /** Called for everything that is observed, in order. */
  hear?(observation: Observation): string | undefined;
  /** Called each simulated second. */
  look?(): string | undefined;
  /** Called once, when calm has lasted for as long as all may take to be as before, and again when it was quiet after that. */
  settled?(): string | undefined;
  quiet?(): string | undefined | Promise<string | undefined>;
  /** How often it had something to judge, by what: a law that never judges holds nothing. Asked when the life is over. */
  counts?(): Readonly<Record<string, number>>;
}>;

export type BrokenLaw = Readonly<{ law: string; why: string; at: number }>;
