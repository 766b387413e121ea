import type { Millis } from '../../../src/domain/time.ts';
import type { Blow, Moment } from '../director.ts';
import type { Scene } from '../scene.ts';
import type { SeedPlan } from '../seed-plan.ts';

/** One direction of a flow: what brings it about, and how one sees that it is over. */
export type Leg = Readonly<{
  name: string;
  begin(scene: Scene): void;
  isOver(scene: Scene): boolean;
  /** It must be over by then, whatever struck. */
  within: Millis;
}>;

/** Something that our processes do from its beginning to its end, so that they can be struck at each point of it. */
export type Flow = Readonly<{
  name: string;
  plan: SeedPlan;
  /** Until every process has its first lists, and knows who leads. */
  rest: Millis;
  legs: readonly Leg[];
  /** From the beginning of this one on every moment is a point; before it our processes have nothing to do. */
  firstLeg: number;
  /** Where the flow is what a standby does when its leader is struck: where that is, and by what, in all lives of the flow. */
  opening?: Readonly<{ isAt: (moment: Moment) => boolean; blow: Blow }>;
  /** All that must be the same at the end of each leg, in words that can be compared. */
  picture(scene: Scene): string;
  /** No node can be marked from now on, since nobody is there to mark it. */
  isSafe(scene: Scene): boolean;
}>;
