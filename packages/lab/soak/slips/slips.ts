import { allSlips, slipsBelow } from '../../mutants/slips.ts';
import type { Slip } from '../../mutants/slip.ts';

/** A single mistake in the program that simulated lives ought to find by a broken law. */
type SoakSlip = Pick<Slip, 'file' | 'find' | 'put' | 'says'> &
  Readonly<{
    /** Where the mistake was really made, and by whom. */
    wasTrue?: string;
    /** Why no law of simulated lives can see it. */
    explained?: string;
  }>;

export type PlacedSoakSlip = Readonly<{ room: string; slip: SoakSlip }>;

/** Every slip that simulated lives are asked to find, with its room. What tests see as well stands with them only, so that it is mended once when its line changes. */
export const soakSlips: readonly PlacedSoakSlip[] = slipsBelow(import.meta.dirname).map(({ room, slip }) => {
  if (!('of' in slip)) return { room, slip };
  const { of, says, ...notes } = slip;
  const found = allSlips.find((one) => one.room === of && one.slip.says === says);
  if (found === undefined) throw new Error(`no slip of ${of} says '${says}', which ${room}.slips of the soak takes`);
  const { file, find, put } = found.slip;
  return { room, slip: { file, find, put, says, ...notes } };
});
