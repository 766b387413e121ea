import { commandsSlips } from './commands-slips.ts';
import { domainSlips } from './domain-slips.ts';
import { effectsSlips } from './effects-slips.ts';
import { electionSlips } from './election-slips.ts';
import { inspectorBrowserSlips } from './inspector-browser-slips.ts';
import { inspectorFrameSlips } from './inspector-frame-slips.ts';
import { inspectorPathsSlips } from './inspector-paths-slips.ts';
import { inspectorServeSlips } from './inspector-serve-slips.ts';
import { inspectorTimeSlips } from './inspector-time-slips.ts';
import { inspectorExplainSlips } from './inspector-explain-slips.ts';
import { inspectorChartSlips } from './inspector-chart-slips.ts';
import { inspectorEpisodesSlips } from './inspector-episodes-slips.ts';
import { journalSlips } from './journal-slips.ts';
import { healingSlips } from './healing-slips.ts';
import { inspectorAskSlips } from './inspector-ask-slips.ts';
import { lanesSlips } from './lanes-slips.ts';
import { leasesSlips } from './leases-slips.ts';
import { logSlips } from './log-slips.ts';
import { machinesSlips } from './machines-slips.ts';
import { pathWordsSlips } from './path-words-slips.ts';
import { hostSlips } from './host-slips.ts';
import { observersSlips } from './observers-slips.ts';
import { outagesSlips } from './outages-slips.ts';
import { pathObserversSlips } from './path-observers-slips.ts';
import { restoredSlips } from './restored-slips.ts';
import { returningSlips } from './returning-slips.ts';
import { rolesSlips } from './roles-slips.ts';
import { scalingSlips } from './scaling-slips.ts';
import { seedSlips } from './seed-slips.ts';
import { servingSlips } from './serving-slips.ts';
import { readingSlips } from './reading-slips.ts';
import { shootPathsSlips } from './shoot-paths-slips.ts';
import { shootSlips } from './shoot-slips.ts';
import { simulatorSlips } from './simulator-slips.ts';
import type { Slip } from './slip.ts';
import { statusSlips } from './status-slips.ts';
import { silenceSlips } from './silence-slips.ts';
import { storySlips } from './story-slips.ts';
import { streamsSlips } from './streams-slips.ts';
import { supplySlips } from './supply-slips.ts';
import { twoPathSlips } from './two-path-slips.ts';
import { twoPathConfigSlips } from './two-path-config-slips.ts';
import { weederDomainSlips } from './weeder-domain-slips.ts';
import { weederMachineSlips } from './weeder-machine-slips.ts';
import { weederSeedSlips } from './weeder-seed-slips.ts';
import { weederServicesSlips } from './weeder-services-slips.ts';

export type PlacedSlip = Readonly<{ room: string; slip: Slip }>;

const rooms: Readonly<Record<string, readonly Slip[]>> = {
  domain: domainSlips,
  leases: leasesSlips,
  silence: silenceSlips,
  'path-config': twoPathConfigSlips,
  'weeder-domain': weederDomainSlips,
  machines: machinesSlips,
  'two-paths': twoPathSlips,
  returning: returningSlips,
  'weeder-machine': weederMachineSlips,
  effects: effectsSlips,
  lanes: lanesSlips,
  healing: healingSlips,
  seed: seedSlips,
  scaling: scalingSlips,
  election: electionSlips,
  streams: streamsSlips,
  'restored seeds': restoredSlips,
  'weeder-seed': [...weederSeedSlips, ...weederServicesSlips],
  shoot: shootSlips,
  reading: readingSlips,
  paths: shootPathsSlips,
  'path-observers': pathObserversSlips,
  browser: inspectorBrowserSlips,
  frame: inspectorFrameSlips,
  journal: journalSlips,
  log: logSlips,
  host: hostSlips,
  observers: observersSlips,
  outages: outagesSlips,
  'path-words': pathWordsSlips,
  episodes: inspectorEpisodesSlips,
  roles: rolesSlips,
  serving: servingSlips,
  commands: commandsSlips,
  'inspector-ask': inspectorAskSlips,
  status: statusSlips,
  'inspector-explain': inspectorExplainSlips,
  'inspector-paths': inspectorPathsSlips,
  'inspector-serve': inspectorServeSlips,
  timeline: inspectorTimeSlips,
  simulator: simulatorSlips,
  story: storySlips,
  supply: supplySlips,
  chart: inspectorChartSlips,
};

/** Every slip that we have thought of, or that lived for a while, with the room that it is in. */
export const allSlips: readonly PlacedSlip[] = Object.entries(rooms).flatMap(([room, slips]) =>
  slips.map((slip) => ({ room, slip })),
);
