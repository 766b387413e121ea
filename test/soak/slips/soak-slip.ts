import type { Slip } from '../../../hack/mutants/slip.ts';
import { allSlips } from '../../../hack/mutants/slips.ts';

/** A single mistake in the program that simulated lives ought to find by a broken law. */
export type SoakSlip = Pick<Slip, 'file' | 'find' | 'put' | 'says'> &
  Readonly<{
    /** Where the mistake was really made, and by whom. */
    wasTrue?: string;
    /** Why no law of simulated lives can see it. */
    explained?: string;
  }>;

/** A slip that tests see as well. It stands in one place only, so that it is mended once when its line changes. */
export function ofMutants(room: string, says: string, explained?: string): SoakSlip {
  const found = allSlips.filter((one) => one.room === room && one.slip.says === says);
  const [placed] = found;
  if (placed === undefined || found.length > 1) throw new Error(`${found.length} slips of ${room} say '${says}'`);
  const { file, find, put } = placed.slip;
  return { file, find, put, says, ...(explained === undefined ? {} : { explained }) };
}
