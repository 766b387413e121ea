import { expect, test } from 'vitest';
import { explainers } from '../../model/explanation/explain-turn.ts';

import type { LeaseConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { autoscaler, controllerManager, gardenerConfig, machineController } from '@dwd/testing/prober-configs.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { present } from '@dwd/testing/views.ts';
import { ready, readyAnew, unready } from '@dwd/testing/weeder-driver.ts';
import { arrives, AskedService, AskedShoot, factText, probing, type GuardRow } from './asked-turns.ts';
import { pathGuardRows } from './path-guard-rows.ts';

const creating = { lastOperation: { type: 'Create', state: 'Processing' } };

type Act = (shoot: AskedShoot) => unknown;
const leases =
  (...ages: readonly number[]): Act =>
  (shoot) =>
    shoot.leases(ages);
const candidates: Act = (shoot) => shoot.candidates();
const wakes: Act = (shoot) => shoot.wakeProbe();
const streamOut: Act = (shoot) => shoot.clustersWatched(false);
const cutOff: Act = (shoot) => shoot.wholeProbe('cutOff');
const connected: Act = (shoot) => shoot.wholeProbe('connected');
const all: Act = (shoot) => arrives(shoot, machineController, autoscaler, controllerManager);

/** All is well, and it is probed. */
const under =
  (change: Partial<LeaseConfig>, ...acts: readonly Act[]) =>
  () =>
    probing({ ...gardenerConfig, ...change }, ...acts);
const probed = (...acts: readonly Act[]) => under({}, ...acts);
/** Nothing was heard of it yet. */
const begun = (act: Act) => () => {
  const shoot = new AskedShoot(gardenerConfig);
  act(shoot);
  return shoot;
};
/** Its probe is under way. */
const asked = (...acts: readonly Act[]) => probed(wakes, ...acts);
/** The stream of Clusters is out, and a look is under way. */
const looking = (...acts: readonly Act[]) => probed(streamOut, wakes, leases(40_000, 40_000), ...acts);
/** All dependants are down. */
const down = (...acts: readonly Act[]) => probed(cutOff, all, ...acts);

/** A service to which this happens. */
const service =
  (...acts: readonly ((one: AskedService) => unknown)[]) =>
  () => {
    const one = new AskedService();
    for (const act of acts) act(one);
    return one;
  };
const up = (one: AskedService) => one.up();

const byGrace = 'threshold: 30.0 s without renewal, 75 % of the grace of 40.0 s';

const shootRows: readonly GuardRow<AskedShoot>[] = [
  [
    'mayStart: yes, when a Cluster is fine',
    begun((one) => one.cluster()),
    ['Cluster: may be probed', 'cut short by a Cluster that could not be read: no'],
  ],
  [
    'mayStart: no, when a shoot is being created',
    begun((one) => one.cluster(creating)),
    [
      "Cluster: neither starts nor stops probing: the shoot's last operation is Create, Processing",
      'cut short by a Cluster that could not be read: no',
    ],
  ],
  [
    'mayStart: yes, when a Cluster can be read again',
    probed(
      (one) => one.unreadableCluster(),
      (one) => one.cluster(creating),
    ),
    [
      "Cluster: neither starts nor stops probing: the shoot's last operation is Create, Processing",
      'cut short by a Cluster that could not be read: yes',
    ],
  ],
  [
    'mustStop: yes, when a shoot hibernates',
    probed((one) => one.cluster({ hibernationEnabled: true })),
    ['Cluster: may not be probed: the shoot is hibernated'],
  ],
  [
    'mustStop: yes, when a Cluster cannot be read',
    probed((one) => one.unreadableCluster()),
    ['Cluster: cannot be read: no spec.shoot'],
  ],
  [
    'changesPolicy: yes, when a shoot gets a grace of its own',
    probed((one) => one.cluster({ nodeMonitorGrace: 120_000 })),
    ['before: grace 40.0 s; pool: default conditions', 'after: grace 2m00s; pool: default conditions'],
  ],
  [
    'changesPolicy: yes, when only a pool has come',
    probed((one) =>
      one.cluster({ workers: [{ name: 'pool' }, { name: 'gpu', nodeConditions: ['GpuLost', 'DiskPressure'] }] }),
    ),
    [
      'before: grace 40.0 s; pool: default conditions',
      'after: grace 40.0 s; pool: default conditions; gpu: GpuLost, DiskPressure',
    ],
  ],
  [
    'isProbeDue: no, when it wakes early',
    probed((one) => one.wake(one.nextProbeAt - 500)),
    ['due: 1030532, in 0.50 s'],
  ],
  [
    'isProbeDue: no, when the shoot asked to be left alone',
    asked(
      (one) => one.probeFails({ reason: 'throttled', retryAfter: 20_000 }),
      (one) => one.wake(one.nextProbeAt),
    ),
    ['due: 1050532, in 19.0 s', 'left alone until: 1050532, in 19.0 s'],
  ],
  [
    'isProbeLost: yes, when no answer comes',
    asked((one) => one.wait(31_000)),
    ['under way: probe 1', 'deadline: 1060532, 1.0 s ago', 'lost: 1061532, now'],
  ],
  [
    'isProbeLost: no, when an answer may still come',
    asked((one) => one.wait(29_000)),
    ['under way: probe 1', 'deadline: 1060532, in 1.0 s', 'lost: 1061532, in 2.0 s'],
  ],
  [
    'isCurrent: no, when an answer comes too late',
    asked((one) => one.leases([1_000, 1_000], 7)),
    ['answers: probe 7', 'under way: probe 1'],
  ],
  [
    'isCurrentAndMustLook: yes, when a lease is expired',
    asked(leases(40_000, 1_000)),
    [
      'answers: probe 1',
      'under way: probe 1',
      'leases: 1 of 2 expired: a',
      'anything may be down: no',
      'anything could go down: yes',
      'stream of Clusters: live',
      'last look: none that tells of every lease',
      'could be cut off: 1059532, in 29.0 s',
    ],
  ],
  [
    'isCurrentAndNoRest: no, when the Cluster is gone',
    looking((one) => one.candidatesWith({ outcome: 'gone' })),
    ['answers: probe 1', 'under way: probe 1', 'Cluster: gone'],
  ],
  [
    'showsGone: yes, when the Cluster is gone',
    looking((one) => one.candidatesWith({ outcome: 'gone' })),
    ['Cluster: gone'],
  ],
  [
    'showsRest: yes, when it hibernates unseen',
    looking((one) =>
      one.candidatesWith({
        outcome: 'read',
        reading: { readable: true, cluster: { ...activeCluster, hibernationEnabled: true } },
      }),
    ),
    ['Cluster: may not be probed: the shoot is hibernated'],
  ],
  [
    'showsCluster: no, when the seed does not answer',
    looking((one) => one.candidatesWith({ outcome: 'failed', detail: 'connection refused' })),
    ['Cluster: not answered: connection refused'],
  ],
  [
    'showsCluster: no, when an answer comes too late',
    looking((one) => one.candidatesWith({ outcome: 'gone' }, 7)),
    ['Cluster: the answer comes too late to count'],
  ],
  [
    'isCutOff: yes, when both leases are expired',
    asked(leases(33_000, 31_000), candidates),
    [
      'verdict: cut off',
      'leases: 2 of 2 expired (100 %)',
      'needed: 60 %, which is 2 of 2',
      'silent longest: a silent for 33.0 s, b for 31.0 s',
      byGrace,
      'met since: 1029532, 1.0 s ago',
    ],
  ],
  [
    'isCutOff: no, when one of two is expired',
    asked(leases(33_000, 1_000), candidates),
    [
      'verdict: connected',
      'leases: 1 of 2 expired (50 %)',
      'needed: 60 %, which is 2 of 2',
      'silent longest: a silent for 33.0 s',
      byGrace,
    ],
  ],
  [
    'isCutOff: no, when none is expired',
    asked(leases(3_000, 9_000)),
    [
      'verdict: connected',
      'leases: 0 of 2 expired (0 %)',
      'needed: 60 %, which is 2 of 2',
      'silent longest: b for 9.0 s',
      byGrace,
    ],
  ],
  [
    'isCutOff: no, when the longest silent is no candidate',
    asked(leases(26_000, 25_000, 29_000), candidates),
    [
      'verdict: connected',
      'leases: 0 of 2 expired (0 %)',
      'needed: 60 %, which is 2 of 2',
      'silent longest: a for 26.0 s',
      byGrace,
      'left out: node-2',
    ],
  ],
  [
    'isCutOff: no, when there is no lease',
    asked(leases()),
    [
      'verdict: connected',
      'leases: 0 of 0 expired',
      'needed: two candidates at least',
      'silent longest: none',
      byGrace,
    ],
  ],
  [
    'isCutOff: no, when one candidate is left',
    probed((one) => one.wholeProbe('tooFew')),
    [
      'verdict: too few to tell',
      'leases: 1 of 1 expired (100 %)',
      'needed: two candidates at least',
      'silent longest: a silent for 40.0 s',
      byGrace,
      'left out: b',
    ],
  ],
  [
    'failureThresholdMet: no, when it was cut off once of three times',
    under({ failureThreshold: 3 }, cutOff),
    ['verdicts in a row: 1 cut off, 3 needed'],
  ],
  [
    'isScaleUpDue: no, when all is up',
    probed(connected),
    [
      'verdict: connected: 0 of 2 leases expired',
      'verdicts in a row: 1 connected, 1 needed',
      'aim: up, only what carries our mark',
      'kube-controller-manager: nothing due: 1 replica wanted, 1 ready',
      'machine-controller-manager: nothing due: 1 replica wanted, 1 ready',
      'cluster-autoscaler: nothing due: 1 replica wanted, 1 ready',
    ],
  ],
  [
    'isScaleUpDue: yes, when it is back, and one was put to 0 by others',
    down((one) => one.sees(autoscaler, present({ resourceVersion: '90', replicas: 0, readyReplicas: 0 })), connected),
    [
      'verdict: connected: 0 of 2 leases expired',
      'verdicts in a row: 1 connected, 1 needed',
      'aim: up, whatever stands at 0',
      'kube-controller-manager: due: scale from 0 to 1 (unmark, drop the record)',
      'machine-controller-manager: due: scale from 0 to 1 (unmark, drop the record)',
      'cluster-autoscaler: due: scale from 0 to 1',
    ],
  ],
  [
    'isScaleUpDue: no, when it is cut off',
    down(cutOff),
    ['verdict: cut off: 2 of 2 leases expired', 'verdicts in a row: 0 connected, 1 needed'],
  ],
  [
    'isConnected: yes, when it was cut off once of three times, and is back',
    under({ failureThreshold: 3, successThreshold: 2 }, cutOff, connected),
    ['verdict: connected: 0 of 2 leases expired'],
  ],
  [
    'verdictMeetsSuccessThreshold: no, when it is back once of two times',
    under({ successThreshold: 2 }, cutOff, all, connected),
    ['verdict: connected: 0 of 2 leases expired', 'verdicts in a row: 1 connected, 2 needed'],
  ],
  [
    'verdictMeetsFailureThreshold: yes, when it is cut off again on its way up',
    down(connected, cutOff),
    [
      'verdict: cut off',
      'leases: 2 of 2 expired (100 %)',
      'needed: 60 %, which is 2 of 2',
      'silent longest: a silent for 40.0 s, b for 40.0 s',
      byGrace,
      'met since: 1079500, 10.0 s ago',
      'verdicts in a row: 1 cut off, 1 needed',
    ],
  ],
  [
    'isScaleDownDue: yes, when somebody raised a dependant',
    down((one) => one.sees(controllerManager, present({ resourceVersion: '90', replicas: 1 })), cutOff),
    [
      'verdict: cut off',
      'leases: 2 of 2 expired (100 %)',
      'needed: 60 %, which is 2 of 2',
      'silent longest: a silent for 70.0 s, b for 70.0 s',
      byGrace,
      'met since: 1020532, 40.0 s ago',
      'verdicts in a row: 2 cut off, 1 needed',
      'aim: down',
      'kube-controller-manager: due: scale from 1 to 0 (mark, record 1)',
      'machine-controller-manager: nothing due: 0 replicas wanted, 0 ready, marked, record "1"',
      'cluster-autoscaler: nothing due: 0 replicas wanted, 0 ready, marked, record "1"',
    ],
  ],
  ['isRecheckDue: yes, when nothing was heard for a minute', down((one) => one.wait(60_000)), ['due: 1090532, now']],
  [
    'isFlowFinished: no, when one has arrived, one failed, and one waits',
    probed(
      cutOff,
      (one) => one.written(autoscaler),
      (one) => one.follows(autoscaler),
      (one) => one.answersWrite(machineController, { outcome: 'failed', detail: 'ill' }),
    ),
    [
      'on the way: down, at level 0',
      'kube-controller-manager: waits for its level (level 1)',
      'machine-controller-manager: failed 1 time, again in 0.3 s (level 0)',
      'cluster-autoscaler: done (level 0)',
    ],
  ],
  [
    'isFlowFinished: no, when the delay on the way up runs',
    down(
      connected,
      (one) => one.written(controllerManager),
      (one) => one.follows(controllerManager),
    ),
    [
      'on the way: up, at level 1',
      'kube-controller-manager: done (level 0)',
      'machine-controller-manager: delayed for 30.0 s more (level 1)',
      'cluster-autoscaler: waits for its level (level 2)',
    ],
  ],
  [
    'isFlowFinished: yes, when its last dependant has arrived',
    down(),
    [
      'on the way: down, at level 1',
      'kube-controller-manager: done (level 1)',
      'machine-controller-manager: done (level 0)',
      'cluster-autoscaler: done (level 0)',
    ],
  ],
];

const readyBefore = ['ready: 1 of 1 endpoint', 'ready before: 1 of 1 endpoint'];

const weederRows: readonly GuardRow<AskedService>[] = [
  [
    'isAvailable: yes, when an endpoint is ready',
    service(up),
    ['ready: 1 of 1 endpoint', 'ready before: 0 of 0 endpoints'],
  ],
  [
    'isDown: yes, when no endpoint is ready any more',
    service(up, (one) => one.down()),
    ['ready: 0 of 1 endpoint', 'ready before: 1 of 1 endpoint'],
  ],
  ...(
    [
      ['yes, when other endpoints are ready after a short gap', readyAnew, 5_000, '5.0 s were not seen', 'others than'],
      ['no, when the same endpoint is ready after a short gap', ready, 5_000, '5.0 s were not seen', 'the same as'],
      ['yes, when the gap was long', ready, 10_500, '10.5 s were not seen', 'the same as'],
    ] as const
  ).map(([when, slices, unseen, gap, endpoints]): GuardRow<AskedService> => [
    `mayHaveFailed: ${when}`,
    service(up, (one) => one.listed(slices, unseen)),
    [...readyBefore, `gap: ${gap}`, `ready endpoints: ${endpoints} before`],
  ]),
  [
    'mayHaveFailed: no, when every change was seen',
    service(up, (one) => one.slices(readyAnew)),
    [...readyBefore, 'gap: none: every change was seen'],
  ],
  ['isWindowOver: yes, when its time is over', service(up, (one) => one.ringAtEnd()), ['window ends: 1300000, now']],
  [
    'isWindowOver: no, when a minute is left, and the service is down again',
    service(
      up,
      (one) => one.slices(unready),
      (one) => one.wait(240_000),
    ),
    ['window ends: 1300000, in 60.0 s'],
  ],
];

const rows = [...shootRows, ...pathGuardRows, ...weederRows].map(([title, ...row]) => {
  const [, guard = '', answer] = /^(\w+): (yes|no), when /.exec(title) ?? [];
  return [title, guard, answer === 'yes', ...row] as const;
});

test.each(rows)('9.7 %s', (_, guard, answer, played, saw) => {
  const { guards } = played().explain();
  const asked = guards.findLast((one) => one.guard === guard);
  expect({ answer: asked?.answer, saw: asked?.saw.map(factText) }).toEqual({ answer, saw });
});

test('9.7 each guard of both machines is asked by some row of this table', () => {
  const asked = new Set(rows.map(([, guard]) => guard));
  expect([...asked].toSorted()).toEqual(
    Object.values(explainers)
      .flatMap(({ guards }) => Object.keys(guards))
      .toSorted(),
  );
});
