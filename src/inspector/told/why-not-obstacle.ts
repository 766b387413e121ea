import type { TurnName } from '../../adapters/turns/turn-name.ts';
import type { ScaleDirection } from '../../machines/shoot-language.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import type { ShootContext } from '../../machines/shoot-context.ts';
import type { Fact } from './explanation.ts';
import type { RetakenTurn } from './retaken.ts';
import type { WhyNotRule } from './why-not-rules.ts';

export type ShootTurnTaken = RetakenTurn<ShootLanguage>;

/** What stood in the way of something that an operator expected. */
export type Obstacle = Readonly<{
  kind: string;
  /** One sentence, for an operator. */
  sentence: string;
  /** What was compared, and with what. */
  saw: readonly Fact[];
  /** The rules of docs/specification.md that say so. */
  rules: readonly WhyNotRule[];
  /** The turn that it is about, where that is an earlier one. */
  turn?: TurnName;
}>;

/** Why it was not done to one dependant, or to one pod. `did`: in this turn. `done`: nothing is left to do, or it is done by others. */
export type PartAnswer = Readonly<{
  key: string;
  name: string;
  is: 'did' | 'underWay' | 'waiting' | 'done' | 'hindered';
  sentence: string;
  rules: readonly WhyNotRule[];
}>;

/** The answer to a question that begins with "why not". `parts`: each dependant, or pod, by itself. */
export type WhyNot = Readonly<{
  /** `did`: it was done in this very turn. `underWay`: nothing stood in the way, and it had begun. */
  outcome: 'did' | 'underWay' | 'hindered';
  /** One sentence. */
  answer: string;
  /** In the order in which they stood in the way: the first one decides. */
  obstacles: readonly Obstacle[];
  parts: readonly PartAnswer[];
}>;

/** A turn of a shoot, with all that is known where it ends. */
export type Asked = Readonly<{
  turns: readonly ShootTurnTaken[];
  index: number;
  direction: ScaleDirection;
  one: ShootTurnTaken;
  context: ShootContext;
  probe: string;
  shield: string;
}>;
