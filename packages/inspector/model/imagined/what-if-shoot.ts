import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { leasePolicy } from 'dependency-watchdog/machines/shoot-context.ts';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { Unimaginable } from '../questions/what-if-changes.ts';
import { outageCourses, type OutageCourse } from './outage-courses.ts';
import { outagesBeside, type OutageBeside } from './outage-beside.ts';
import { playShoot, TooManySteps, type ImaginedNight } from './play-shoot.ts';
import type { RecordedShoot } from './recorded-shoot.ts';

/** What another configuration would have made of a shoot's night; or why that cannot be said, in a sentence. */
export type ShootAnswer = Readonly<{ shoot: string; steps: number }> &
  (Readonly<{ ok: true; outages: readonly OutageBeside[] }> | Readonly<{ ok: false; because: string }>);

/** A night in which nothing happens takes about as many steps as it has turns. One with an interval of a millisecond takes this many. */
export function stepsFor(turns: number): number {
  return 2_000 + 20 * turns;
}

type Limits = Readonly<{ mostSteps?: number; endsAt?: Instant }>;

/** The same without a rest. */
export function whatIfShoot(recorded: RecordedShoot, changes: ImaginedNight, limits: Limits = {}): ShootAnswer {
  const playing = whatIfShootSlowly(recorded, changes, limits);
  for (;;) {
    const { done, value } = playing.next();
    if (done === true) return value;
  }
}

/** Plays a shoot with another configuration, and puts its outages beside those that were recorded. Never throws. */
export function* whatIfShootSlowly(
  recorded: RecordedShoot,
  changes: ImaginedNight,
  { mostSteps = stepsFor(recorded.turns()), endsAt = recorded.endsAt() }: Limits = {},
): Generator<void, ShootAnswer, void> {
  const { shoot } = recorded;
  const did = recorded.outages();
  let steps = 0;
  try {
    if (recorded.begins.length === 0)
      return { ok: false, shoot, steps, because: 'nothing tells where its machine began' };
    const would = yield* play(changes);
    // How well the record can be played is only of interest where something happened.
    const again = did.length === 0 ? [] : (yield* play({})).courses;
    const marks = (from: Instant, until: Instant) => recorded.leases.marks(would.grace, from, until);
    return { ok: true, shoot, steps, outages: outagesBeside(shoot, { did, again, would: would.courses }, marks) };
  } catch (error) {
    return { ok: false, shoot, steps, because: whyNot(error) };
  }

  function* play(
    imagined: ImaginedNight,
  ): Generator<void, Readonly<{ courses: readonly OutageCourse[]; grace: Millis }>, void> {
    const courses = outageCourses();
    let grace = 0;
    yield* playShoot(recorded, imagined, {
      mostSteps: mostSteps - steps,
      endsAt,
      take(turn) {
        steps += 1;
        courses.take(turn, turn.run);
        if (turn.after !== undefined && (grace === 0 || turn.event.type === 'cluster.changed'))
          ({ grace } = leasePolicy(turn.after.context));
      },
    });
    return { courses: courses.all(), grace };
  }
}

function whyNot(error: unknown): string {
  if (error instanceof Unimaginable) return error.refusal.sentence;
  if (error instanceof TooManySteps) return 'it would take too many steps: the interval is too short to be played';
  // A recorded place may be none of this machine's.
  return `the machine cannot take what is recorded: ${errorWords(error)}`;
}
