import { Subscription } from 'rxjs';
import type { Millis } from '../../../domain/time.ts';
import type { Clock } from '../../../effects/ports.ts';
import type { Turn, Turns } from '../../../effects/turn.ts';
import { byKind } from '../facts/turns.ts';
import type { Log } from './log.ts';
import { shootRoll, weederRoll } from './rolls.ts';

export type RollCall = ReturnType<typeof rollCall>;

/** All that the first lists show is taken in well within this time after the first turn. */
const foundWithin: Millis = 5_000;
/** By then the first probes are answered, as a rule. */
const firstCallAfter: Millis = 60_000;
const callEvery: Millis = 300_000;
/** How many subjects are named one by one at the start, and at the end: a whole seed may be down. */
const mostNamed = 20;

type RollCallOptions = Readonly<{
  log: Log;
  clock: Clock;
  /** What is said where there is nobody to look after. */
  nobody: string;
}>;

/** Says how all subjects stand: what was found at the start, how many are how from time to time, and what stays at the end (SPEC 9.4). */
export function rollCall({ log, clock, nobody }: RollCallOptions) {
  const [shoots, services] = [shootRoll(), weederRoll()];
  const rolls = [shoots, services];
  const take = byKind<Turns, ReturnType<typeof shoots.take>>({ shoot: shoots.take, weeder: services.take });
  let calls = new Subscription();
  let isFirst = true;
  let named = 0;
  let isOver = false;
  let hasLed = false;

  function sayFound(): void {
    for (const roll of rolls) {
      const line = roll.found();
      if (line !== undefined) log.info(line.message, line.fields);
    }
  }

  function call(): void {
    const lines = rolls.flatMap((roll) => roll.standing() ?? []);
    for (const { message, fields } of lines) log.info(message, fields);
    if (lines.length === 0) log.info(nobody, { line: 'roll call' });
    callIn(callEvery);
  }

  function callIn(length: Millis): void {
    calls.add(clock.wakeAt(clock.now() + length).subscribe(call));
  }

  return {
    observe: (turn: Turn): void => {
      if (isFirst && hasLed) calls.add(clock.wakeAt(clock.now() + foundWithin).subscribe(sayFound));
      isFirst = false;
      const line = take(turn);
      if (line === undefined) return;
      named += 1;
      // What was not named is in the line that counts what was found, and in those that say how all stand.
      log[named <= mostNamed ? 'info' : 'debug'](line.message, line.fields);
    },
    /** This process leads, or no longer does. A standby says nothing: it has no machines. */
    onLead(leads: boolean): void {
      calls.unsubscribe();
      if (!leads || isOver) return;
      hasLed = true;
      calls = new Subscription();
      callIn(firstCallAfter);
    },
    /** Says what stays as it is. Nothing is said after it. */
    end(): void {
      calls.unsubscribe();
      if (isOver || !hasLed) return;
      isOver = true;
      for (const roll of rolls) {
        const { each, all } = roll.left(mostNamed);
        for (const { message, fields } of each) log.warn(message, fields);
        if (all !== undefined) log[each.length > 0 ? 'warn' : 'info'](all.message, all.fields);
      }
    },
  };
}
