import { expect, test } from 'vitest';
import type { Changes } from '../../model/questions/what-if-changes.ts';
import { basisOf } from '../../model/questions/what-if-form.ts';
import { whatIf } from '../../model/questions/what-if.ts';
import { gardenerConfig, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { probing, type AskedShoot } from './asked-turns.ts';

type Story = (shoot: AskedShoot) => unknown;

const played = (story: Story) => probing(twoPathConfig, story);

/** So many probes come out so, one after the other. */
const probes =
  (...outcomes: readonly ('cutOff' | 'connected' | 'internalFails')[]): Story =>
  (shoot) => {
    for (const outcome of outcomes) shoot.wholePaths(outcome);
  };

type Case = readonly [name: string, story: Story, changes: Changes, would: string, assumed: readonly string[]];

const cases: readonly Case[] = [
  ['the external path fails', probes('connected'), { external: 'timeout' }, 'leaseFailed cutOff 1/3', []],
  ['the external path answers', probes('cutOff'), { external: 'answered' }, 'probing connected 1/1', []],
  [
    'the external path is refused by the API server',
    probes('cutOff'),
    { external: 'unauthorized' },
    'probing connected 1/1',
    [],
  ],
  ['this machine has no more sockets', probes('cutOff'), { external: 'local' }, 'probing', []],
  ['the internal path fails', probes('cutOff', 'cutOff', 'cutOff'), { internal: 'unreachable' }, 'leaseFailed', []],
  [
    'the third failure is none',
    probes('cutOff', 'cutOff', 'cutOff'),
    { external: 'answered' },
    'probing connected 1/1',
    [],
  ],
  [
    'it takes fewer failures',
    probes('cutOff', 'cutOff'),
    { config: { failureThreshold: 2 } },
    'scalingDown cutOff 2/2',
    [],
  ],
  [
    'it takes more failures',
    probes('cutOff', 'cutOff', 'cutOff'),
    { config: { failureThreshold: 4 } },
    'leaseFailed cutOff 3/4',
    [],
  ],
  [
    'the internal path answers, and the external one failed last',
    probes('connected', 'cutOff', 'internalFails'),
    { internal: 'answered' },
    'leaseFailed cutOff 2/3',
    ['No answer of the external path is recorded for this probe: it fails (unreachable), as it did 3.3 s before.'],
  ],
  [
    'the internal path answers, and the external one answered last',
    probes('connected', 'internalFails'),
    { internal: 'answered' },
    'probing connected 2/1',
    [expect.stringMatching(/^No answer of the external path .*: it answers, as it did \d+\.\d s before\.$/)],
  ],
  [
    'the internal path answers, and the external one was never asked',
    probes('internalFails'),
    { internal: 'answered' },
    'probing connected 1/1',
    ['No answer of the external path is recorded for this probe: it is taken to answer.'],
  ],
  [
    'the internal path answers, and the external one fails',
    probes('internalFails'),
    { internal: 'answered', external: 'certificate' },
    'leaseFailed cutOff 1/3',
    [],
  ],
  [
    'the Cluster was asked for',
    (shoot) => {
      shoot.clustersWatched(false);
      shoot.wakeProbe();
      shoot.path('internal');
      shoot.path('external', {});
      shoot.answersCluster({ outcome: 'failed', detail: 'no' });
    },
    { external: 'answered' },
    'probing connected 1/1',
    [],
  ],
  [
    'the Cluster was not asked for',
    (shoot) => {
      shoot.clustersWatched(false);
      shoot.wakeProbe();
      shoot.path('internal');
      shoot.path('external');
    },
    { external: 'unreachable' },
    'leaseFailed cutOff 1/3',
    ['No answer about the Cluster is recorded for this probe: it is as it was known.'],
  ],
];

test.each(cases)('4.9 9.7 %s: what if says what the same machine decides', (_, story, changes, would, assumed) => {
  const shoot = played(story);
  const told = whatIf(shoot.turns, shoot.last, changes);
  expect(told.ok ? { would: decided(told.would), assumed: told.assumed } : told).toEqual({ would, assumed });
});

function decided(steps: Extract<ReturnType<typeof whatIf>, { ok: true }>['would']): string {
  const note = steps.flatMap(({ notes }) => notes).find(({ kind }) => kind === 'verdict');
  const verdict =
    note?.kind === 'verdict' && note.external !== undefined
      ? ` ${note.verdict} ${note.external.count}/${note.external.of}`
      : '';
  return `${steps.at(-1)!.to}${verdict}`;
}

test('3.3 3.5 4.9 9.7 the Cluster that is asked for does not bring back the grace that is imagined otherwise', () => {
  const shoot = played((one) => {
    one.clustersWatched(false);
    one.wakeProbe();
    one.path('internal');
    one.path('external', {});
    const cluster = { ...activeCluster, nodeMonitorGrace: 60_000 };
    one.answersCluster({ outcome: 'read', reading: { readable: true, cluster } });
  });
  const told = whatIf(shoot.turns, shoot.last, { config: { kcmNodeMonitorGraceDuration: 41_000 } });
  expect(told.ok && told.context?.cluster?.nodeMonitorGrace).toBe(41_000);
});

test('4.9 9.7 either answer of a probe stands for the whole of it', () => {
  const shoot = played(probes('cutOff', 'cutOff', 'cutOff'));
  const told = [shoot.last - 1, shoot.last].map((index) => whatIf(shoot.turns, index, { external: 'answered' }));
  expect(told[0]).toEqual(told[1]);
  expect(told[0]).toMatchObject({
    differs: 'decision',
    answer:
      'It would have decided otherwise: connected (the external path answers), then probing. It did: cut off (the external path failed 3 times in a row), then scalingDown; scales to 0: machine-controller-manager, cluster-autoscaler.',
    did: [{ event: { path: 'internal' } }, { event: { path: 'external' }, to: 'scalingDown' }],
  });
});

test('4.9 9.7 what nobody would have waited for plays no part', () => {
  const shoot = played(probes('cutOff', 'cutOff', 'cutOff'));
  expect(whatIf(shoot.turns, shoot.last, { internal: 'timeout' })).toMatchObject({
    did: [{}, { to: 'scalingDown' }],
    would: [{ event: { path: 'internal' }, to: 'leaseFailed' }],
  });
});

test('4.9 9.7 an answer that is not recorded is assumed only where something is imagined otherwise', () => {
  const shoot = played((one) => {
    one.wakeProbe();
    one.path('internal');
  });
  expect(whatIf(shoot.turns, shoot.last, {})).toMatchObject({ differs: 'same', would: [{}], assumed: [] });
  expect(whatIf(shoot.turns, shoot.last, { external: 'timeout' })).toMatchObject({
    would: [{}, { to: 'leaseFailed' }],
    assumed: [],
  });
});

test('4.9 9.7 an answer that came after the probe was over stays without effect, whatever it is imagined to be', () => {
  const shoot = played((one) => {
    one.wholePaths('connected');
    one.wakeProbe();
    one.path('internal', {});
    one.path('external');
  });
  expect(whatIf(shoot.turns, shoot.last, { external: 'timeout' })).toMatchObject({
    differs: 'same',
    did: [{ event: { path: 'external' } }],
  });
});

test('4.9 9.7 with another back-off only the next probe comes at another time', () => {
  const shoot = played(probes('internalFails', 'internalFails', 'internalFails'));
  const told = whatIf(shoot.turns, shoot.last, { config: { internalProbeFailureBackOffDuration: 90_000 } });
  expect(told).toMatchObject({ ok: true, differs: 'otherwise' });
  expect(told.ok && told.context.probe.heldUntil).toBe(shoot.now + 90_000);
});

test.each<[string, Changes, string]>([
  ['leases', { allAges: 31_000 }, 'age of all leases: this turn brings no leases.'],
  ['another kind of answer', { answer: 'timeout' }, 'answer: this turn is no answer of a probe.'],
  [
    'a fraction',
    { config: { nodeLeaseFailureFraction: 0.5 } },
    'nodeLeaseFailureFraction: this shoot is judged by two paths, and no lease is read. Take it back.',
  ],
])('4.9 9.7 a shoot of two paths refuses %s', (_, changes, sentence) => {
  const shoot = played(probes('cutOff'));
  const told = whatIf(shoot.turns, shoot.last, changes);
  expect(told.ok ? told : told.refused.map((one) => one.sentence)).toEqual([expect.stringContaining(sentence)]);
});

test('4.9 9.7 a shoot that is judged by its leases has no paths to imagine', () => {
  const shoot = probing(gardenerConfig, (one) => one.wholeProbe('cutOff'));
  const sentences = (
    [{ internal: 'timeout' }, { config: { internalProbeFailureBackOffDuration: 1_000 } }] as const
  ).map((changes) => {
    const told = whatIf(shoot.turns, shoot.last, changes);
    return told.ok ? [] : told.refused.map(({ sentence }) => sentence);
  });
  expect(sentences).toEqual([
    ['internal path: this turn is no answer of a path. Choose a turn in which a path answers or fails.'],
    [
      'internalProbeFailureBackOffDuration: this shoot is judged by its leases, and has no internal path. Take it back.',
    ],
  ]);
});

test('4.9 9.7 a form knows that a turn is an answer of two paths, and which values mean something', () => {
  const shoot = played(probes('cutOff'));
  expect(shoot.turns.slice(-3).map((one) => basisOf(one).answer)).toEqual(['none', 'paths', 'paths']);
  expect(basisOf(shoot.turns.at(-1)).fields).toEqual([
    'internalProbeFailureBackOffDuration',
    'kcmNodeMonitorGraceDuration',
    'probeInterval',
    'failureThreshold',
    'successThreshold',
  ]);
});
