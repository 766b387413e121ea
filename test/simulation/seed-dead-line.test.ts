import { expect, test } from 'vitest';
import { DeadLine } from '../support/dead-line.ts';
import { watchedSeed } from '../support/watched-seed.ts';

test('6.11 6.6 connections that die in the middle of a way down cost 3 s for the writes and nothing for the watches', async () => {
  await using stage = await watchedSeed({ proberLater: true });
  const line = await DeadLine.to(stage.seed.api.url);
  stage.line = line;
  await stage.start();
  await stage.pass(60_000);
  stage.shoot().cutOff();
  let diedAt = 0;
  stage.onTurn = ({ commands }) => {
    if (diedAt !== 0 || !commands.some(({ type }) => type === 'scale')) return;
    line.die();
    diedAt = stage.clock.now();
  };
  await stage.untilState('scaledDown', 90_000);
  const [shielded] = stage.notesOf('shielded');
  const scaled = stage.changes.ours.map(({ name, at }) => ({ name, after: at - diedAt }));
  expect(scaled.map(({ name }) => name).toSorted()).toEqual([
    'cluster-autoscaler',
    'kube-controller-manager',
    'machine-controller-manager',
  ]);
  // The writes of level 0 were lost; that of level 1 would come 3 s after them, if a watch had to be found dead by itself.
  for (const { after } of scaled) expect(after).toBeGreaterThanOrEqual(3_000);
  expect(scaled.at(-1)!.after - scaled[0]!.after).toBeLessThan(3_000);
  expect(stage.seedRequests.filter(({ code }) => code === 'timeout').length).toBeLessThanOrEqual(3);
  expect(stage.clock.now()).toBeLessThan(shielded!.firstMarkAt);
  expect(stage.marks).toBe(0);
  await line.close();
});
