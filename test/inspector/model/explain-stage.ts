import type { ShootLanguage, WeederLanguage } from '../../../src/machines/kinds.ts';
import type { Language, OutcomeOf, PlainOf } from '../../../src/machines/pure-machine.ts';
import type { ShootEvent } from '../../../src/machines/shoot-language.ts';
import type { WeederEvent } from '../../../src/machines/weeder-language.ts';
import { explainTurn } from '../../../src/inspector/model/explanation/explain-turn.ts';
import type { Explanation, Fact } from '../../../src/inspector/model/explanation/explanation.ts';
import type { ReplayedTurn } from '../../../src/inspector/model/replayed-turn.ts';
import { ShootDriver } from '../../support/shoot-driver.ts';
import { WeederDriver } from '../../support/weeder-driver.ts';

/** `isCutOff: yes, when both leases are expired`; what leads there, and what the guard saw. */
export type GuardRow<Played> = readonly [
  title: `${string}: ${'yes' | 'no'}, when ${string}`,
  play: () => Played,
  saw: readonly string[],
];

/** A shoot's machine, played by hand, whose last turn is explained. */
export class ExplainedShoot extends ShootDriver {
  #last: ReplayedTurn<ShootLanguage> | undefined;

  override take(event: ShootEvent): readonly string[] {
    const before = this.outcome;
    const words = super.take(event);
    // While the driver is being made, there is no field yet.
    if (#last in this) this.#last = replayedTurn('shoot', 'shoot--desk--one', event, before, this.outcome);
    return words;
  }

  explain(): Explanation<ShootLanguage> {
    return explainTurn('shoot', this.#last!);
  }

  /** Where it stands, for a turn that is made by hand. */
  standing(): PlainOf<ShootLanguage> {
    return plain<ShootLanguage>(this.outcome);
  }
}

/** The same of a service. */
export class ExplainedService extends WeederDriver {
  #last: ReplayedTurn<WeederLanguage> | undefined;

  override take(event: WeederEvent): readonly string[] {
    const before = this.outcome;
    const words = super.take(event);
    if (#last in this)
      this.#last = replayedTurn('weeder', 'shoot--desk--one/kube-apiserver', event, before, this.outcome);
    return words;
  }

  explain(): Explanation<WeederLanguage> {
    return explainTurn('weeder', this.#last!);
  }
}

function replayedTurn<Spoken extends Language>(
  kind: Spoken['Kind'],
  subject: Spoken['Subject'],
  event: Spoken['Event'],
  before: OutcomeOf<Spoken>,
  after: OutcomeOf<Spoken>,
): ReplayedTurn<Spoken> {
  const { commands, notes, state: to } = after;
  const turn = { kind, subject, run: 'a', seq: 1, at: event.at, event, from: before.state, to, commands, notes };
  return { turn, replayed: { outcome: 'same' }, gap: false, before: plain(before), after: plain(after) };
}

function plain<Spoken extends Language>({ snapshot: { value, context } }: OutcomeOf<Spoken>): PlainOf<Spoken> {
  return { value, context };
}

/** `expired: 3 of 5 candidates (60 %)`, and an instant by its distance from the epoch. */
export function factText({ name, value, at }: Fact): string {
  return `${name}: ${at === undefined ? '' : `${at}, `}${value}`;
}
