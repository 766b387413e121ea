import type { Started } from 'dependency-watchdog/effects/turn.ts';
import { pureMachines, type ShootLanguage, type ShootOutcome } from 'dependency-watchdog/machines/kinds.ts';
import type { PlainOf } from 'dependency-watchdog/machines/pure-machine.ts';
import type {
  ShootCommands,
  ShootEvent,
  ShootInput,
  ShootNote,
  ShootState,
} from 'dependency-watchdog/machines/shoot-language.ts';
import { targetWords } from 'dependency-watchdog/adapters/record/words/write-words.ts';
import { samePlain } from '../../journal/machine-replay.ts';
import { verdictWords } from 'dependency-watchdog/adapters/record/words/probe-words.ts';

/** One event, and what the machine made of it. */
export type Step = Readonly<{
  event: ShootEvent | Started<ShootInput>;
  to: ShootState;
  commands: readonly ShootLanguage['Command'][];
  notes: readonly ShootNote[];
}>;

/** What came of an event, and where the machine stands then. */
export type Branch = Readonly<{
  steps: readonly Step[];
  place: PlainOf<ShootLanguage>;
  /** The look whose answer the machine waits for; undefined where there is none. */
  looking: ShootCommands['listCandidates'] | undefined;
}>;

const machine = pureMachines.shoot;

export function firstStep(event: Started<ShootInput>): Branch {
  return after([], event, machine.first(event.input));
}

/** The same machine takes one more event. Throws where the place is none of this machine's. */
export function nextStep({ steps, place }: Pick<Branch, 'steps' | 'place'>, event: ShootEvent): Branch {
  return after(steps, event, machine.take(machine.restore(place), event));
}

function after(
  steps: readonly Step[],
  event: Step['event'],
  { snapshot, state: to, commands, notes }: ShootOutcome,
): Branch {
  const all = [...steps, { event, to, commands, notes }];
  const asked = all.flatMap((step) => step.commands).findLast((each) => each.type === 'listCandidates');
  const isLooking = snapshot.value.probe === 'looking';
  return { steps: all, place: machine.plain(snapshot), looking: isLooking ? asked?.params : undefined };
}

/** `same`: nothing differs. `otherwise`: what is decided is the same, and something about it differs, as the instant of the next probe. */
export type Comparison = Readonly<{ differs: 'same' | 'otherwise' | 'decision'; answer: string }>;

export function compareBranches(did: readonly Step[], would: readonly Step[]): Comparison {
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

type Decided = Readonly<{ verdict: string; state: string; scales: string }>;

/** What matters of it: the verdict, where it leads, and what is scaled; the numbers of requests do not. */
function decisionOf(steps: readonly Step[]): Decided {
  const verdict = steps.flatMap(({ notes }) => notes).findLast(({ kind }) => kind === 'verdict');
  const writes = steps
    .flatMap(({ commands }) => commands)
    .flatMap(({ type, params }) => (type === 'scale' ? [params] : []));
  return {
    verdict: verdict?.kind === 'verdict' ? verdictWords.inSentence(verdict) : 'no verdict',
    state: steps.at(-1)?.to ?? '',
    scales: targetWords(writes),
  };
}

function words({ verdict, state, scales }: Decided): string {
  return `${verdict}, then ${state}${scales === '' ? '' : `; scales ${scales}`}`;
}

/** What came of the events, as a journal holds it. */
function plainly(steps: readonly Step[]): unknown {
  return JSON.parse(JSON.stringify(steps.map(({ to, commands, notes }) => ({ to, commands, notes }))));
}
