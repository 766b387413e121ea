import { Observable } from 'rxjs';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { Clock } from '../../../effects/ports.ts';
import type { EmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import type { Order } from './orders.ts';
import type { Seen, StoryModel, StoryRemark } from './story-model.ts';
import { dueStep, isGoalReached, ticks, type StoryPart } from './story-part.ts';

/** In real time: how much later each deadline is, because this machine is busy with other things too. */
const slack: Millis = 1_500;
/** In real time: how often we look at the story. */
const lookEvery: Millis = 50;

/** All requests to the seed in a length of time, from anybody. */
export type Quiet = Readonly<{ seedRequests: number; length: Millis }>;

/** What a phase begins with. */
export type Entry<Phase, Model> = Readonly<{
  phase: Phase;
  at: Instant;
  /** Before the phase. */
  model: Model;
  /** What the seed was asked since the goal of the phase before was reached. */
  quiet: Quiet | undefined;
  /** Ends the story with an error. */
  fail: (error: unknown) => void;
}>;

/** One story: what is seen of it, what happens in it, and in which order. */
export type Story<Phase, Row, Model, Observation, Turn> = Readonly<{
  clock: Clock;
  seed: EmbeddedSeed;
  first: () => Model;
  another: (model: Model, at: Instant) => Model;
  withObservation: (model: Model, seen: Observation | StoryRemark) => Model;
  part: (phase: Phase) => StoryPart<Phase, Row> | undefined;
  /** Lets a phase begin, and sees it. */
  enter: (entry: Entry<Phase, Model>, see: (seen: Observation | StoryRemark) => void) => void;
  /** What is seen at each tick; `late` is by how much this machine missed its instant. */
  look: (now: Instant, late: Millis) => readonly (Observation | StoryRemark)[];
  /** What happens on the seed. */
  changes$: Observable<Observation | StoryRemark>;
  turn: (turn: Turn) => Observation | StoryRemark;
  outage: Phase;
  healing: Phase;
  /** Why the outage cannot be healed by hand now; undefined if it can. */
  cannotHeal: (phase: Phase) => string | undefined;
  /** Whether no other outage may begin because of a row, and what is told of it. */
  isBusy: (row: Row) => boolean;
  busy: string;
  /** How much faster than real time the clock runs now. */
  speed: () => number;
}>;

/** The role, which runs as long as the story does; what it says beside its turns; and what somebody orders. */
type Around<Turn> = Readonly<{ turns$: Observable<Turn>; remarks$: Observable<string>; orders$: Observable<Order> }>;

/**
 * Runs the role on its seed and plays the story to it. It goes on after the story is over, until it is unsubscribed. It fails if
 * the role fails.
 */
export function playStory<
  Phase extends string,
  Row extends Readonly<{ shoot: ShootNamespace }>,
  Model extends StoryModel<Phase, Row>,
  Observation,
  Turn,
>(
  story: Story<Phase, Row, Model, Observation, Turn>,
  { turns$, remarks$, orders$ }: Around<Turn>,
): Observable<Seen<Model, Observation | StoryRemark>> {
  const { clock, seed } = story;
  return new Observable((observer) => {
    let model = story.first();
    let goal: Readonly<{ reachedAt: Instant; seedRequests: number }> | undefined;

    const see = (seen: Observation | StoryRemark): void => {
      const before = model;
      model = story.withObservation(model, seen);
      observer.next({ before, seen, after: model });
    };

    const fail = (error: unknown): void => observer.error(error);

    const enter = (phase: Phase, at: Instant): void => {
      const quiet = goal && {
        seedRequests: seed.api.requests.count - goal.seedRequests,
        length: at - goal.reachedAt,
      };
      goal = undefined;
      story.enter({ phase, at, model, quiet, fail }, see);
    };

    const look = (now: Instant, late: Millis): void => {
      story.look(now, late).forEach(see);
      const part = story.part(model.phase);
      if (!isGoalReached(part, model)) goal = undefined;
      else goal ??= { reachedAt: now, seedRequests: seed.api.requests.count };
      const step = dueStep(part, model, { now, reachedAt: goal?.reachedAt, slack: slack * story.speed() });
      if (step === undefined) return;
      for (const what of step.missed) see({ type: 'missed', at: now, what });
      enter(step.next, now);
    };

    /** Why an order cannot be followed now; undefined if it can. */
    const obstacleTo = (order: Order): string | undefined => {
      if (order === 'heal') return story.cannotHeal(model.phase);
      if (model.phase !== 'over') return 'No other outage begins yet: this one is not over.';
      const busy = [...model.rows.values()].find((row) => story.isBusy(row));
      return busy && `No other outage begins yet: ${busy.shoot} ${story.busy}.`;
    };

    const obey = (order: Order): void => {
      const at = clock.now();
      const obstacle = obstacleTo(order);
      if (obstacle !== undefined) return see({ type: 'remark', at, text: obstacle });
      if (order === 'heal') return enter(story.healing, at);
      model = story.another(model, at);
      enter(story.outage, at);
    };

    enter(model.phase, model.startedAt);
    observer.add(orders$.subscribe(obey));
    observer.add(story.changes$.subscribe(see));
    observer.add(remarks$.subscribe((text) => see({ type: 'remark', at: clock.now(), text })));
    observer.add(turns$.subscribe({ next: (turn) => see(story.turn(turn)), error: fail }));
    observer.add(ticks(clock, () => lookEvery * story.speed(), look));
  });
}
