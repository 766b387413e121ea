import { seconds } from '../../../adapters/words/plain-words.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Fact } from './explanation.ts';
import type { Rule } from './rules.ts';
import type { ProbeFailure } from '../../../domain/prober/probe-failure.ts';
import type { PathCount, PathVerdict } from '../../../domain/prober/shoot-path.ts';
import type { PathState, ShootContext } from '../../../machines/shoot-context.ts';

export function fact(name: string, value: string): Fact {
  return { name, value };
}

export function yesOrNo(name: string, value: boolean): Fact {
  return { name, value: value ? 'yes' : 'no' };
}

/** An instant, and how far it is from the turn's: `12:00:44.1, 0.3 s ago`. */
export function instantFact(name: string, at: Instant | null | undefined, now: Instant): Fact {
  return at === null || at === undefined ? fact(name, 'none') : { name, value: distanceWords(at - now), at };
}

function distanceWords(millis: number): string {
  if (millis === 0) return 'now';
  const size = Math.abs(millis);
  // What a decision takes is a few hundredths of a second.
  const length = size < 1_000 ? `${(size / 1_000).toFixed(2)} s` : seconds(size);
  return millis < 0 ? `${length} ago` : `in ${length}`;
}

/** `60 %`, `66.7 %`. */
export function percent(fraction: number): string {
  return `${Math.round(fraction * 1_000) / 10} %`;
}

/** Enough to see what they have in common. */
const mostNamed = 5;

/** A shoot's owner chooses the names of nodes. */
const longestName = 63;

/** `node-a, node-b and 3 more`; `none`. */
export function namesWords(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - mostNamed;
  const named = names.slice(0, mostNamed).map(shortened).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

export function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}

/** What one guard asks, in words. */
export type GuardWords<Context, Event> = Readonly<{
  /** `Is the shoot cut off?` */
  question: string;
  /** The rules of docs/specification.md that it carries out. */
  rules: readonly Rule[];
  /** The values that it answers by. */
  saw(args: Readonly<{ context: Context; event: Event }>): readonly Fact[];
}>;

/** Looks a guard up by its name. The chart gives each of its guards the context and event of its own machine. */
export function guardWordsIn<Context, Event>(
  table: Readonly<Record<string, GuardWords<Context, Event>>>,
): (guard: string) => GuardWords<unknown, unknown> {
  return (guard) => {
    const words = table[guard];
    if (words === undefined) throw new Error(`no words for the guard ${guard}`);
    return words;
  };
}

/** What a path told, after its name: `external path: failed`. */
export const pathStateWords: Readonly<Record<PathState, string>> = {
  notAsked: 'not asked',
  asked: 'no answer yet',
  answered: 'answered',
  failed: 'failed',
  untold: 'told nothing',
};

/** `, timeout: no answer within 5 s`; empty for a plain answer. */
export function reasonWords(failure: ProbeFailure | undefined): string {
  return failure === undefined ? '' : `, ${failure.reason}: ${shortened(failure.detail)}`;
}

/** `failed 2 times in a row, 3 needed`. */
export function externalCountWords(kind: 'cutOff' | 'connected', { count, of }: PathCount): string {
  const times = count === 1 ? 'once' : `${count} times`;
  return `${kind === 'cutOff' ? 'failed' : 'answered'} ${times} in a row, ${of} needed`;
}

/** What each path told that led to a verdict. */
export function judgedFacts({ paths }: ShootContext, { kind, external }: PathVerdict): readonly Fact[] {
  const reason = paths?.reason ?? null;
  return [
    fact('internal path', 'answered'),
    fact('external path', `${externalCountWords(kind, external)}${reason === null ? '' : ` (${reason})`}`),
  ];
}
