import { setTimeout as pause } from 'node:timers/promises';

/** How often it is looked: the scenarios share two cores with what they watch. */
const every = 100;

/** Looks until it is so; throws with an account after the patience, in milliseconds. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { patience = 90_000, account = () => '' }: Readonly<{ patience?: number; account?: () => string }> = {},
): Promise<void> {
  const begin = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begin > patience)
      throw new Error(`not within ${patience / 1_000} s: ${what}\n${account()}`);
    await pause(every);
  }
}
