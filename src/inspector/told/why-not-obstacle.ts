import type { DependantKey } from '../../domain/prober/dependant.ts';
import type { ScaleDirection } from '../../machines/shoot-language.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import type { ShootContext } from '../../machines/shoot-context.ts';
import type { Fact } from './explanation.ts';
import type { RetakenTurn } from './retaken.ts';

export type ShootTurnTaken = RetakenTurn<ShootLanguage>;

/** What stood in the way of something that an operator expected. */
export type Obstacle = Readonly<{
  kind: string;
  /** One sentence, for an operator. */
  sentence: string;
  /** What was compared, and with what. */
  saw: readonly Fact[];
  /** The rules of docs/specification.md that say so: `5.3`. */
  rules: readonly string[];
}>;

/** Why one dependant of a shoot was not scaled, or that it was. `done`: nothing is left to do, or it is done by others. */
export type DependantAnswer = Readonly<{
  key: DependantKey;
  name: string;
  is: 'scaled' | 'underWay' | 'waiting' | 'done' | 'hindered';
  sentence: string;
  rules: readonly string[];
}>;

/** The answer to a question that begins with "why not". */
export type WhyNot = Readonly<{
  /** `did`: it was done in this very turn. `underWay`: nothing stood in the way, and it had begun. */
  outcome: 'did' | 'underWay' | 'hindered';
  /** One sentence. */
  answer: string;
  /** In the order in which they stood in the way: the first one decides. */
  obstacles: readonly Obstacle[];
  dependants: readonly DependantAnswer[];
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
