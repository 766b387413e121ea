import type { Law } from './law.ts';
import { asBefore, handsOff, healedInTime } from './laws/healing.ts';
import { bounds } from './laws/bounds.ts';
import { boundsOfJournals, journals, recordsStay } from './laws/journals.ts';
import { boundsOfTheGone } from './laws/bounds-of-the-gone.ts';
import { askedShoots, clustersWord } from './laws/clusters.ts';
import { calmRequests, pace, quiet, restraint, withdrawnWrites } from './laws/requests.ts';
import { boundsOfHosts, neverStands } from './laws/host-laws.ts';
import { leaseProtocol, leasesLetGo, onlyLeadersWrite } from './laws/leases.ts';
import { levelOrder, storeWrites } from './laws/writes.ts';
import { machineLaws, noBugs, noSpinning, ownAnswers, replayAgrees, toldOnce, weederLaws } from './laws/machines.ts';
import { pacedWrites, recordsLast } from './laws/thwarted.ts';
import { noNodeMarked } from './laws/marks.ts';
import { ownKubeconfigs } from './laws/own-kubeconfigs.ts';
import { askedAgain, silentServers, trueOutages, trueReturns } from './laws/verdicts.ts';
import { waitedReturns } from './laws/returns.ts';
import { weededInTime, weededPods, weedingWindows } from './laws/weeding.ts';
import { neverWoken, unjudgedShoots } from './laws/unjudged.ts';
import { partialOutages } from './laws/zones.ts';

/** All laws of simulated lives. */
export const laws: readonly Law[] = [
  onlyLeadersWrite,
  storeWrites,
  clustersWord,
  levelOrder,
  noSpinning,
  handsOff,
  noBugs,
  noNodeMarked,
  machineLaws,
  replayAgrees,
  asBefore,
  quiet,
  pace,
  weederLaws,
  weededPods,
  weededInTime,
  weedingWindows,
  journals,
  calmRequests,
  bounds,
  boundsOfTheGone,
  boundsOfJournals,
  askedShoots,
  healedInTime,
  leaseProtocol,
  ownAnswers,
  restraint,
  toldOnce,
  trueOutages,
  silentServers,
  withdrawnWrites,
  ownKubeconfigs,
  leasesLetGo,
  neverStands,
  boundsOfHosts,
  recordsStay,
  partialOutages,
  askedAgain,
  waitedReturns,
  unjudgedShoots,
  neverWoken,
  pacedWrites,
  recordsLast,
  trueReturns,
];
