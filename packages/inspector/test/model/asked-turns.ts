import type { WhyNot, ShootTurnTaken } from '../../model/questions/why-not-obstacle.ts';
import type { ScaleDirection, ShootEvent } from 'dependency-watchdog/machines/shoot-language.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { TurnOf } from 'dependency-watchdog/effects/turn.ts';
import { pureMachines, type ShootLanguage, type WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { Language, OutcomeOf, PlainOf } from 'dependency-watchdog/machines/pure-machine.ts';
import type { WeederEvent } from 'dependency-watchdog/machines/weeder-language.ts';
import type { Dependant } from 'dependency-watchdog/domain/prober/dependant.ts';
import { explainTurn } from '../../model/explanation/explain-turn.ts';
import type { Explanation, Fact } from '../../model/explanation/explanation.ts';
import { replayTurns, type ReplayedTurn } from '../../model/replayed-turn.ts';
import type { WeederTurnTaken } from '../../model/questions/why-not-service.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { ShootDriver } from '@dwd/testing/shoot-driver.ts';
import { WeederDriver } from '@dwd/testing/weeder-driver.ts';

/** The turns of a shoot as the page has them. Only the first has a snapshot, as in a journal; each start is a run of its own. */
function asTaken(turns: readonly TurnOf<ShootLanguage>[]): readonly ShootTurnTaken[] {
  let run = 0;
  return replayTurns<ShootLanguage>(
    pureMachines.shoot,
    turns.map(({ seq, at, kind, subject, event, from, to, commands, notes }, index) => {
      if (event.type === 'started' && index > 0) run += 1;
      const came = from === undefined ? {} : { from };
      return { seq, at, kind, subject, event, ...came, to, commands, notes, run: `run-${run}` };
    }),
  );
}

/** What a story comes to on the real runtime. */
export async function played(
  config: ProberConfig,
  story: (guarded: GuardedWorld) => Promise<void>,
): Promise<readonly ShootTurnTaken[]> {
  const guarded = new GuardedWorld(config);
  await story(guarded);
  guarded.stop();
  return asTaken(guarded.turns);
}

/** A shoot's machine, played by hand, whose turns can be asked about and explained. */
export class AskedShoot extends ShootDriver {
  readonly turns: ShootTurnTaken[] = [];

  override take(event: ShootEvent): readonly string[] {
    const before = this.outcome;
    const words = super.take(event);
    // While the driver is being made, there is no list yet.
    this.turns?.push(taken<ShootLanguage>('shoot', 'shoot--desk--one', event, before, this.outcome, this.turns.length));
    return words;
  }

  get last(): number {
    return this.turns.length - 1;
  }

  /** Of its last turn. */
  explain(): Explanation<ShootLanguage> {
    return explainTurn('shoot', this.turns.at(-1)!);
  }
}

/** The same of a service. */
export class AskedService extends WeederDriver {
  readonly turns: WeederTurnTaken[] = [];

  override take(event: WeederEvent): readonly string[] {
    const before = this.outcome;
    const words = super.take(event);
    const subject = 'shoot--desk--one/kube-apiserver';
    this.turns?.push(taken<WeederLanguage>('weeder', subject, event, before, this.outcome, this.turns.length));
    return words;
  }

  get last(): number {
    return this.turns.length - 1;
  }

  explain(): Explanation<WeederLanguage> {
    return explainTurn('weeder', this.turns.at(-1)!);
  }
}

function taken<Spoken extends Language>(
  kind: Spoken['Kind'],
  subject: Spoken['Subject'],
  event: Spoken['Event'],
  before: OutcomeOf<Spoken>,
  after: OutcomeOf<Spoken>,
  seq: number,
): ReplayedTurn<Spoken> {
  const { commands, notes, state: to } = after;
  const turn = { kind, subject, run: 'a', seq, at: event.at, event, from: before.state, to, commands, notes };
  return { turn, replayed: { outcome: 'same' }, gap: false, before: plain(before), after: plain(after) };
}

/** Where it stands, for a turn that is made by hand. */
export function plain<Spoken extends Language>({ snapshot: { value, context } }: OutcomeOf<Spoken>): PlainOf<Spoken> {
  return { value, context };
}

/** A shoot of which all is well, and which is probed; then what happens to it. */
export function probing(config: ProberConfig, ...acts: readonly ((shoot: AskedShoot) => unknown)[]): AskedShoot {
  const shoot = new AskedShoot(config).allWell();
  shoot.cluster();
  for (const act of acts) act(shoot);
  return shoot;
}

/** What was commanded is written, and followed. */
export function arrives(shoot: AskedShoot, ...dependants: readonly Dependant[]): void {
  for (const one of dependants) {
    shoot.written(one);
    shoot.follows(one);
  }
}

/** `isCutOff: yes, when both leases are expired`; what leads there, and what the guard saw. */
export type GuardRow<Played> = readonly [
  title: `${string}: ${'yes' | 'no'}, when ${string}`,
  play: () => Played,
  saw: readonly string[],
];

/** `leases: 3 of 5 expired (60 %)`, and an instant by its distance from the epoch. */
export function factText({ name, value, at }: Fact): string {
  return `${name}: ${at === undefined ? '' : `${at}, `}${value}`;
}

/** The kinds and rules of what stood in the way, in order: `nothingDue 6.2, probeUnderWay 4.3`. */
export function obstacleText({ obstacles }: Pick<WhyNot, 'obstacles'>): string {
  return obstacles.map(({ kind, rules }) => [kind, ...rules].join(' ')).join(', ');
}

/** A case of a table ends with what is asked for: `a shoot that hibernates (down)`. */
export function directionOf(name: string): ScaleDirection {
  return name.endsWith('(up)') ? 'up' : 'down';
}
