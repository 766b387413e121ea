import { expect, test } from 'vitest';
import { afterBy } from '../../src/adapters/clock/plain-clock.ts';
import { v8Heap } from '../../src/commands/role/heap.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { electionFlag, roleStage } from '../support/role-stage.ts';

const working = ['--heap-growing-percent=30', '--no-memory-saver-mode', '--no-flush-baseline-code'];
const calm = ['--heap-growing-percent=20', '--memory-saver-mode', '--flush-baseline-code'];

test('the heap may take memory while something is scaled, and for a minute after; then it takes CPU', async () => {
  const clock = new VirtualClock();
  const told: string[] = [];
  const heap = v8Heap((flag) => void told.push(flag), afterBy(clock));
  const heard = () => told.splice(0);
  heap.works();
  expect(heard()).toEqual(working);
  await clock.advanceBy(40_000);
  heap.works();
  await clock.advanceBy(59_000);
  expect(heard()).toEqual([]);
  await clock.advanceBy(2_000);
  expect(heard()).toEqual(calm);
  await clock.advanceBy(3_600_000);
  expect(heard()).toEqual([]);
  heap.works();
  expect(heard()).toEqual(working);
});

test('the heap hears of work at the start and with each scale, and not of what is written for a Lease or an Event', async () => {
  await using stage = await roleStage();
  const prober = await stage.start('one', [electionFlag]);
  await stage.until(() => prober.find('state changed', { to: 'probing' }) !== undefined, 60_000, 'it probes');
  await stage.pass(60_000);
  const works = () => prober.heapHeard.filter((heard) => heard === 'works');
  expect(works()).toHaveLength(1);
  stage.seed.shoots[0]!.cutOff();
  await stage.until(() => prober.find('state changed', { to: 'scaledDown' }) !== undefined, 120_000, 'it is down');
  expect(works()).toHaveLength(1 + stage.writes().length);
});
