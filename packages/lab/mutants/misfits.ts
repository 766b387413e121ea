import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSource } from '../../../hack/source.ts';
import { slipped, type Slip } from './slip.ts';

/** A line for each slip that does not fit into its file in one place, or makes no TypeScript. */
export function misfitsAmong(
  root: string,
  slips: readonly Pick<Slip, 'file' | 'find' | 'put' | 'says'>[],
): readonly string[] {
  return slips.flatMap((slip) => {
    try {
      parseSource(slip.file, slipped(readFileSync(join(root, slip.file), 'utf8'), slip));
      return [];
    } catch (error) {
      return [`${slip.says}: ${String(error)}`];
    }
  });
}
