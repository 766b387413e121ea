import type { Fact } from './explanation.ts';
import type { GuardRule } from './guard-rules.ts';

/** What one guard asks, in words. */
export type GuardWords<Context, Event> = Readonly<{
  /** `Is the shoot cut off?` */
  question: string;
  /** The rules of docs/specification.md that it carries out. */
  rules: readonly GuardRule[];
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
