import { expect, test } from 'vitest';
import { electionStates, planOf } from '../crash-points/flows.ts';
import { live } from '../life.ts';
import { chartLines, chartNames, watchCharts, type ChartSeen } from './chart-coverage.ts';
import { addReached, reachedLines } from './code-coverage.ts';

test('of an outage the charts tell which transitions were taken, and what guards answered', async () => {
  const seen: ChartSeen = {};
  await live(planOf(electionStates[0], 'prober'), {
    laws: [],
    observe: watchCharts(seen),
    async conduct(scene, passTo) {
      await passTo(60_000);
      scene.seed.shoot('shoot--demo--01').cutOff();
      await passTo(180_000);
    },
  });
  const all = [...chartNames.transitions, ...chartNames.guards];
  expect(Object.keys(seen).filter((name) => !all.includes(name))).toEqual([]);
  expect(seen['shoot probe.resting, woken (2)']).toBeGreaterThan(0);
  expect(seen['shoot failureThresholdMet: yes']).toBeGreaterThan(0);
  expect(seen['shoot showsGone: yes']).toBeUndefined();
  const lines = chartLines(seen);
  expect(lines[0]).toMatch(/^transitions of the charts taken: \d+ of 80$/);
  expect(lines).toContain('     never  shoot showsGone: yes');
});

const half = (from: number, to: number): Uint8Array => new Uint8Array(100_000).fill(1, from, to);

const file = 'src/adapters/election/lease-record.ts';

test('a line of which one part was never run is told, unless another thread has run it', () => {
  const all = { [file]: half(0, 400) };
  const missing = (): string => reachedLines(all).join('\n');
  expect(missing()).toMatch(
    /lines of election reached: \d+ of \d+\n {5}never {2}src\/adapters\/election\/lease-record\.ts: \d+/,
  );
  addReached(all, { [file]: half(400, 100_000) });
  expect(missing()).not.toContain('lease-record.ts');
});
