import { isEnded, nameOf, type TurnName } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import type { ScaleDirection, ShootCommand } from 'dependency-watchdog/machines/shoot-language.ts';
import type { Languages, ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';
import type { Fact } from '../explanation/explanation.ts';
import type { ReplayedTurn } from '../replayed-turn.ts';
import type { Rule } from '../explanation/rules.ts';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Language } from 'dependency-watchdog/machines/pure-machine.ts';

export type ShootTurnTaken = ReplayedTurn<ShootLanguage>;

/** What stood in the way of something that an operator expected. */
export type Obstacle = Readonly<{
  kind: string;
  /** One sentence, for an operator. */
  sentence: string;
  /** The rules of docs/specification.md that say so. */
  rules: readonly Rule[];
  /** What was compared, and with what. */
  saw: readonly Fact[];
  /** The turn that it is about, where that is an earlier one. */
  turn?: TurnName;
}>;

export function obstacle(
  kind: string,
  sentence: string,
  rules: readonly Rule[],
  saw: readonly Fact[] = [],
  about?: ReplayedTurn<Languages[keyof Languages]>['turn'],
): Obstacle {
  return { kind, sentence, rules, saw, ...(about === undefined ? {} : { turn: nameOf(about, about.run) }) };
}

/** Why it was not done to one dependant, or to one pod. */
export type PartAnswer = Readonly<{
  /** `did`: in this turn. `done`: nothing is left to do, or it is done by others. */
  is: 'did' | 'underWay' | 'waiting' | 'done' | 'hindered';
  sentence: string;
  rules: readonly Rule[];
}>;

export function part(is: PartAnswer['is'], sentence: string, ...rules: readonly Rule[]): PartAnswer {
  return { is, sentence, rules };
}

/** The answer to a question that begins with "why not". */
export type WhyNot = Readonly<{
  /** `did`: it was done in this very turn. `underWay`: nothing stood in the way, and it had begun. */
  outcome: 'did' | 'underWay' | 'hindered';
  /** One sentence. */
  answer: string;
  /** In the order in which they stood in the way: the first one decides. */
  obstacles: readonly Obstacle[];
  /** Each dependant, or pod, by itself. */
  parts: readonly (PartAnswer & Readonly<{ key: string; name: string }>)[];
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

/** Why it is unknown where a machine stood when a turn had ended. */
export function placeUnknown<Spoken extends Language>(
  noun: 'shoot' | 'service',
  one: ReplayedTurn<Spoken> | undefined,
): Obstacle {
  const event = one?.turn.event;
  if (event !== undefined && isEnded(event)) {
    const isGone = event.because === 'gone';
    const why = isGone ? `the ${noun} is gone` : 'a bug of the watchdog ended it';
    const rule = isGone ? (noun === 'shoot' ? '3.1' : '7.2') : '9.1';
    return obstacle('ended', `The machine of the ${noun} had ended: ${why}.`, [rule]);
  }
  const sentence =
    'Nothing that is recorded tells where the machine stood. Choose a later turn, or load the turns before this one.';
  return obstacle('unknown', sentence, ['9.6']);
}

/** The first obstacle is the answer. */
export function hindered(obstacles: readonly Obstacle[], parts: WhyNot['parts']): WhyNot {
  return { outcome: 'hindered', answer: obstacles[0]?.sentence ?? '', obstacles, parts };
}

/** A snapshot in a file may be anything and is not checked as a whole: an answer that fails says so. */
export function orUnreadable(answer: () => WhyNot): WhyNot {
  try {
    return answer();
  } catch (error) {
    const saw = [{ name: 'problem', value: errorWords(error) }];
    const sentence = 'What is recorded of this turn cannot be understood. Choose another turn.';
    return hindered([obstacle('unreadable', sentence, ['9.6'], saw)], []);
  }
}

type Scale = Extract<ShootCommand, { type: 'scale' }>;

/** Whether a command scales in this direction; a mark comes before the 0, and is taken away with the way up (SPEC 6.4, 6.5). */
export function isScaleIn(command: Readonly<{ type: string }>, direction: ScaleDirection): command is Scale {
  if (command.type !== 'scale') return false;
  const { change } = (command as Scale).params;
  const isDown = change.replicas === 0 || change.mark === true;
  return (direction === 'down') === isDown;
}
