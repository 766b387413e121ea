import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import {
  pureMachines,
  type ShootLanguage,
  type ShootSnapshot,
  type WeederLanguage,
  type WeederSnapshot,
} from 'dependency-watchdog/machines/kinds.ts';
import type { OutcomeOf, PlainOf, PureMachine } from 'dependency-watchdog/machines/pure-machine.ts';
import type { WeederInput } from 'dependency-watchdog/machines/weeder-language.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';

type RunTurn<Spoken extends ShootLanguage | WeederLanguage> = ReplayedTurn<Spoken>['turn'];

/** Puts events through one machine, and keeps its turns as a journal would have them. */
class Recorded<Spoken extends ShootLanguage | WeederLanguage, Snapshot extends PlainOf<Spoken>> {
  readonly turns: RunTurn<Spoken>[] = [];
  #snapshot: Snapshot;
  #from: Spoken['State'] | undefined;
  readonly #machine: PureMachine<Spoken, Snapshot>;
  readonly #of: Pick<RunTurn<Spoken>, 'kind' | 'subject' | 'run'>;

  constructor(
    machine: PureMachine<Spoken, Snapshot>,
    of: Pick<RunTurn<Spoken>, 'kind' | 'subject' | 'run'>,
    input: Spoken['Input'],
    at: number,
  ) {
    this.#machine = machine;
    this.#of = of;
    const outcome = machine.first(input);
    this.#snapshot = outcome.snapshot;
    this.#keep({ type: 'started', at, input }, outcome);
  }

  send(event: Spoken['Event']): OutcomeOf<Spoken, Snapshot>['commands'] {
    const outcome = this.#machine.take(this.#snapshot, event);
    this.#snapshot = outcome.snapshot;
    this.#keep(event, outcome);
    return outcome.commands;
  }

  #keep(
    event: Spoken['Event'] | Readonly<{ type: 'started'; at: number; input: Spoken['Input'] }>,
    { state, commands, notes }: OutcomeOf<Spoken, Snapshot>,
  ): void {
    const from = this.#from === undefined ? {} : { from: this.#from };
    const seq = this.turns.length + 1;
    const turn = { ...this.#of, seq, at: event.at, event, ...from, to: state, commands, notes };
    this.turns.push(turn);
    this.#from = state;
  }
}

export class RecordedShoot extends Recorded<ShootLanguage, ShootSnapshot> {
  constructor(config: ProberConfig, at: number, run = 'run') {
    const input = { shoot: 'shoot--desk--one', config, followed: false, chance: 3_434 };
    super(pureMachines.shoot, { kind: 'shoot', subject: 'shoot--desk--one', run }, input, at);
  }
}

export class RecordedService extends Recorded<WeederLanguage, WeederSnapshot> {
  constructor(input: WeederInput, at: number) {
    super(pureMachines.weeder, { kind: 'weeder', subject: 'shoot--desk--one/kube-apiserver', run: 'run' }, input, at);
  }
}
