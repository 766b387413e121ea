import { isEnded } from '../../adapters/turns/runtime-events.ts';
import { errorWords } from '../../adapters/words/plain-words.ts';
import type { Language } from '../../machines/pure-machine.ts';
import type { RetakenTurn } from './retaken.ts';
import type { Obstacle, PartAnswer, WhyNot } from './why-not-obstacle.ts';

/** Why nobody can say where a machine stood when a turn had ended. */
export function placeUnknown<Spoken extends Language>(
  noun: 'shoot' | 'service',
  one: RetakenTurn<Spoken> | undefined,
): Obstacle {
  const event = one?.turn.event;
  if (event !== undefined && isEnded(event)) {
    const isGone = event.because === 'gone';
    const why = isGone ? `the ${noun} is gone` : 'a bug of the watchdog ended it';
    const rule = isGone ? (noun === 'shoot' ? '3.1' : '7.2') : '9.1';
    return { kind: 'ended', sentence: `The machine of the ${noun} had ended: ${why}.`, saw: [], rules: [rule] };
  }
  const sentence =
    'Nothing that is recorded tells where the machine stood. Choose a later turn, or load the turns before this one.';
  return { kind: 'unknown', sentence, saw: [], rules: ['9.6'] };
}

/** The first obstacle is the answer. */
export function hindered(obstacles: readonly Obstacle[], parts: readonly PartAnswer[]): WhyNot {
  return { outcome: 'hindered', answer: obstacles[0]?.sentence ?? '', obstacles, parts };
}

/** A snapshot in a file may be anything, and nobody checks all of it: what cannot be answered for is said. */
export function orUnreadable(answer: () => WhyNot): WhyNot {
  try {
    return answer();
  } catch (error) {
    const saw = [{ name: 'problem', value: errorWords(error) }];
    const sentence = 'What is recorded of this turn cannot be understood. Choose another turn.';
    return hindered([{ kind: 'unreadable', sentence, saw, rules: ['9.6'] }], []);
  }
}
