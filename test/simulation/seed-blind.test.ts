import { expect, test } from 'vitest';
import type { SeenRequest } from '../../src/simulator/api/request-log.ts';
import { watchedSeed, type WatchedSeed } from '../support/watched-seed.ts';

const dependants = ['kube-controller-manager', 'machine-controller-manager', 'cluster-autoscaler'];

/** Nobody may list or watch Clusters, as with a grant that was lost; with `asked` false not even one can be asked for. */
function blind(stage: WatchedSeed, asked: boolean): void {
  const affects = ({ resource, verb }: SeenRequest) => resource === 'clusters' && !(asked && verb === 'get');
  stage.seed.api.setFault({ kind: 'status', code: 503 }, affects);
  stage.seed.api.breakWatches('clusters');
}

/** As gardenlet does it, unseen. */
function hibernate(stage: WatchedSeed): void {
  stage.shoot().hibernate();
  stage.changes.byHand(() => dependants.forEach((name) => stage.shoot().dependants.scale(name, 0)));
}

test.each([true, false])(
  '3.5 Clusters answer 503 and a shoot hibernates meanwhile: nothing is raised against gardenlet (one can be asked for: %s)',
  async (asked) => {
    await using stage = await watchedSeed();
    await stage.pass(40_000);
    blind(stage, asked);
    await stage.pass(20_000);
    hibernate(stage);
    await stage.pass(180_000);
    expect(stage.changes.scalings()).toEqual([]);
    expect(stage.state()).toBe(asked ? 'idle' : 'probing');

    // It wakes up again, and the stream comes back.
    stage.shoot().wake();
    stage.seed.api.clearFault();
    await stage.untilState('scalingUp', 120_000);
  },
);

test.each([true, false])(
  '3.5 Clusters answer 503 and a gateway fails: the shoot is protected, and all is as before (one can be asked for: %s)',
  async (asked) => {
    await using stage = await watchedSeed();
    await stage.pass(40_000);
    blind(stage, asked);
    await stage.pass(20_000);
    stage.shoot().cutOff();
    await stage.untilState('scaledDown', 45_000);
    expect(stage.clock.now()).toBeLessThan(stage.notesOf('shielded')[0]!.firstMarkAt);
    stage.shoot().heal();
    await stage.untilState('probing', 120_000);
    expect(stage.marks).toBe(0);
    expect(stage.changes.scalings()).toHaveLength(6);
  },
);

test('3.5 5.4 a healthy shoot is asked for by nobody while the stream is out', async () => {
  await using stage = await watchedSeed();
  await stage.pass(40_000);
  blind(stage, true);
  await stage.pass(20_000);
  stage.seed.api.requests.take();
  await stage.pass(300_000);
  expect(stage.seed.api.requests.all.filter(({ resource, verb }) => resource === 'clusters' && verb === 'get')).toEqual(
    [],
  );
});
