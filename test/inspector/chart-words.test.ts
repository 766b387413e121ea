import { expect, test } from 'vitest';
import { arrowWords, litRegion } from '../../src/inspector/model/charts/lit-chart.ts';
import { arrowRows, labelSize, letters, headPoints, linePath } from '../../src/inspector/model/charts/drawn-chart.ts';
import type { Region } from '../../src/inspector/model/charts/chart-model.ts';
import { chartModels } from '../../src/inspector/model/charts/charts.ts';
import type { TakenTransition } from '../../src/inspector/model/explanation/explanation.ts';

const [probe, shield] = chartModels.shoot as readonly [Region, Region];
const [weeder] = chartModels.weeder as readonly [Region];
const value = { probe: 'resting', shield: 'scalingDown' };

const cutOff: TakenTransition = {
  state: 'shield.probing',
  event: 'verdict.reached',
  index: 0,
  to: 'shield.leaseFailed',
};
const decided: TakenTransition = { state: 'shield.leaseFailed', event: '', index: 0, to: 'shield.scalingDown' };

test.each<[string, Region, unknown, readonly TakenTransition[], readonly string[]]>([
  [
    'all that was taken, in order',
    shield,
    value,
    [cutOff, decided],
    [
      'shield: probing → leaseFailed by verdict.reached, isCutOff',
      'shield: leaseFailed → scalingDown by failureThresholdMet',
    ],
  ],
  [
    'what was done in a state that stays',
    shield,
    value,
    [{ state: 'shield', event: 'woken', index: 0 }],
    ['shield: scalingDown stays, by woken'],
  ],
  [
    'a transition that all states have',
    probe,
    { probe: 'off', shield: 'idle' },
    [{ state: 'probe', event: 'cluster.changed', index: 0, to: 'probe.off' }],
    ['probe: any state → off by cluster.changed, mustStop'],
  ],
  ["nothing of the other region's", probe, value, [cutOff, decided], ['probe: resting']],
  ['where a machine without regions is', weeder, 'settled', [], ['settled']],
  ['that nothing tells where it is', shield, undefined, [], ['shield: unknown']],
  ['that the state is none of this machine', shield, { shield: 'asleep' }, [], ['shield: unknown']],
])('9.7 the chart says in words %s', (_, region, at, taken, words) => {
  expect(litRegion(region, at, taken).words).toEqual(words);
});

test('9.7 the active state and the taken arrows are lit, and what was done without a change of state', () => {
  const { active, arrows, stays } = litRegion(shield, value, [
    decided,
    { state: 'shield.scalingDown', event: 'verdict.reached', index: 0 },
  ]);
  expect(active).toBe('scalingDown');
  expect(arrows).toEqual([{ ...decided, from: 'leaseFailed', to: 'scalingDown', guard: 'failureThresholdMet' }]);
  expect(stays).toEqual([{ state: 'shield.scalingDown', event: 'verdict.reached', index: 0, guard: 'isCutOff' }]);
});

test('9.7 an arrow says what its guard asks, and by which rules; one without a guard asks nothing', () => {
  const from = (state: string) => shield.arrows.find((arrow) => arrow.from === state)!;
  expect(arrowWords('shoot', from('probing'))).toBe(
    'probing → leaseFailed by verdict.reached, isCutOff. Is the shoot cut off? Rules 4.9, 5.1, 5.3',
  );
  const gone = shield.arrows.find(({ event }) => event === 'cluster.gone')!;
  expect(arrowWords('shoot', gone)).toBe('any state → idle by cluster.gone');
});

test('9.7 every guard of every arrow has a question', () => {
  const silent = Object.entries(chartModels).flatMap(([kind, regions]) =>
    regions
      .flatMap(({ arrows }) => arrows)
      .filter((arrow) => arrow.guard !== undefined && !arrowWords(kind as 'shoot', arrow).includes('?')),
  );
  expect(silent).toEqual([]);
});

test.each([
  [{ event: 'woken', guard: 'isProbeLost' }, ['woken [isProbeLost]']],
  [{ event: 'verdict.reached', guard: 'isCutOff' }, ['verdict.reached', '[isCutOff]']],
  [{ event: '', guard: 'isFlowFinished' }, ['[isFlowFinished]']],
  [{ event: 'service.gone' }, ['service.gone']],
])('9.7 the label of %j is %j', (arrow, rows) => {
  expect(arrowRows(arrow)).toEqual(rows);
});

test('9.7 a box of labels is as high as their rows and the gaps between them, and as wide as the longest', () => {
  const both = shield.arrows.filter(({ event }) => event === 'cluster.changed' || event === 'cluster.gone').slice(-2);
  expect(both.map(arrowRows)).toEqual([['cluster.gone'], ['cluster.changed', '[mustStop]']]);
  expect(labelSize(both)).toEqual({
    width: Math.ceil('cluster.changed'.length * letters.width) + 2 * letters.padding,
    height: 3 * letters.row + letters.gap + letters.padding,
  });
});

test('9.7 a line has round corners, and its head is at its end', () => {
  const path = [
    [0, 0],
    [0, 20],
    [30, 20],
  ] as const;
  expect(linePath(path)).toBe('M0 0L0 14Q0 20 6 20L23 20');
  expect(headPoints(path)).toBe('30 20 22 23.5 22 16.5');
  expect(headPoints(path, 2)).toBe('30 20 14 27 14 13');
});
