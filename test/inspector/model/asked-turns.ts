import type { WhyNot, ShootTurnTaken } from '../../../src/inspector/model/questions/why-not-obstacle.ts';
import type { ScaleDirection, ShootEvent } from '../../../src/machines/shoot-language.ts';
import type { ProberConfig } from '../../../src/domain/prober/prober-config.ts';
import type { TurnOf } from '../../../src/effects/turn.ts';
import { pureMachines, type ShootLanguage, type WeederLanguage } from '../../../src/machines/kinds.ts';
import type { Language, OutcomeOf } from '../../../src/machines/pure-machine.ts';
import type { WeederEvent } from '../../../src/machines/weeder-language.ts';
import { replayTurns, type ReplayedTurn } from '../../../src/inspector/model/replayed-turn.ts';
import type { WeederTurnTaken } from '../../../src/inspector/model/questions/why-not-service.ts';
import { GuardedWorld } from '../../support/guarded-world.ts';
import { ShootDriver } from '../../support/shoot-driver.ts';
import { WeederDriver } from '../../support/weeder-driver.ts';

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

/** A shoot's machine, played by hand, whose turns can be asked about. */
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
  const plain = ({ snapshot: { value, context } }: OutcomeOf<Spoken>) => ({ value, context });
  return { turn, replayed: { outcome: 'same' }, gap: false, before: plain(before), after: plain(after) };
}

/** The kinds and rules of what stood in the way, in order: `nothingDue 6.2, probeUnderWay 4.3`. */
export function obstacleText({ obstacles }: Pick<WhyNot, 'obstacles'>): string {
  return obstacles.map(({ kind, rules }) => [kind, ...rules].join(' ')).join(', ');
}

/** A case of a table ends with what is asked for: `a shoot that hibernates (down)`. */
export function directionOf(name: string): ScaleDirection {
  return name.endsWith('(up)') ? 'up' : 'down';
}
