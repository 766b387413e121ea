import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { OutageBeside } from './outage-beside.ts';
import type { ShootAnswer } from './what-if-shoot.ts';

/** What another configuration would have made of a whole night. */
export type NightAnswer = Readonly<{
  /** All outages in which anything was scaled down, or would have been, in the order in which they began. */
  outages: readonly OutageBeside[];
  shoots: number;
  steps: number;
  /** Shoots of which nothing can be said, and why, by the reason. */
  unsaid: ReadonlyMap<string, readonly string[]>;
  counts: NightCounts;
}>;

type NightCounts = Readonly<{
  fewer: number;
  /** Of the fewer, those in which nodes would have been marked. */
  unprotected: number;
  more: number;
  later: number;
  earlier: number;
  same: number;
  /** Of none of the others: the record cannot be played to the instant. */
  roughly: number;
  tooLate: number;
}>;

export function nightAnswer(answers: readonly ShootAnswer[]): NightAnswer {
  const outages = answers
    .flatMap((one) => (one.ok ? one.outages : []))
    .filter(({ fate }) => fate !== 'never')
    .toSorted((one, other) => one.beganAt - other.beganAt || (one.shoot < other.shoot ? -1 : 1));
  const count = (is: (one: OutageBeside) => boolean) => outages.filter(is).length;
  const unsaid = Map.groupBy(
    answers.flatMap((one) => (one.ok ? [] : [one])),
    ({ because }) => because,
  );
  return {
    outages,
    shoots: answers.length,
    steps: answers.reduce((sum, { steps }) => sum + steps, 0),
    unsaid: new Map([...unsaid].map(([because, those]) => [because, those.map(({ shoot }) => shoot)])),
    counts: {
      fewer: count(({ fate, inexact }) => fate === 'notAtAll' && !inexact),
      unprotected: count(({ fate, inexact, marks }) => fate === 'notAtAll' && !inexact && (marks?.nodes ?? 0) > 0),
      more: count(({ fate }) => fate === 'new'),
      later: count(({ fate, inexact }) => fate === 'later' && !inexact),
      earlier: count(({ fate, inexact }) => fate === 'earlier' && !inexact),
      same: count(({ fate }) => fate === 'same'),
      roughly: count(({ fate, inexact }) => fate !== 'same' && inexact),
      tooLate: count(({ tooLate, inexact }) => tooLate && !inexact),
    },
  };
}

/** `2 scale-downs fewer, in 1 of them nodes would have been marked; 1 later; 3 as they were; 1 too late`. */
export function nightWords({ counts, outages }: NightAnswer): string {
  const { fewer, unprotected, more, later, earlier, same, roughly, tooLate } = counts;
  if (outages.length === 0) return 'nothing was scaled down, and nothing would have been';
  const told = [
    fewer === 0
      ? ''
      : `${counted(fewer, 'scale-down')} fewer${unprotected === 0 ? '' : `, and nodes would have been marked in ${unprotected === fewer ? (fewer === 1 ? 'it' : 'all of them') : `${unprotected} of them`}`}`,
    more === 0 ? '' : `${counted(more, 'scale-down')} more`,
    later === 0 ? '' : `${later} later`,
    earlier === 0 ? '' : `${earlier} sooner`,
    same === 0 ? '' : `${same} as ${same === 1 ? 'it was' : 'they were'}`,
    roughly === 0 ? '' : `${roughly} known only roughly, and not counted`,
    // Of those that are known only roughly, nothing is promised.
    tooLate > 0 ? `${tooLate} too late` : roughly === 0 ? 'none too late' : '',
  ];
  return told.filter(Boolean).join('; ');
}
