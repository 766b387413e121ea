import { gardenerConfig, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { probing, type AskedShoot, type GuardRow } from './asked-turns.ts';

type Played = (shoot: AskedShoot) => unknown;

/** A shoot whose two paths are asked; its first probe is due. */
const probed =
  (...acts: readonly Played[]) =>
  () =>
    probing(twoPathConfig, ...acts);

const wakes: Played = (shoot) => shoot.wakeProbe();

/** Its first probe is under way. */
const asked = (...acts: readonly Played[]) => probed(wakes, ...acts);

/** Its second probe is under way, which asks both paths side by side. */
const sideBySide = (...acts: readonly Played[]) => asked(internal, external, wakes, ...acts);

const internal: Played = (shoot) => shoot.path('internal');
const internalFails: Played = (shoot) => shoot.path('internal', { detail: 'connection refused' });
const external: Played = (shoot) => shoot.path('external');
const externalFails: Played = (shoot) => shoot.path('external', { detail: 'connection reset' });
const wholeInternalFails: Played = (shoot) => shoot.wholePaths('internalFails');
const streamOut: Played = (shoot) => shoot.clustersWatched(false);

/** Of the guards that only a shoot with two paths comes to (SPEC 4.9). */
export const pathGuardRows: readonly GuardRow<AskedShoot>[] = [
  ['isPathProbeDue: yes, when the probe is due', asked(), ['has two paths: yes', 'due: 1030532, now']],
  [
    'isPathProbeDue: no, when leases are judged',
    () => probing(gardenerConfig, wakes),
    ['has two paths: no', 'due: 1030532, now'],
  ],
  [
    'isPathProbeDue: no, when the shoot is left alone',
    probed(...Array<Played>(3).fill(wholeInternalFails), (shoot) => shoot.wake(shoot.nextProbeAt)),
    ['has two paths: yes', 'due: 1063532, in 26.0 s', 'left alone until: 1063532, in 26.0 s'],
  ],
  [
    'hasInternalFailed: yes, when it cannot be reached',
    asked(internalFails),
    ['internal path: failed, unreachable: connection refused'],
  ],
  [
    'hasInternalFailed: yes, when its time is over',
    asked((shoot) => {
      shoot.now += 5_000;
      shoot.path('internal', { reason: 'timeout', detail: 'no answer' });
    }),
    ['internal path: failed, timeout: no answer'],
  ],
  [
    'hasInternalFailed: yes, when its Secret is missing',
    asked((shoot) => shoot.path('internal', { reason: 'kubeconfig', detail: 'no Secret' })),
    ['internal path: told nothing, kubeconfig: no Secret'],
  ],
  [
    'hasInternalFailed: no, when the API server refuses us',
    asked((shoot) => shoot.path('internal', { reason: 'unauthorized', detail: '401' })),
    ['internal path: answered, unauthorized: 401'],
  ],
  [
    'hasInternalFailed: no, when it answers an earlier probe',
    sideBySide((shoot) => shoot.path('internal', {}, 1)),
    ['answers: probe 1', 'under way: probe 2', 'internal path: nobody waits for its answer any more'],
  ],
  [
    'mustAskExternal: yes, when the internal path answers again',
    asked(internal),
    ['internal path: answered', 'external path: not asked'],
  ],
  [
    'mustAskExternal: no, when both were asked side by side',
    sideBySide(internal),
    ['internal path: answered', 'external path: no answer yet'],
  ],
  [
    'isOtherPathAwaited: yes, when the external path tells first',
    sideBySide(externalFails),
    ['internal path: no answer yet', 'external path: failed, unreachable: connection reset'],
  ],
  [
    'isOtherPathAwaited: no, when it is the last one',
    sideBySide(external, internal),
    ['internal path: answered', 'external path: answered'],
  ],
  [
    'isExternalUntold: yes, when its Secret is missing',
    asked(internal, (shoot) => shoot.path('external', { reason: 'kubeconfig', detail: 'no Secret' })),
    ['external path: told nothing, kubeconfig: no Secret'],
  ],
  [
    'isExternalUntold: no, when it failed',
    asked(internal, externalFails),
    ['external path: failed, unreachable: connection reset'],
  ],
  [
    'isExternalUntold: yes, when it was asked late, and had little time',
    asked(
      (shoot) => {
        shoot.now += 3_000;
        internal(shoot);
      },
      (shoot) => shoot.path('external', { reason: 'timeout', detail: 'no answer' }),
    ),
    ['external path: told nothing, timeout: no answer', 'internal path took more than half of the time: yes'],
  ],
  [
    'isExternalUntold: yes, when it timed out before the internal path answered',
    sideBySide((shoot) => {
      shoot.now += 4_900;
      shoot.path('external', { reason: 'timeout', detail: 'no answer' });
    }, internal),
    ['external path: told nothing', 'internal path took: 4.9 s of the 5.0 s of the probe'],
  ],
  [
    'mustReadCluster: yes, when the stream of Clusters is out',
    asked(streamOut, internal, externalFails),
    ['stream of Clusters: out', 'external path: failed, unreachable: connection reset', 'anything may be down: no'],
  ],
  [
    'mustReadCluster: no, when the stream of Clusters is live',
    asked(internal, externalFails),
    ['stream of Clusters: live', 'external path: failed, unreachable: connection reset', 'anything may be down: no'],
  ],
  [
    'haveBothTold: yes, when the last one answers',
    asked(internal, external),
    ['internal path: answered', 'external path: answered'],
  ],
  [
    'showsRest: yes, when the Cluster that was read hibernates',
    asked(streamOut, internal, externalFails, (shoot) =>
      shoot.answersCluster({
        outcome: 'read',
        reading: {
          readable: true,
          cluster: { deleting: false, hibernationEnabled: true, hibernated: true, workers: [] },
        },
      }),
    ),
    ['Cluster: may not be probed: the shoot is hibernated'],
  ],
  [
    'isCurrentAndNoRest: yes, when the Cluster could not be read',
    asked(streamOut, internal, externalFails, (shoot) => shoot.answersCluster({ outcome: 'failed', detail: 'no' })),
    ['answers: probe 1', 'under way: probe 1', 'Cluster: not answered: no'],
  ],
  [
    'isCutOff: yes, when the external path failed for the first time',
    asked(internal, externalFails),
    [
      'verdict: cut off',
      'internal path: answered',
      'external path: failed once in a row, 3 needed (unreachable)',
      'first failed question: 1030532, now',
    ],
  ],
  [
    'isCutOff: no, when both paths answer',
    asked(internal, external),
    ['verdict: connected', 'internal path: answered', 'external path: answered once in a row, 1 needed'],
  ],
  [
    'failureThresholdMet: no, when the external path failed twice',
    probed(
      (shoot) => shoot.wholePaths('cutOff'),
      (shoot) => shoot.wholePaths('cutOff'),
    ),
    ['verdicts in a row: 2 cut off, 3 needed'],
  ],
  [
    'isScaleUpDue: no, when the external path answers again',
    asked(internal, externalFails, (shoot) => shoot.wholePaths('connected')),
    [
      'verdict: connected: the external path answers',
      'verdicts in a row: 1 connected, 1 needed',
      'aim: up, only what carries our mark',
      'kube-controller-manager: nothing due: 1 replica wanted, 1 ready',
      'machine-controller-manager: nothing due: 1 replica wanted, 1 ready',
      'cluster-autoscaler: nothing due: 1 replica wanted, 1 ready',
    ],
  ],
];
