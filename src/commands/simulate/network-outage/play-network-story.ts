import { Observable } from 'rxjs';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { Clock } from '../../../effects/ports.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { EmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import type { Order } from '../story/orders.ts';
import { dueStep, isGoalReached, ticks } from '../story/story-part.ts';
import { RequestMeter, type GroundTruth } from './ground-truth.ts';
import { beforeAnother, carriesMark, firstModel, withObservation, type NetworkModel } from './network-model.ts';
import { networkStoryPart, type NetworkStoryLengths } from './network-story.ts';
import type { Observation, Phase, Threat } from './observation.ts';
import { strike } from './strike.ts';

/** An observation, and the model before and after it. */
export type Seen = Readonly<{ before: NetworkModel; seen: Observation; after: NetworkModel }>;

export type StoryParts = Readonly<{
  clock: Clock;
  seed: EmbeddedSeed;
  truth: GroundTruth;
  /** The prober. It runs as long as the story does. */
  turns$: Observable<ShootTurn>;
  remarks$: Observable<string>;
  orders$: Observable<Order>;
  lengths: NetworkStoryLengths;
  /** The older generation: the ways to the API server fail, in place of the nodes' way out (SPEC 4.9). */
  twoPaths: boolean;
  /** Each deadline is so much later, because this machine is busy with other things too. */
  slack: Millis;
  /** How often we look at the story. */
  every: Millis;
}>;

/** The share of the shoots whose nodes use the gateway that fails. */
const gatewayShare = 0.6;

/**
 * Runs the prober on the embedded seed and plays the story to it. It goes on after the story is over, until it is
 * unsubscribed. It fails if the prober fails.
 */
export function playNetworkStory({
  clock,
  seed,
  truth,
  turns$,
  remarks$,
  orders$,
  ...parts
}: StoryParts): Observable<Seen> {
  return new Observable((observer) => {
    const meter = new RequestMeter(seed);
    let model = firstModel(clock.now(), truth.views(), parts.twoPaths);
    let goal: Readonly<{ reachedAt: Instant; seedRequests: number }> | undefined;
    const marksSeen = new Map<ShootNamespace, number>();

    const see = (seen: Observation): void => {
      const before = model;
      model = withObservation(model, seen);
      observer.next({ before, seen, after: model });
    };

    const fail = (error: unknown): void => observer.error(error);

    const enter = (phase: Phase, at: Instant): void => {
      const threats = new Map<ShootNamespace, Threat>();
      const hit = behindGateway(seed.shoots, model.outage);
      const wasCalm = model.phase === 'calm';
      for (const shoot of hit) {
        strike(shoot, phase, model).catch(fail);
        const threat = phase === 'outage' ? truth.threat(shoot.name) : undefined;
        if (threat !== undefined) threats.set(shoot.name, threat);
      }
      if (model.phase === 'internalHealing')
        for (const row of [...model.rows.values()].filter(({ scaledUnasked }) => scaledUnasked))
          see({ type: 'missed', at, what: `${row.shoot} was scaled down though only its internal path failed` });
      const quiet = goal && { seedRequests: meter.seedRequests - goal.seedRequests, length: at - goal.reachedAt };
      goal = undefined;
      see({
        type: 'phase',
        at,
        phase,
        threats,
        ...(phase === 'internalOutage' && { unasked: new Set(hit.map(({ name }) => name)) }),
        ...(wasCalm && quiet && { quiet }),
      });
    };

    const seeMarks = (): void => {
      for (const { name, marks } of seed.shoots) {
        for (const { node, at } of marks.slice(marksSeen.get(name) ?? 0)) {
          see({ type: 'marked', at, shoot: name, node });
        }
        marksSeen.set(name, marks.length);
      }
    };

    const look = (now: Instant, late: Millis): void => {
      seeMarks();
      see({ type: 'tick', at: now, late });
      const part = networkStoryPart(model.phase, parts.lengths);
      if (!isGoalReached(part, model)) goal = undefined;
      else goal ??= { reachedAt: now, seedRequests: meter.seedRequests };
      const step = dueStep(part, model, { now, reachedAt: goal?.reachedAt, slack: parts.slack });
      if (step === undefined) return;
      for (const what of step.missed) see({ type: 'missed', at: now, what });
      enter(step.next, now);
    };

    const obey = (order: Order): void => {
      const at = clock.now();
      const obstacle = obstacleTo(order, model);
      if (obstacle !== undefined) return see({ type: 'remark', at, text: obstacle });
      if (order === 'heal') return enter('healing', at);
      model = beforeAnother(model, at, truth.views());
      enter('outage', at);
    };

    enter('calm', model.startedAt);
    observer.add(orders$.subscribe(obey));
    observer.add(truth.changes$.subscribe(see));
    observer.add(remarks$.subscribe((text) => see({ type: 'remark', at: clock.now(), text })));
    observer.add(
      turns$.subscribe({
        next: (turn) =>
          see({ type: 'turn', at: turn.at, turn, ...(endsProbe(turn) && { cost: meter.take(turn.subject) }) }),
        error: fail,
      }),
    );
    observer.add(ticks(clock, () => parts.every, look));
  });
}

/** The shoots whose nodes use the gateway that fails: with each outage others, in turn. */
function behindGateway<Shoot>(shoots: readonly Shoot[], outage: number): readonly Shoot[] {
  const count = Math.max(1, Math.round(gatewayShare * shoots.length));
  const first = ((outage - 1) * count) % Math.max(1, shoots.length);
  return [...shoots.slice(first), ...shoots.slice(0, first)].slice(0, count);
}

/** Why an order cannot be followed now; undefined if it can. */
function obstacleTo(order: Order, { phase, rows }: NetworkModel): string | undefined {
  if (order === 'heal') return phase === 'outage' ? undefined : 'There is no outage to heal.';
  if (phase !== 'over') return 'No other outage begins yet: this one is not over.';
  const busy = [...rows.values()].find((row) => row.state !== 'probing' || carriesMark(row));
  return busy && `No other outage begins yet: ${busy.shoot} is not back to normal.`;
}

/** All requests since the last probe belong to this one, even if it failed. */
function endsProbe({ event, notes }: ShootTurn): boolean {
  if (notes.some(({ kind }) => kind === 'verdict')) return true;
  if (event.type === 'path.answered') return event.failure !== undefined;
  return event.type === 'probe.failed' || event.type === 'candidates.failed';
}
