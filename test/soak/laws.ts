import type { Law } from './law.ts';
import { asBefore } from './laws/as-before.ts';
import { machineLaws } from './laws/machine-laws.ts';
import { noBugs } from './laws/no-bugs.ts';
import { noNodeMarked } from './laws/no-node-marked.ts';
import { onlyLeadersWrite } from './laws/only-leaders-write.ts';
import { quiet } from './laws/quiet.ts';
import { replayAgrees } from './laws/replay-agrees.ts';
import { storeWrites } from './laws/store-writes.ts';

/** All laws of simulated lives. */
export const laws: readonly Law[] = [
  onlyLeadersWrite,
  storeWrites,
  noBugs,
  noNodeMarked,
  machineLaws,
  replayAgrees,
  asBefore,
  quiet,
];
