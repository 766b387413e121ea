import type { Happening } from '../../adapters/episodes/course.ts';

/** Of what happened, that which the summary of a replay has: outages of shoots, recoveries of services. */
export function summedUp(
  happenings: readonly Happening[],
  machine: PropertyKey,
  { summed }: Readonly<{ summed: string }>,
): readonly Happening[] {
  return happenings.filter((one) => one.machine === machine && one.kind === summed);
}
