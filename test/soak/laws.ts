import type { Law } from './law.ts';
import { asBefore } from './laws/as-before.ts';
import { bounds } from './laws/bounds.ts';
import { boundsOfJournals } from './laws/bounds-of-journals.ts';
import { boundsOfTheGone } from './laws/bounds-of-the-gone.ts';
import { askedShoots } from './laws/asked-shoots.ts';
import { calmRequests } from './laws/calm-requests.ts';
import { clustersWord } from './laws/clusters-word.ts';
import { handsOff } from './laws/hands-off.ts';
import { boundsOfHosts, neverStands } from './laws/host-laws.ts';
import { recordsStay } from './laws/records-stay.ts';
import { healedInTime } from './laws/healed-in-time.ts';
import { journals } from './laws/journals.ts';
import { leaseProtocol } from './laws/lease-protocol.ts';
import { leasesLetGo } from './laws/leases-let-go.ts';
import { levelOrder } from './laws/level-order.ts';
import { machineLaws } from './laws/machine-laws.ts';
import { noBugs } from './laws/no-bugs.ts';
import { noNodeMarked } from './laws/no-node-marked.ts';
import { noSpinning } from './laws/no-spinning.ts';
import { onlyLeadersWrite } from './laws/only-leaders-write.ts';
import { ownAnswers } from './laws/own-answers.ts';
import { ownKubeconfigs } from './laws/own-kubeconfigs.ts';
import { pace } from './laws/pace.ts';
import { quiet } from './laws/quiet.ts';
import { replayAgrees } from './laws/replay-agrees.ts';
import { restraint } from './laws/restraint.ts';
import { storeWrites } from './laws/store-writes.ts';
import { toldOnce } from './laws/told-once.ts';
import { silentServers } from './laws/silent-servers.ts';
import { trueOutages } from './laws/true-outages.ts';
import { weededInTime } from './laws/weeded-in-time.ts';
import { weededPods } from './laws/weeded-pods.ts';
import { weederLaws } from './laws/weeder-laws.ts';
import { weedingWindows } from './laws/weeding-windows.ts';
import { withdrawnWrites } from './laws/withdrawn-writes.ts';

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
];
