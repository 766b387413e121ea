import { shootCommandWords, shootNoteWords } from '../../adapters/words/shoot-words.ts';
import { samePlain } from '../../domain/same-plain.ts';
import type { ShootState } from '../../machines/shoot-language.ts';
import type { Step } from './what-if-course.ts';

/** `same`: nothing differs. `otherwise`: what is decided is the same, and something about it differs, as the instant of the next probe. */
export type Comparison = Readonly<{ differs: 'same' | 'otherwise' | 'decision'; answer: string }>;

/** The words of a state: "the shoot is …". */
const stateWords: Readonly<Record<ShootState, string>> = {
  idle: 'idle',
  probing: 'probing',
  leaseFailed: 'leaseFailed, not cut off often enough yet',
  scalingDown: 'scalingDown',
  scaledDown: 'scaledDown',
  scalingUp: 'scalingUp',
};

export function compareCourses(did: readonly Step[], would: readonly Step[]): Comparison {
  const [real, unreal] = [decisionOf(did), decisionOf(would)];
  if (!samePlain(real, unreal))
    return {
      differs: 'decision',
      answer: `It would have decided otherwise: ${words(unreal)}. It did: ${words(real)}.`,
    };
  if (samePlain(plainly(did), plainly(would)))
    return { differs: 'same', answer: `It would have decided just the same: ${words(real)}.` };
  return {
    differs: 'otherwise',
    answer: `It would have decided the same: ${words(real)}. Only its figures, or when it asks again, differ.`,
  };
}

type Decided = Readonly<{ state: string; verdict: string; scales: readonly string[] }>;

/** What matters of it: the verdict, where it leads, and what is scaled; the numbers of requests do not. */
function decisionOf(steps: readonly Step[]): Decided {
  const last = steps.at(-1);
  const verdict = steps
    .flatMap(({ event, notes }) => notes.map((note) => ({ note, at: event.at })))
    .findLast(({ note }) => note.kind === 'verdict');
  const scales = steps.flatMap(({ event, commands }) =>
    commands
      .filter(({ type }) => type === 'scale')
      .map((command) => shootCommandWords(command, event.at).replace(/ \(write \d+\)$/, '')),
  );
  return {
    state: last === undefined ? '' : stateWords[last.to],
    verdict: verdict === undefined ? 'no verdict' : shootNoteWords(verdict.note, verdict.at),
    scales,
  };
}

function words({ state, verdict, scales }: Decided): string {
  return [verdict, `then ${state}`, ...scales].join('; ');
}

/** What came of the events, as a journal holds it. */
function plainly(steps: readonly Step[]): unknown {
  return JSON.parse(JSON.stringify(steps.map(({ to, commands, notes }) => ({ to, commands, notes }))));
}
