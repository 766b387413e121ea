import { expect, test } from 'vitest';
import { whyNotScaled } from '../../model/questions/why-not.ts';
import { autoscaler, controllerManager, machineController, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { arrives, directionOf, obstacleText, probing, type AskedShoot } from './asked-turns.ts';

type Case = readonly [name: string, story: (shoot: AskedShoot) => unknown, kinds: string, answer: string];

/** So many probes, one after the other, come out so. */
function probes(shoot: AskedShoot, outcome: 'cutOff' | 'connected' | 'internalFails', count: number): AskedShoot {
  for (let index = 0; index < count; index++) shoot.wholePaths(outcome);
  return shoot;
}

function down(shoot: AskedShoot): AskedShoot {
  probes(shoot, 'cutOff', 3);
  arrives(shoot, machineController, autoscaler, controllerManager);
  return shoot;
}

const cases: readonly Case[] = [
  [
    'no probe yet (down)',
    () => undefined,
    'notAsked 2 4.6',
    'No probe had been answered yet. The first one was due in 30.5 s.',
  ],
  [
    'the first probe is under way (down)',
    (shoot) => (shoot.wakeProbe(), shoot.path('internal')),
    'probeUnderWay 4.3 4.9',
    'Probe 1 had been under way for 0.0 s, and not both paths had told yet.',
  ],
  [
    'both paths answer (down)',
    (shoot) => probes(shoot, 'connected', 1),
    'connected 4.9',
    'The shoot was connected: its API server answered on both paths.',
  ],
  [
    'the external path has failed twice (down)',
    (shoot) => probes(shoot, 'cutOff', 2),
    'failureThreshold 2',
    'Only 2 verdicts in a row said cut off; failureThreshold asks for 3.',
  ],
  [
    'the external path fails (up)',
    (shoot) => down(shoot),
    'cutOff 4.9',
    'The shoot was cut off: its API server answered on the internal path, and not on the external one.',
  ],
  [
    'the external path fails, and another probe is under way (up)',
    (shoot) => down(shoot).wakeProbe(),
    'cutOff 4.9, probeUnderWay 4.3 4.9',
    'The shoot was cut off: its API server answered on the internal path, and not on the external one.',
  ],
  [
    'the internal path failed once (down)',
    (shoot) => probes(shoot, 'internalFails', 1),
    'noAnswer 4.4 4.9 S1',
    'The last probe told nothing: probe 1: the internal path failed, unreachable: no answer. Silence scales nothing; what the last verdict began goes on.',
  ],
  [
    'the internal path failed, and then the external one, for whose answer nobody waits (down)',
    (shoot) => {
      probes(shoot, 'connected', 1).wakeProbe();
      shoot.path('internal', { reason: 'refused' });
      shoot.path('external', { reason: 'timeout' });
    },
    'noAnswer 4.4 4.9 S1, connected 4.9',
    'The last probe told nothing: probe 2: the internal path failed, refused: no answer. Silence scales nothing; what the last verdict began goes on.',
  ],
  [
    'the internal path fails after a verdict that was not met often enough (down)',
    (shoot) => probes(probes(shoot, 'cutOff', 2), 'internalFails', 1),
    'noAnswer 4.4 4.9 S1, failureThreshold 2',
    'The last probe told nothing',
  ],
  [
    'the internal path failed three times (down)',
    (shoot) => probes(shoot, 'internalFails', 3),
    'leftAlone 4.9 4.4 S1',
    'The internal path had failed 3 times in a row',
  ],
  [
    'the shoot was left alone for a while, and its probe is due (up)',
    (shoot) => ((probes(down(shoot), 'internalFails', 3).now += 31_000), shoot.wake()),
    'noAnswer 4.4 4.9 S1, cutOff 4.9, probeUnderWay 4.3 4.9',
    'The last 3 probes told nothing',
  ],
  [
    'the API server asks to be left alone (down)',
    (shoot) => (
      shoot.wakeProbe(),
      shoot.path('internal', { reason: 'throttled', retryAfter: 60_000 }),
      shoot.path('external')
    ),
    'connected 4.9',
    'The shoot was connected',
  ],
  [
    'the Secret of the external path is missing (down)',
    (shoot) => (shoot.wakeProbe(), shoot.path('internal'), shoot.path('external', { reason: 'kubeconfig' })),
    'noAnswer 4.4 4.9 S1',
    'The last probe told nothing',
  ],
  [
    'the Cluster is being asked for (down)',
    (shoot) => (
      probes(shoot, 'cutOff', 2),
      shoot.clustersWatched(false),
      shoot.wakeProbe(),
      shoot.path('internal'),
      shoot.path('external', {})
    ),
    'clusterUnderWay 3.5 4.9, failureThreshold 2',
    'The Cluster had been asked for, since its stream was out and probe 3 may lead to a scaling',
  ],
  [
    'a pause has forgotten what was judged (down)',
    (shoot) => (probes(shoot, 'cutOff', 2), shoot.cluster({ hibernationEnabled: true }), shoot.cluster()),
    'notAsked 2 4.6',
    'No probe had been answered yet.',
  ],
];

test.each(cases)('4.9 9.7 why not, where %s', (name, story, kinds, answer) => {
  const shoot = probing(twoPathConfig, story);
  const why = whyNotScaled(shoot.turns, shoot.last, directionOf(name));
  expect(obstacleText(why)).toBe(kinds);
  expect(why.answer).toContain(answer);
});

test('4.9 9.7 a verdict of two paths is told with what each path told, and since when', () => {
  const shoot = probing(twoPathConfig, down);
  const [first] = whyNotScaled(shoot.turns, shoot.last, 'up').obstacles;
  expect(first?.saw).toMatchObject([
    { name: 'reached', value: '0.0 s before this turn' },
    { name: 'verdict', value: 'cut off' },
    { name: 'internal path', value: 'answered' },
    { name: 'external path', value: 'failed 3 times in a row, 3 needed (unreachable)' },
    { name: 'first failed question', value: '6.7 s ago' },
  ]);
});
