import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { leasePolicy } from 'dependency-watchdog/machines/shoot-context.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { ImaginedConfig } from '../questions/what-if-changes.ts';
import type { ShootTurnTaken } from '../questions/why-not-obstacle.ts';
import { outageCourses, type OutageCourse } from './outage-courses.ts';
import { recordedShoot } from './recorded-shoot.ts';
import { whatIfShoot } from './what-if-shoot.ts';

/** Before an outage all leases were renewed; behind it the way up has ended, and a later verdict may still come. */
const margin: Millis = 120_000;

/** Where no outage is recorded around a turn, so much before and after it is played. */
const around: Millis = 300_000;

/** Some seconds in a browser at the most: an outage of a day has 17,000 probes. */
const mostSteps = 20_000;

/**
 * What another configuration would have made of the outage around the turn at `index`, until it was over, in a sentence (SPEC 9.12). Undefined where
 * nothing of the configuration is changed.
 */
export function whatIfOutage(
  turns: readonly ShootTurnTaken[],
  index: number,
  config: Readonly<Partial<ImaginedConfig>> = {},
): string | undefined {
  const one = turns[index];
  const changed = Object.entries(config).map(([key, value]) => `${key} ${changedText(key, value)}`);
  if (one === undefined || changed.length === 0) return undefined;
  const { at } = one.turn;
  const course = courseAround(turns, at);
  const graces = [one.before, one.after].map((place) => (place === undefined ? 0 : leasePolicy(place.context).grace));
  const longest = Math.max(...graces, config.kcmNodeMonitorGraceDuration ?? 0);
  const from = course === undefined ? at - around : course.beganAt - longest - margin;
  const until = course === undefined ? at + around : (course.endedAt ?? Infinity) + margin;

  const recorded = recordedShoot(one.turn.subject);
  for (const { turn, before } of turns) {
    if (turn.at < from || turn.at > until) continue;
    // The first one must tell where its machine stood.
    if (recorded.turns() === 0 && before !== undefined) recorded.take({ ...turn, before });
    else recorded.take(turn);
  }
  const answer = whatIfShoot(recorded, { config }, { mostSteps });
  const said = answer.ok
    ? (answer.outages.find(({ fate, did }) => fate !== 'never' && isSame(did, course)) ??
      answer.outages.find(({ fate }) => fate !== 'never'))
    : undefined;
  const told = answer.ok ? (said?.sentence ?? 'nothing scaled down around this turn, as nothing was') : answer.because;
  return `With ${changed.join(', ')}: ${told.replace(/\.$/, '')}.`;
}

function isSame(did: OutageCourse | null, course: OutageCourse | undefined): boolean {
  return did !== null && course !== undefined && did.turn.seq === course.turn.seq && did.turn.run === course.turn.run;
}

/** The outage that the turn is in, or that follows it soon. */
function courseAround(turns: readonly ShootTurnTaken[], at: Instant): OutageCourse | undefined {
  const courses = outageCourses();
  for (const { turn } of turns) courses.take(turn, turn.run);
  return courses.all().find(({ beganAt, endedAt }) => beganAt - margin <= at && at <= (endedAt ?? Infinity));
}

function changedText(key: string, value: number): string {
  return key.endsWith('Duration') || key === 'probeInterval' ? lengthWords(value) : String(value);
}
