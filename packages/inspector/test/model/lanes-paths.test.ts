import { expect, test } from 'vitest';
import { shootLanes } from '../../model/timeline/shoot-lanes.ts';
import type { ProbeFailureReason } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { Lane } from '../../model/timeline/lanes.ts';
import { gardenerConfig, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { probing, type AskedShoot } from './asked-turns.ts';

type Story = (shoot: AskedShoot) => unknown;

/** Seconds after the first probe was asked. */
function lanesOf(story: Story): Readonly<Record<'probe' | 'internal' | 'external' | 'questions', readonly string[]>> {
  const shoot = probing(twoPathConfig, (one) => one.wakeProbe());
  const begun = shoot.now;
  story(shoot);
  const builder = shootLanes();
  for (const one of shoot.turns) builder.take(one);
  const { first } = builder.lanes();
  const lane = (id: string): Lane => first.find((one) => one.id === id)!;
  const texts = (spans: Lane['spans']) =>
    spans
      .filter(({ until }) => until === null || until >= begun)
      .map(
        ({ tone, label, from, until }) =>
          `${(from - begun) / 1_000}–${until === null ? '' : (until - begun) / 1_000} ${tone} ${label}`,
      );
  const external = lane('path external');
  return {
    probe: texts(lane('probes').spans),
    internal: texts(lane('path internal').spans),
    external: texts(external.spans),
    questions: external.shows === 'lease' ? [] : texts(external.under),
  };
}

/** A path tells so long after it was asked, or after the other one told. */
function tells(
  shoot: AskedShoot,
  path: ShootPath,
  reason?: ProbeFailureReason,
  { after = 1_000, took = after }: Readonly<{ after?: number; took?: number }> = {},
): void {
  const at = shoot.now + after;
  const event = { type: 'path.answered', at, askedAt: at - took, number: shoot.probeNumber, path } as const;
  shoot.take(reason === undefined ? event : { ...event, failure: { stage: path, reason, detail: 'no' } });
}

/** A first probe, in which both paths answer. */
const well: Story = (shoot) => (tells(shoot, 'internal'), tells(shoot, 'external'));

/** After that, a second one 10 s after the first, which asks both side by side. */
const again: Story = (shoot) => (well(shoot), shoot.wake(1_030_532 + 10_000));

test.each<[string, Story, Partial<ReturnType<typeof lanesOf>>]>([
  [
    'a probe asks one path after the other, where nothing is known yet',
    well,
    {
      probe: ['0–1 calm 1.0 s', '1–2 calm 1.0 s'],
      internal: ['0– calm answers'],
      external: ['1– calm answers'],
      questions: ['1–2 calm 1.0 s'],
    },
  ],
  [
    'side by side, the probe goes on until both have told, and what the external path told counts from its question on',
    (shoot) => {
      again(shoot);
      tells(shoot, 'external', 'unreachable', { after: 500 });
      tells(shoot, 'internal', undefined, { after: 500, took: 1_000 });
    },
    {
      probe: ['0–1 calm 1.0 s', '1–2 calm 1.0 s', '10–11 cutOff 1.0 s'],
      internal: ['0– calm answers'],
      external: ['1–10 calm answers', '10– cutOff unreachable 1 of 3'],
      questions: ['1–2 calm 1.0 s', '10–10.5 failed unreachable'],
    },
  ],
  [
    'where the internal path fails, the external one counts for nothing',
    (shoot) => {
      again(shoot);
      tells(shoot, 'internal', 'unreachable', { after: 500 });
      tells(shoot, 'external', 'unreachable', { after: 500, took: 1_000 });
    },
    {
      probe: ['0–1 calm 1.0 s', '1–2 calm 1.0 s', '10–10.5 failed unreachable'],
      external: ['1–10.5 calm answers', '10.5– quiet not asked'],
      questions: ['1–2 calm 1.0 s', '10–10.5 quiet ignored'],
    },
  ],
  [
    'what the external path told before the internal one failed counts for nothing either',
    (shoot) => {
      again(shoot);
      tells(shoot, 'external', 'unreachable', { after: 500 });
      tells(shoot, 'internal', 'unreachable', { after: 500, took: 1_000 });
    },
    {
      external: ['1–11 calm answers', '11– quiet not asked'],
      questions: ['1–2 calm 1.0 s', '10–10.5 failed unreachable'],
    },
  ],
  [
    'a path that could not be asked is not known',
    (shoot) => (tells(shoot, 'internal'), tells(shoot, 'external', 'kubeconfig')),
    {
      probe: ['0–1 calm 1.0 s', '1–2 failed kubeconfig'],
      external: ['1– unknown untold: kubeconfig'],
    },
  ],
  [
    'a time-out is not known to be a failure where the internal path took long itself',
    (shoot) => {
      again(shoot);
      tells(shoot, 'external', 'timeout', { after: 4_900 });
      tells(shoot, 'internal', undefined, { after: 50, took: 4_950 });
    },
    { external: ['1–10 calm answers', '10– unknown untold: timeout'] },
  ],
  [
    'what the external path told in a probe that was lost counts for nothing',
    (shoot) => {
      again(shoot);
      tells(shoot, 'external', 'unreachable');
      // The internal path is never answered for, and the next probe finds all well.
      shoot.wake(1_030_532 + 16_000);
      shoot.wakeProbe();
      tells(shoot, 'internal', undefined, { after: 500 });
      tells(shoot, 'external', undefined, { after: 500 });
    },
    { external: ['1– calm answers'] },
  ],
  [
    'the Cluster is asked for while its stream is out',
    (shoot) => {
      shoot.clustersWatched(false);
      tells(shoot, 'internal');
      tells(shoot, 'external', 'unreachable');
      shoot.now += 1_000;
      shoot.answersCluster({ outcome: 'failed', detail: 'no' });
    },
    {
      probe: ['0–1 calm 1.0 s', '1–2 calm 1.0 s', '2–3 cutOff 1.0 s'],
      external: ['1– cutOff unreachable 1 of 3'],
    },
  ],
  [
    'a refusal of the API server is an answer',
    (shoot) => (tells(shoot, 'internal'), tells(shoot, 'external', 'unauthorized')),
    { external: ['1– calm answers'] },
  ],
  [
    'a pause ends what is known',
    (shoot) => (well(shoot), (shoot.now += 1_000), shoot.cluster({ hibernationEnabled: true })),
    { internal: ['0–3 calm answers'], external: ['1–3 calm answers'] },
  ],
])('4.9 9.7 %s', (_, story, expected) => {
  expect(lanesOf(story)).toMatchObject(expected);
});

test('4.9 9.7 a shoot that is judged by its leases has no lanes of paths', () => {
  const shoot = probing(gardenerConfig, (one) => one.wholeProbe('cutOff'));
  const builder = shootLanes();
  for (const one of shoot.turns) builder.take(one);
  expect(builder.lanes().first.map(({ shows }) => shows)).toEqual([
    'state',
    'probes',
    'dependant',
    'dependant',
    'dependant',
  ]);
});
