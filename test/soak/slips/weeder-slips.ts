import { ofMutants, type SoakSlip } from './soak-slip.ts';

/** The weeder: when it deletes which pods. */
export const weederSlips: readonly SoakSlip[] = [
  ofMutants('weeder-domain', 'the pods that an owner makes again are deleted without end'),
  {
    ...ofMutants('weeder-seed', 'deletions go on while the services are not followed'),
    wasTrue: 'number 82: pods were deleted by what a stream had said before it was out',
  },
  ofMutants('weeder-seed', 'deletions wait for ever once the stream of services was out'),
  ofMutants('weeder-machine', 'deletions stay in the queue after the window'),
  ofMutants('weeder-machine', 'ten more deletions are begun with each turn'),
  ofMutants('weeder-machine', 'what crash-looped while its service was down again is left alone'),
  ofMutants('weeder-machine', 'a service that was down while nobody looked gets no window'),
  ofMutants('weeder-machine', 'deletions go on while the service is down'),
  ofMutants(
    'weeder-seed',
    'a successor of the same name is deleted',
    'the version that was seen is a precondition as well, and no successor has it',
  ),
  {
    ...ofMutants('weeder-seed', 'a pod that has recovered unseen is deleted'),
    wasTrue: '901 of 8 shoots: a weeder that had been cut off for minutes deleted pods by what it had seen before',
  },
  ofMutants('weeder-seed', 'a service restarts the dependants of another one'),
  ofMutants(
    'weeder-seed',
    'a service that was down and is as it was, after a gap, is not told',
    'its pods come back by the back-off of the kubelet, before calm is judged',
  ),
  ofMutants('weeder-domain', 'a service needs a ready endpoint in each of its slices'),
  {
    file: 'src/domain/weeder/pod-ledger.ts',
    find: "const crashLooping = state === 'crashLooping';",
    put: 'const crashLooping = true as boolean;',
    says: 'pods that do not crash-loop are deleted as well',
  },
];
