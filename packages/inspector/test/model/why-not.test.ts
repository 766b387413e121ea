import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LeaseConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { whyNotScaled } from '../../model/questions/why-not.ts';
import type { ShootTurnTaken } from '../../model/questions/why-not-obstacle.ts';
import { autoscaler, controllerManager, gardenerConfig, machineController } from '@dwd/testing/prober-configs.ts';
import { present, shielded } from '@dwd/testing/views.ts';
import { arrives, AskedShoot, directionOf, obstacleText } from './asked-turns.ts';

type Case = readonly [
  name: string,
  story: (shoot: AskedShoot) => void,
  kinds: string,
  answer: string,
  config?: Partial<LeaseConfig>,
];

const few: Partial<LeaseConfig> = { failureThreshold: 2, successThreshold: 2 };

function probing(shoot: AskedShoot): AskedShoot {
  shoot.allWell().cluster();
  return shoot;
}

/** Cut off, and all is at 0. */
function down(shoot: AskedShoot): AskedShoot {
  probing(shoot).wholeProbe('cutOff');
  arrives(shoot, machineController, autoscaler, controllerManager);
  return shoot;
}

const cases: readonly Case[] = [
  [
    '3.2 a shoot that was not seen (down)',
    (shoot) => shoot.allWell(),
    'notSeen 3.2',
    'No Cluster of the shoot had been seen yet',
  ],
  [
    '3.1 a shoot that hibernates (down)',
    (shoot) => probing(shoot).cluster({ hibernationEnabled: true }),
    'paused 3.1',
    'The shoot was paused: the shoot is hibernated.',
  ],
  [
    '3.1 what is down in a pause (up)',
    (shoot) => down(shoot).cluster({ deleting: true }),
    'paused 3.1',
    'The shoot was paused: the shoot is being deleted. Whatever is down then stays down: gardenlet scales now.',
  ],
  [
    '3.1 a shoot that is gone (down)',
    (shoot) => probing(shoot).gone(),
    'paused 3.1',
    'The shoot was paused: the shoot is gone.',
  ],
  [
    '3.2 a shoot that wakes up (down)',
    (shoot) => shoot.cluster({ hibernated: true }),
    'paused 3.2',
    'The shoot was paused: the shoot is still waking up from hibernation.',
  ],
  [
    '3.4 a Cluster that cannot be read (down)',
    (shoot) => probing(shoot).unreadableCluster(),
    'paused 3.4',
    'The shoot was paused: no spec.shoot.',
  ],
  [
    '4.6 no probe yet (down)',
    probing,
    'notAsked 2 4.6',
    'No probe had been answered yet. The first one was due in 30.5 s.',
  ],
  [
    '4.3 the first probe is under way (down)',
    (shoot) => void probing(shoot).wakeProbe(),
    'probeUnderWay 4.3',
    'Probe 1 had been under way for 0.0 s, and had not been answered yet.',
  ],
  [
    '4.4 no answer (down)',
    (shoot) => (probing(shoot).wakeProbe(), shoot.probeFails()),
    'noAnswer 4.4 S1',
    'The last probe told nothing: probe 1 failed: version, unreachable: no answer. Silence scales nothing; what the last verdict began goes on.',
  ],
  [
    '4.5 throttled (down)',
    (shoot) => (probing(shoot).wakeProbe(), shoot.probeFails({ reason: 'throttled' })),
    'throttled 4.5 4.4 S1',
    'The last probe told nothing: probe 1 failed: version, throttled: no answer. Silence scales nothing; what the last verdict began goes on.',
  ],
  [
    '5.4 nodes and Machines are asked for (down)',
    (shoot) => (probing(shoot).wakeProbe(), shoot.leases([31_000, 31_000])),
    'lookUnderWay 5.4',
    'Nodes and Machines had been asked for, to tell which leases of probe 1 count, and had not been answered yet.',
  ],
  [
    '5.3 too few expired (down)',
    (shoot) => void probing(shoot).wholeProbe('connected'),
    'connected 5.1 5.3',
    'The shoot was connected: 0 of 2 leases were expired; it takes 1 (a share of 0.5).',
    { nodeLeaseFailureFraction: 0.5 },
  ],
  [
    '5.3 S7 one candidate (down)',
    (shoot) => void probing(shoot).wholeProbe('tooFew'),
    'tooFew 5.3 S7',
    'Too few leases counted to tell: 1 of 1 lease expired, and fewer than two never lead down.',
  ],
  [
    '5.3 no lease at all (down)',
    (shoot) => (probing(shoot).wakeProbe(), shoot.leases([])),
    'noCandidates 5.2 5.3',
    'No lease counted, so nothing spoke for an outage.',
  ],
  [
    '2 the first of two verdicts (down)',
    (shoot) => void probing(shoot).wholeProbe('cutOff'),
    'failureThreshold 2',
    'Only 1 verdict in a row said cut off; failureThreshold asks for 2.',
    few,
  ],
  [
    '6.4 it was (down)',
    (shoot) => void probing(shoot).wholeProbe('cutOff'),
    '',
    'It was: scale machine-controller-manager from 1 to 0 (mark, record 1), urgently (request 2); scale cluster-autoscaler from 1 to 0 (mark, record 1), urgently (request 3).',
  ],
  [
    '6.1 on its way (down)',
    (shoot) => (probing(shoot).wholeProbe('cutOff'), shoot.written(autoscaler)),
    '',
    'It was on its way down. machine-controller-manager: Write 2 on it was under way.',
  ],
  ['6.2 all is down (down)', (shoot) => void down(shoot), 'nothingDue 6.2', 'Nothing was left to scale down.'],
  [
    '6.9 somebody raised it (down)',
    (shoot) => down(shoot).sees(controllerManager, present({ resourceVersion: '90' })),
    'nextVerdict 6.1 6.9',
    'Something was due, and waited for the next verdict.',
  ],
  [
    '6.2 nothing is down (up)',
    (shoot) => void probing(shoot).wholeProbe('connected'),
    'nothingDue 6.2',
    'Nothing was there to scale up.',
  ],
  [
    '6.2 nothing is down, and the next probe is under way (up)',
    (shoot) => (probing(shoot).wholeProbe('connected'), shoot.wakeProbe()),
    'nothingDue 6.2, probeUnderWay 4.3',
    'Nothing was there to scale up.',
  ],
  [
    '5.3 still cut off (up)',
    (shoot) => void down(shoot),
    'cutOff 5.1 5.3',
    'The shoot was cut off: 2 of 2 leases were expired (from a share of 0.6 on).',
  ],
  [
    '4.4 nobody answers any more (up)',
    (shoot) => (down(shoot).wakeProbe(), shoot.probeFails()),
    'noAnswer 4.4 S1, cutOff 5.1 5.3',
    'The last probe told nothing: probe 5 failed',
  ],
  [
    '2 the first connected of two (up)',
    (shoot) => void down(shoot).wholeProbe('connected'),
    'successThreshold 2',
    'Only 1 verdict in a row said connected; successThreshold asks for 2.',
    { successThreshold: 2 },
  ],
  [
    '6.5 it was raised (up)',
    (shoot) => void down(shoot).wholeProbe('connected'),
    '',
    'It was: scale kube-controller-manager from 0 to 1 (unmark, drop the record)',
  ],
];

test.each(cases.map(([name, story, kinds, answer, config = {}]) => [name, story, kinds, answer, config] as const))(
  '9.7 %s: why not is answered in the order of what stood in the way',
  (name, story, kinds, answer, config) => {
    const shoot = new AskedShoot({ ...gardenerConfig, ...config });
    story(shoot);
    const why = whyNotScaled(shoot.turns, shoot.last, directionOf(name));
    expect(obstacleText(why)).toBe(kinds);
    expect(why.answer).toContain(answer);
  },
);

type PartCase = readonly [name: string, story: (shoot: AskedShoot) => void, part: string];

const machineControllerKey = machineController.key;
const parts: readonly PartCase[] = [
  [
    '6.7 is ignored (down)',
    (shoot) => probing(shoot).sees(machineController, present({ ignored: true })),
    'done 6.7 S2 It is ignored, by its annotation ignore-scaling.',
  ],
  [
    '6.8 does not exist (down)',
    (shoot) => probing(shoot).sees(machineController, { found: false }),
    'done 6.8 It did not exist.',
  ],
  [
    '6.8 does not exist, and has to (up)',
    (shoot) => probing(shoot).sees(machineController, { found: false }),
    'hindered 6.8 It did not exist.',
  ],
  [
    '6.4 is at 0 by our hand (down)',
    (shoot) => probing(shoot).sees(machineController, shielded()),
    'done 6.4 It was at 0 already, by our hand.',
  ],
  [
    '6.4 is at 0 by others (down)',
    (shoot) => probing(shoot).sees(machineController, present({ replicas: 0 })),
    'done 6.4 It was at 0 already, not by our hand.',
  ],
  ['6.5 has replicas (up)', (shoot) => void probing(shoot), 'done 6.5 It had 1 replica already.'],
  [
    '5.3 is not ours, and too few tell (up)',
    (shoot) => (probing(shoot).sees(machineController, present({ replicas: 0 })), void shoot.wholeProbe('tooFew')),
    'hindered 5.3 3.5 It was at 0, but not by our hand, and the verdict raised only what is ours.',
  ],
  ['6.6 is not known yet (down)', (shoot) => void shoot.cluster(), 'waiting 6.6 It was not known yet how it stands.'],
  [
    '6.3 is being written (up)',
    (shoot) => void probing(shoot).wholeProbe('cutOff'),
    'underWay 6.3 Write 2 on it was under way.',
  ],
  [
    '6.1 follows (down)',
    (shoot) => (probing(shoot).wholeProbe('cutOff'), shoot.written(machineController)),
    'underWay 6.1 It was set to 0 replicas, and 1 were ready.',
  ],
  [
    '6.8 is tried again (down)',
    (shoot) => (
      probing(shoot).wholeProbe('cutOff'),
      shoot.answersWrite(machineController, { outcome: 'failed', detail: 'no' })
    ),
    'waiting 6.8 It failed 1 time; the next try was due in 0.3 s.',
  ],
  [
    '6.2 goes down, and would go up (up)',
    (shoot) => (probing(shoot).wholeProbe('cutOff'), shoot.written(machineController)),
    'waiting 6.2 Nothing of its own stood in the way: it waited for a verdict.',
  ],
  [
    '6.1 S4 waits for another level (up)',
    (shoot) => void down(shoot).wholeProbe('connected'),
    'waiting 6.1 S4 Its level 1 waited for level 0: kube-controller-manager.',
  ],
  [
    '6.1 waits for its delay (up)',
    (shoot) => (
      down(shoot).wholeProbe('connected'),
      shoot.written(controllerManager),
      shoot.follows(controllerManager)
    ),
    'waiting 6.1 6.2 Its initialDelay ran for 30.0 s more.',
  ],
];

test.each(parts)('9.7 %s: each dependant is answered for by itself', (name, story, part) => {
  const shoot = new AskedShoot(gardenerConfig);
  story(shoot);
  const { parts } = whyNotScaled(shoot.turns, shoot.last, directionOf(name));
  const own = parts.find(({ key }) => key === machineControllerKey)!;
  expect([own.is, ...own.rules, own.sentence].join(' ')).toBe(part);
});

test('5.2 9.7 an answer has its values: what counts, what is left out and why, and how near the threshold was', () => {
  const shoot = probing(new AskedShoot(gardenerConfig));
  shoot.wholeProbe('tooFew');
  const told = whyNotScaled(shoot.turns, shoot.last, 'down').obstacles[0]!.saw;
  expect(told.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'verdict: too few to tell',
    'leases: 1 of 1 expired (100 %)',
    'needed: two candidates at least',
    'silent longest: a silent for 40.0 s',
    'threshold: 30.0 s without renewal, 75 % of the grace of 40.0 s',
    'left out: b',
    'why left out: b (Machine Failed)',
  ]);
});

test('6.1 9.7 dependants stand in the order of their levels, which each direction has for itself', () => {
  const shoot = probing(new AskedShoot(gardenerConfig));
  const names = (direction: 'down' | 'up') =>
    whyNotScaled(shoot.turns, shoot.last, direction).parts.map(({ name }) => name);
  const [last, ...others] = ['kube-controller-manager', 'machine-controller-manager', 'cluster-autoscaler'];
  expect(names('down')).toEqual([...others, last]);
  expect(names('up')).toEqual([last, ...others]);
});

test('9.7 an answer goes by the verdict that holds, and names its turn', () => {
  const shoot = probing(new AskedShoot(gardenerConfig));
  shoot.wholeProbe('connected');
  const verdict = shoot.last;
  shoot.now += 2_000;
  shoot.sees(autoscaler, present({ resourceVersion: '50' }));
  const [first] = whyNotScaled(shoot.turns, shoot.last, 'down').obstacles;
  expect(first).toMatchObject({ kind: 'connected', turn: { run: 'a', seq: verdict } });
  expect(first!.saw[0]).toMatchObject({ name: 'reached', value: '2.0 s before this turn' });
  // A pause ends what the verdict said.
  shoot.cluster({ hibernationEnabled: true });
  shoot.cluster();
  expect(whyNotScaled(shoot.turns, shoot.last, 'down').obstacles.map(({ kind }) => kind)).toEqual(['notAsked']);
});

function first(turn: ShootTurnTaken) {
  return whyNotScaled([turn], 0, 'down').obstacles[0];
}

test('9.6 9.7 where nothing tells where the machine stood, that is the answer', () => {
  const shoot = probing(new AskedShoot(gardenerConfig));
  const [one] = shoot.turns;
  const lost = { ...one!, before: undefined, after: undefined };
  const ended = (because: 'gone' | 'bug') => ({
    ...lost,
    turn: { ...one!.turn, event: { type: 'ended', at: 1, because } as const },
  });
  expect(first(lost)).toMatchObject({ kind: 'unknown', rules: ['9.6'] });
  expect(first(ended('gone'))).toMatchObject({ kind: 'ended', rules: ['3.1'] });
  expect(first(ended('bug'))).toMatchObject({ kind: 'ended', rules: ['9.1'] });
  for (const index of [-1, 7, 0.5, Number.NaN]) expect(whyNotScaled([lost], index, 'up').outcome).toBe('hindered');
});

test('9.7 whatever a file has for a snapshot, why not is answered', () => {
  const shoot = probing(new AskedShoot(gardenerConfig));
  shoot.wholeProbe('cutOff');
  fc.assert(
    fc.property(
      fc.anything(),
      fc.anything(),
      fc.constantFrom('down' as const, 'up' as const),
      (value, context, direction) => {
        const odd = { value, context } as unknown as ShootTurnTaken['after'];
        const turns = shoot.turns.map((one) => ({ ...one, before: odd, after: odd }));
        expect(whyNotScaled(turns, turns.length - 1, direction).answer).toMatch(/\.$/);
      },
    ),
    { seed: 7 },
  );
});
