import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { ShootTurn, WeederTurn } from 'dependency-watchdog/effects/turn.ts';
import {
  pureMachines,
  type ShootLanguage,
  type ShootOutcome,
  type ShootSnapshot,
  type WeederLanguage,
  type WeederOutcome,
  type WeederSnapshot,
} from 'dependency-watchdog/machines/kinds.ts';
import type { ShootEvent } from 'dependency-watchdog/machines/shoot-language.ts';
import type { WeederEvent, WeederInput } from 'dependency-watchdog/machines/weeder-language.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';

type RunTurn<Spoken extends ShootLanguage | WeederLanguage> = ReplayedTurn<Spoken>['turn'];

/** Puts events through the machine of one shoot, and keeps its turns as a journal would have them. */
export class RecordedShoot {
  readonly turns: RunTurn<ShootLanguage>[] = [];
  #snapshot: ShootSnapshot;
  #from: ShootTurn['from'];
  readonly #run: string;

  constructor(config: ProberConfig, at: number, run = 'run') {
    this.#run = run;
    const input = { shoot: 'shoot--desk--one', config, followed: false, chance: 3_434 };
    const outcome = pureMachines.shoot.first(input);
    this.#snapshot = outcome.snapshot;
    this.#keep({ type: 'started', at, input }, outcome);
  }

  send(event: ShootEvent): readonly ShootOutcome['commands'][number][] {
    const outcome = pureMachines.shoot.take(this.#snapshot, event);
    this.#snapshot = outcome.snapshot;
    this.#keep(event, outcome);
    return outcome.commands;
  }

  #keep(event: ShootTurn['event'], { state, commands, notes }: ShootOutcome): void {
    const from = this.#from === undefined ? {} : { from: this.#from };
    const seq = this.turns.length + 1;
    const subject = 'shoot--desk--one';
    this.turns.push({
      run: this.#run,
      seq,
      at: event.at,
      kind: 'shoot',
      subject,
      event,
      ...from,
      to: state,
      commands,
      notes,
    });
    this.#from = state;
  }
}

/** The same for one service. */
export class RecordedService {
  readonly turns: RunTurn<WeederLanguage>[] = [];
  #snapshot: WeederSnapshot;
  #from: WeederTurn['from'];

  constructor(input: WeederInput, at: number) {
    const outcome = pureMachines.weeder.first(input);
    this.#snapshot = outcome.snapshot;
    this.#keep({ type: 'started', at, input }, outcome);
  }

  send(event: WeederEvent): readonly WeederOutcome['commands'][number][] {
    const outcome = pureMachines.weeder.take(this.#snapshot, event);
    this.#snapshot = outcome.snapshot;
    this.#keep(event, outcome);
    return outcome.commands;
  }

  #keep(event: WeederTurn['event'], { state, commands, notes }: WeederOutcome): void {
    const from = this.#from === undefined ? {} : { from: this.#from };
    const seq = this.turns.length + 1;
    const subject = 'shoot--desk--one/kube-apiserver' as const;
    this.turns.push({
      run: 'run',
      seq,
      at: event.at,
      kind: 'weeder',
      subject,
      event,
      ...from,
      to: state,
      commands,
      notes,
    });
    this.#from = state;
  }
}
