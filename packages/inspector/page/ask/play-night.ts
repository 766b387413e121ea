import { nightAnswer, type NightAnswer } from '../../model/imagined/night-answer.ts';
import { recordedShoot, type RecordedShoot } from '../../model/imagined/recorded-shoot.ts';
import { stepsFor, whatIfShootSlowly, type ShootAnswer } from '../../model/imagined/what-if-shoot.ts';
import type { ImaginedConfig } from '../../model/questions/what-if-changes.ts';
import type { Turns, WireTurnOf } from '../../wire/wire.ts';
import { after, browserNow } from '../browser-clock.ts';
import { machinePath } from '../client/address.ts';
import { getJson, olderThan } from '../client/server.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';

/** What the server gives at once. */
const pageSize = 5_000;

/** A tenth of what `replay --what-if` plays: a minute in a browser. */
const mostSteps = 400_000;

/** Of one shoot, so many of its youngest turns. */
const mostTurns = 50_000;

/** The page answers to its reader in between. */
const sliceLength: Millis = 20;

/** `leftOut`: shoots beyond the limit of work; `cut`: those of which only the youngest turns were played. */
export type NightPlayed = Readonly<{
  answer: NightAnswer;
  played: number;
  of: number;
  leftOut: readonly string[];
  cut: readonly string[];
  over: boolean;
}>;

/**
 * Plays the nights of these shoots in this browser, one after the other, and tells how far it is. `isOver`: nobody waits any more. Rejects with NoAnswer.
 */
export async function playNight(
  shoots: readonly string[],
  config: Readonly<Partial<ImaginedConfig>>,
  tell: (played: NightPlayed) => void,
  isOver: () => boolean,
): Promise<void> {
  const answers: ShootAnswer[] = [];
  const cut: string[] = [];
  let steps = 0;
  const told = (over: boolean) =>
    tell({
      answer: nightAnswer(answers),
      played: answers.length,
      of: shoots.length,
      leftOut: over ? shoots.slice(answers.length) : [],
      cut,
      over,
    });
  told(false);
  for (const shoot of shoots) {
    if (steps >= mostSteps) break;
    const { recorded, isWhole } = await readShoot(shoot, isOver);
    if (isOver()) return;
    if (!isWhole) cut.push(shoot);
    const answer = await inSlices(
      whatIfShootSlowly(recorded, { config }, { mostSteps: Math.min(stepsFor(recorded.turns()), mostSteps - steps) }),
      isOver,
    );
    if (answer === undefined) return;
    answers.push(answer);
    steps += answer.steps;
    told(false);
  }
  told(true);
}

/** All that is recorded of a shoot, the youngest page first, as the server gives it. */
async function readShoot(
  shoot: string,
  isOver: () => boolean,
): Promise<Readonly<{ recorded: RecordedShoot; isWhole: boolean }>> {
  let turns: readonly WireTurnOf<'shoot'>[] = [];
  let earlier = true;
  while (earlier && turns.length < mostTurns && !isOver()) {
    const first = turns[0];
    const until = first === undefined ? '' : `&until=${first.at}`;
    const found = await getJson<Turns & Readonly<{ turns: readonly WireTurnOf<'shoot'>[] }>>(
      `${machinePath('shoot', shoot)}/turns?most=${pageSize}${until}`,
    );
    const older = olderThan(first, found.turns);
    turns = [...older, ...turns];
    earlier = found.earlier && older.length > 0;
  }
  const recorded = recordedShoot(shoot);
  for (const turn of turns) recorded.take(turn);
  return { recorded, isWhole: !earlier };
}

/** Undefined where nobody waits any more. */
async function inSlices<Value>(work: Generator<void, Value, void>, isOver: () => boolean): Promise<Value | undefined> {
  let begun = browserNow();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (browserNow() - begun < sliceLength) continue;
    await new Promise<void>((go) => after(0, go));
    if (isOver()) return undefined;
    begun = browserNow();
  }
}
