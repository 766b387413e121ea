import type { ShootNamespace } from '../../../domain/names.ts';
import type { Clock } from '../../../effects/ports.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { EmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import type { Entry, Story } from '../story/play-story.ts';
import type { Seen } from '../story/story-model.ts';
import { RequestMeter, type GroundTruth } from './ground-truth.ts';
import {
  beforeAnother,
  carriesMark,
  firstModel,
  withObservation,
  type NetworkModel,
  type ShootRow,
} from './network-model.ts';
import { networkStoryPart, type NetworkStoryLengths } from './network-story.ts';
import type { Observation, Phase, Threat } from './observation.ts';
import type { PathFault } from '../../../simulator/api/path-fault.ts';
import type { EmbeddedShoot } from '../../../simulator/shoot/embedded-shoot.ts';

/** An observation, and the model before and after it. */
export type NetworkSeen = Seen<NetworkModel, Observation>;

type NetworkStory = Story<Phase, ShootRow, NetworkModel, Observation, ShootTurn>;

type NetworkStage = Readonly<{
  clock: Clock;
  seed: EmbeddedSeed;
  truth: GroundTruth;
  lengths: NetworkStoryLengths;
  /** The older generation: the ways to the API server fail, in place of the nodes' way out (SPEC 4.9). */
  twoPaths: boolean;
  speed: number;
}>;

/** The share of the shoots whose nodes use the gateway that fails. */
const gatewayShare = 0.6;

/** What happens to an embedded seed on which a prober runs. */
export function networkStory({ clock, seed, truth, twoPaths, lengths, speed }: NetworkStage): NetworkStory {
  const meter = new RequestMeter(seed);
  const marksSeen = new Map<ShootNamespace, number>();

  const enter = (entry: Entry<Phase, NetworkModel>, see: (seen: Observation) => void): void => {
    const { phase, at, model, quiet, fail } = entry;
    const threats = new Map<ShootNamespace, Threat>();
    const hit = behindGateway(seed.shoots, model.outage);
    for (const shoot of hit) {
      strike(shoot, phase, model).catch(fail);
      const threat = phase === 'outage' ? truth.threat(shoot.name) : undefined;
      if (threat !== undefined) threats.set(shoot.name, threat);
    }
    if (model.phase === 'internalHealing')
      for (const row of [...model.rows.values()].filter(({ scaledUnasked }) => scaledUnasked))
        see({ type: 'missed', at, what: `${row.shoot} was scaled down though only its internal path failed` });
    see({
      type: 'phase',
      at,
      phase,
      threats,
      ...(phase === 'internalOutage' && { unasked: new Set(hit.map(({ name }) => name)) }),
      ...(model.phase === 'calm' && quiet && { quiet }),
    });
  };

  const newMarks = (): readonly Observation[] =>
    seed.shoots.flatMap(({ name: shoot, marks }) => {
      const fresh = marks.slice(marksSeen.get(shoot) ?? 0);
      marksSeen.set(shoot, marks.length);
      return fresh.map(({ node, at }) => ({ type: 'marked', at, shoot, node }) as const);
    });

  return {
    clock,
    seed,
    first: () => firstModel(clock.now(), truth.views(), twoPaths),
    another: (model, at) => beforeAnother(model, at, truth.views()),
    withObservation,
    part: (phase) => networkStoryPart(phase, lengths),
    enter,
    look: (at, late) => [...newMarks(), { type: 'tick', at, late }],
    changes$: truth.changes$,
    turn: (turn) => ({
      type: 'turn',
      at: turn.at,
      turn,
      ...(endsProbe(turn) && { cost: meter.take(turn.subject) }),
    }),
    outage: 'outage',
    healing: 'healing',
    cannotHeal: (phase) => (phase === 'outage' ? undefined : 'There is no outage to heal.'),
    isBusy: (row) => row.state !== 'probing' || carriesMark(row),
    busy: 'is not back to normal',
    speed: () => speed,
  };
}

/** The shoots whose nodes use the gateway that fails: with each outage others, in turn. */
function behindGateway<Shoot>(shoots: readonly Shoot[], outage: number): readonly Shoot[] {
  const count = Math.max(1, Math.round(gatewayShare * shoots.length));
  const first = ((outage - 1) * count) % Math.max(1, shoots.length);
  return [...shoots.slice(first), ...shoots.slice(0, first)].slice(0, count);
}

/** All requests since the last probe belong to this one, even if it failed. */
function endsProbe({ event, notes }: ShootTurn): boolean {
  if (notes.some(({ kind }) => kind === 'verdict')) return true;
  if (event.type === 'path.answered') return event.failure !== undefined;
  return event.type === 'probe.failed' || event.type === 'candidates.failed';
}

/** A load balancer drops everything, as a broken network does; refuses, as one that is gone; or resets, as one without a target. */
const waysToFail: readonly PathFault[] = [{ kind: 'hang' }, { kind: 'refuse' }, { kind: 'reset' }];

/** Does to a shoot that is hit what the phase begins with. With each outage a load balancer fails in another way. */
async function strike(
  shoot: EmbeddedShoot,
  phase: Phase,
  { twoPaths, outage }: Pick<NetworkModel, 'twoPaths' | 'outage'>,
): Promise<void> {
  switch (phase) {
    case 'calm':
    case 'over':
      return;
    case 'internalOutage':
      return shoot.paths.break('internal', { kind: 'refuse' });
    case 'internalHealing':
      return shoot.paths.heal('internal');
    case 'outage': {
      const fault = waysToFail[(outage - 1) % waysToFail.length];
      return twoPaths && fault !== undefined ? shoot.paths.break('external', fault) : shoot.cutOff();
    }
    case 'healing':
      return twoPaths ? shoot.paths.heal('external') : shoot.heal();
  }
}
