import { ofMutants, type SoakSlip } from './soak-slip.ts';

/** The weeder: when it deletes which pods. */
export const weederSlips: readonly SoakSlip[] = [
  ofMutants('weeder-machine', 'deletions stay in the queue after the window'),
  ofMutants('weeder-machine', 'ten more deletions are begun with each turn'),
  ofMutants('weeder-machine', 'what crash-looped while its service was down again is left alone'),
  ofMutants('weeder-machine', 'a service that was down while nobody looked gets no window'),
  ofMutants('weeder-machine', 'deletions go on while the service is down'),
  ofMutants('weeder-seed', 'a successor of the same name is deleted'),
  ofMutants('weeder-seed', 'a service restarts the dependants of another one'),
  ofMutants('weeder-seed', 'a service that was down and is as it was, after a gap, is not told'),
  ofMutants('weeder-domain', 'a service needs a ready endpoint in each of its slices'),
  {
    file: 'src/domain/weeder/pod-ledger.ts',
    find: "const crashLooping = state === 'crashLooping';",
    put: 'const crashLooping = true as boolean;',
    says: 'pods that do not crash-loop are deleted as well',
  },
];
