import { Observable } from 'rxjs';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Order } from './orders.ts';
import { missedEvent, remarkEvent, type Story, type StoryEvent, dueStep, isGoalReached, ticks } from './story.ts';

/** In real time: how much later each deadline is, because this machine is busy with other things too. */
const slack: Millis = 1_500;
/** In real time: how often we look at the story. */
const lookEvery: Millis = 50;

/** The role, which runs as long as the story does; what it says beside its turns; and what somebody orders. */
type Around<OwnTurn> = Readonly<{
  turns$: Observable<OwnTurn>;
  remarks$: Observable<string>;
  orders$: Observable<Order>;
}>;

/**
 * Runs the role on its seed and plays a story to it. It goes on after the story is over, until it is unsubscribed. It fails if
 * the role fails.
 */
export function playStory<Phase extends string, Row extends Readonly<{ shoot: ShootNamespace }>, OwnTurn>(
  story: Story<Phase, Row, OwnTurn>,
  { turns$, remarks$, orders$ }: Around<OwnTurn>,
): Observable<StoryEvent> {
  const { clock, seed } = story;
  return new Observable((observer) => {
    let goal: Readonly<{ reachedAt: Instant; seedRequests: number }> | undefined;
    const see = (event: StoryEvent): void => observer.next(event);
    const fail = (error: unknown): void => observer.error(error);

    const enter = (phase: Phase, at: Instant): void => {
      const quiet = goal && {
        seedRequests: seed.api.requests.count - goal.seedRequests,
        length: at - goal.reachedAt,
      };
      goal = undefined;
      story.enter({ phase, at, quiet, fail }, see);
    };

    const look = (now: Instant, late: Millis): void => {
      story.look(now, late).forEach(see);
      const state = story.state();
      const part = story.part(state.phase);
      if (!isGoalReached(part, state)) goal = undefined;
      else goal ??= { reachedAt: now, seedRequests: seed.api.requests.count };
      const step = dueStep(part, state, { now, reachedAt: goal?.reachedAt, slack: slack * story.speed() });
      if (step === undefined) return;
      for (const what of step.missed) see(missedEvent(state, now, what));
      enter(step.next, now);
    };

    /** Why an order cannot be followed now; undefined if it can. */
    const obstacleTo = (order: Order): string | undefined => {
      if (order === 'heal') return story.cannotHeal();
      const { phase, rows } = story.state();
      if (phase !== 'over') return 'No other outage begins yet: this one is not over.';
      const busy = [...rows.values()].find((row) => story.isBusy(row));
      return busy && `No other outage begins yet: ${busy.shoot} ${story.busy}.`;
    };

    const obey = (order: Order): void => {
      const at = clock.now();
      const obstacle = obstacleTo(order);
      if (obstacle !== undefined) return see(remarkEvent(at, obstacle));
      if (order === 'heal') return enter(story.healing, at);
      story.another(at);
      enter(story.outage, at);
    };

    const { phase, startedAt } = story.state();
    enter(phase, startedAt);
    observer.add(orders$.subscribe(obey));
    observer.add(story.changes$.subscribe(see));
    observer.add(remarks$.subscribe((text) => see(remarkEvent(clock.now(), text))));
    observer.add(turns$.subscribe({ next: (turn) => see(story.turn(turn)), error: fail }));
    observer.add(ticks(clock, () => lookEvery * story.speed(), look));
  });
}
