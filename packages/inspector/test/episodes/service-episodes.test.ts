import { expect, test } from 'vitest';
import { pod, WeederStage } from '@dwd/testing/weeder-stage.ts';
import { recovery } from '@dwd/testing/recorded-nights.ts';
import { episodesOf, linesOf } from './told-turns.ts';

const service = 'shoot--sim--one/kube-apiserver';

type Story = Readonly<{ name: string; play(stage: WeederStage): Promise<void>; tells: readonly string[] }>;

const stories: readonly Story[] = [
  { name: 'nothing of the window that each service has at first', play: (stage) => stage.pass(1_000), tells: [] },
  {
    name: 'pods that were deleted for a service that was down',
    async play(stage) {
      stage.ready(service, 0);
      await stage.pass(60_000);
      stage.ready(service, 1);
      stage.sees(service, pod('kcm'), pod('scheduler'));
      await stage.pass(310_000);
    },
    tells: [
      'recovery notable: 2 pods were deleted, because they crash-looped after it was down for 60 s and back at 00:22:50.0: the first 0.04 s later, the last 0.04 s later; none was left when its window closed',
    ],
  },
  {
    name: 'a service that came back, and needed no deletion',
    async play(stage) {
      stage.ready(service, 0);
      await stage.pass(60_000);
      stage.ready(service, 1);
      await stage.pass(1_000);
    },
    tells: [
      'recovery notable goes on: no pod had to be deleted after it was down for 60 s and back at 00:22:50.0; its window is open',
    ],
  },
  {
    name: 'deletions that the seed refuses until the window is over, and what is left',
    async play(stage) {
      stage.answer = () => ({ outcome: 'failed', reason: '403', detail: 'pods may not be deleted' });
      stage.ready(service, 0);
      await stage.pass(60_000);
      stage.ready(service, 1);
      stage.sees(service, pod('kcm'));
      await stage.pass(310_000);
    },
    tells: [
      'recovery grave: no pod was deleted after it was down for 60 s and back at 00:22:50.0; 1 pod was left crash-looping when its window closed',
      'refusal grave: could not delete pod kcm from 00:22:50.0 on, because the seed said: pods may not be deleted; its window was over 5m00s later',
    ],
  },
  {
    name: 'deletions that are taken at the second try',
    async play(stage) {
      let tries = 0;
      stage.answer = () => (++tries < 2 ? { outcome: 'throttled' } : { outcome: 'deleted' });
      stage.ready(service, 0);
      await stage.pass(60_000);
      stage.ready(service, 1);
      stage.sees(service, pod('kcm'));
      await stage.pass(10_000);
    },
    tells: [
      'recovery notable goes on: 1 pod was deleted, because it crash-looped after it was down for 60 s and back at 00:22:50.0: 0.93 s later; its window is open',
      'refusal grave: could not delete pod kcm from 00:22:50.0 on, because the seed said: 429, too many requests; a pod was deleted 0.89 s later',
    ],
  },
];

test.each(stories)('9.7 it tells $name', async ({ play, tells }) => {
  const stage = new WeederStage(service);
  await stage.pass(310_000);
  await play(stage);
  expect(linesOf(episodesOf(stage.turns))).toEqual(tells);
});

test.each([
  ['before that window is over', 30_000, 'back at 00:18:13.0, 33 s'],
  ['long after that', 400_000, 'back at 00:24:23.0, 6m43s'],
])(
  '9.7 a service that goes down in the window of the start, and is back %s, had one recovery',
  async (_, length, was) => {
    const stage = new WeederStage(service);
    await stage.pass(60_000);
    stage.ready(service, 0);
    await stage.pass(3_000);
    stage.sees(service, pod('kcm'));
    await stage.pass(length);
    expect(linesOf(episodesOf(stage.turns))).toEqual([
      'recovery grave goes on: it went down again, at 00:17:40.0, while its window was open; it is down yet',
    ]);
    stage.ready(service, 1);
    stage.sees(service, pod('scheduler'), pod('autoscaler'));
    await stage.pass(310_000);
    const [only, ...others] = episodesOf(stage.turns);
    expect(others).toEqual([]);
    expect(linesOf([only!])[0]).toMatch(
      new RegExp(
        `^recovery notable: . pods were deleted, because they crash-looped after it went down again while its window was open, and was ${was} after it first went down: `,
      ),
    );
    expect(only!.sentence).toMatch(/later; none was left when its window closed$/);
  },
);

test('9.7 the stages of a recovery lead to their turns', async () => {
  const turns = await recovery();
  const [first] = episodesOf(turns);
  const typeAt = (seq: number | undefined) => turns.find((turn) => turn.seq === seq)?.event.type;
  expect(first!.stages.map(({ name, turn }) => [name, typeAt(turn?.seq)])).toEqual([
    ['down', 'slices.changed'],
    ['back', 'slices.changed'],
    ['first pod deleted', 'deletion.answered'],
    ['last pod deleted', 'deletion.answered'],
    ['window closed', 'woken'],
  ]);
  // It was decided where the first pod was asked to go, and not where the window opened.
  const decided = turns.find(({ seq }) => seq === first!.turn.seq);
  expect(decided?.commands.map(({ type }) => type)).toContain('deletePod');
});
