import { boundSlips } from './bound-slips.ts';
import { electionSlips } from './election-slips.ts';
import { hostSlips } from './host-slips.ts';
import { journalSlips } from './journal-slips.ts';
import { machineSlips } from './machine-slips.ts';
import { oldBugs } from './old-bugs.ts';
import { scalingSlips } from './scaling-slips.ts';
import { seedClientSlips } from './seed-client-slips.ts';
import type { SoakSlip } from './soak-slip.ts';
import { streamSlips } from './stream-slips.ts';
import { weederSlips } from './weeder-slips.ts';

export type PlacedSoakSlip = Readonly<{ room: string; slip: SoakSlip }>;

const rooms: Readonly<Record<string, readonly SoakSlip[]>> = {
  'old bugs': oldBugs,
  scaling: scalingSlips,
  machines: machineSlips,
  streams: streamSlips,
  election: electionSlips,
  'seed client': seedClientSlips,
  weeder: weederSlips,
  journal: journalSlips,
  bounds: boundSlips,
  host: hostSlips,
};

/** Every slip that simulated lives are asked to find, with its room. */
export const soakSlips: readonly PlacedSoakSlip[] = Object.entries(rooms).flatMap(([room, slips]) =>
  slips.map((slip) => ({ room, slip })),
);
