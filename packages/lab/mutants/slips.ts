import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readSlips, type WrittenSlip } from './read-slips.ts';
import type { Slip } from './slip.ts';

export type PlacedSlip = Readonly<{ room: string; slip: Slip }>;

/** Every slip that we have thought of, or that lived for a while, with the room that it is in: its file's name. */
export const allSlips: readonly PlacedSlip[] = slipsBelow(import.meta.dirname).map(({ room, slip }) => {
  if ('of' in slip)
    throw new Error(`packages/lab/mutants/${room}.slips takes a slip of ${slip.of}: it stands there already`);
  return { room, slip };
});

/** What stands in each `*.slips` of a folder, under the file's name. */
export function slipsBelow(folder: string): readonly Readonly<{ room: string; slip: WrittenSlip }>[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.slips'));
  return files.toSorted().flatMap((name) => {
    const path = join(folder, name);
    return readSlips(path, readFileSync(path, 'utf8')).map((slip) => ({ room: basename(name, '.slips'), slip }));
  });
}
