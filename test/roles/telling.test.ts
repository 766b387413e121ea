import { expect, test } from 'vitest';
import { machine } from '../../src/commands/role/surroundings.ts';
import { watchedSeed } from '../support/watched-seed.ts';
import { roleStage } from '../support/role-stage.ts';

const isTold = ({ line, to }: Readonly<Record<string, unknown>>) => line === 'state changed' && to === 'scalingDown';

test('9.1 6.1 the writes of a way down are on the wire before anybody hears of the turn that commands them', async () => {
  await using stage = await roleStage({ later: machine.later! });
  const prober = await stage.start('one');
  await stage.until(() => prober.find('state changed', { to: 'probing' }) !== undefined, 60_000, 'it probes');
  stage.seed.shoots[0]!.cutOff();
  await stage.until(() => prober.lines.some(isTold), 60_000, 'it scales down');
  const patches = prober.sent.filter(({ method }) => method === 'PATCH');
  expect(patches.map(({ linesBefore }) => prober.lines.slice(0, linesBefore).some(isTold))).toEqual([false, false]);
});

test('1.4 9.1 what was not told yet is told before a role ends', async () => {
  let isHeld = false;
  await using stage = await roleStage({ later: (work) => void (isHeld || setImmediate(work)) });
  const prober = await stage.start('one');
  await stage.until(() => prober.find('state changed', { to: 'probing' }) !== undefined, 60_000, 'it probes');
  isHeld = true;
  stage.seed.shoots[0]!.cutOff();
  await stage.until(() => stage.writes().length >= 2, 60_000, 'it scales down');
  expect(prober.lines.some(isTold)).toBe(false);
  expect(await stage.end(prober)).toBe(0);
  const ends = prober.lines.findIndex(({ line }) => line === 'the prober ends');
  expect(prober.lines.slice(0, ends).some(isTold)).toBe(true);
});

test('9.2 what a guest hears of a role, the role counts as well', async () => {
  await using stage = await watchedSeed();
  const heard = stage.seedRequests.length;
  expect(heard).toBeGreaterThan(0);
  const counts = [...(await stage.metrics()).matchAll(/^dwd_seed_api_requests_total\{.*\} (\d+)$/gm)];
  expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBeGreaterThanOrEqual(heard);
});
