import type { TroublesSeen } from './laws/troubles-seen.ts';
import type { Ears } from './observation.ts';
import type { Scene } from './scene.ts';

/** A law that holds at every instant of every life. It is begun once for each life, and keeps what it needs. */
export type Law = Readonly<{
  /** Begins with the rules that it checks: `S6 only who holds the Lease writes`. */
  name: string;
  begin(scene: Scene, court: Court): LawInForce;
}>;

type Court = Readonly<{
  /** Of the life, one for all its laws; they have heard and seen whatever a law is told. */
  troubles: TroublesSeen;
  /** The law is broken: says how, in words. */
  breaks(why: string): void;
}>;

/** A law in force hears of a life, and looks at it. */
export type LawInForce = Ears &
  Readonly<{
    /** Called each simulated second. */
    look?(): void;
    /** Called once, when calm has lasted for as long as all may take to be as before, and again when it was quiet after that. */
    settled?(): void;
    quiet?(): void | Promise<void>;
    /** How often it had something to judge, by what: a law that never judges holds nothing. Asked when the life is over. */
    counts?(): Readonly<Record<string, number>>;
  }>;

export type BrokenLaw = Readonly<{ law: string; why: string; at: number }>;
