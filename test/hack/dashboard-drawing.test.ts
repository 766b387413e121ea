import { expect, test } from 'vitest';
import type { Dashboard, Panel } from '../../hack/monitoring/dashboards/dashboards.ts';
import { dashboardSvg } from '../../hack/monitoring/draw/dashboard-svg.ts';
import { ticks, written } from '../../hack/monitoring/draw/units.ts';

test.each([
  [0.0123, 's', '12.3 ms'],
  [3.03, 's', '3.03 s'],
  [300, 's', '5 min'],
  [0, 's', '0 s'],
  [136_314_880, 'bytes', '130 MiB'],
  [0.0152, 'percentunit', '1.52 %'],
  [0.25, 'reqps', '0.25/s'],
  [1_234.5, undefined, '1235'],
])('9.10 %d of %s is written as %s', (value, unit, words) => {
  expect(written(value, unit)).toBe(words);
});

test('9.10 an axis goes from 0, or below, to at least the largest value, in easy steps', () => {
  expect(ticks([3, 7.2], undefined)).toEqual([0, 2, 4, 6, 8]);
  expect(ticks([], undefined)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect(ticks([-3, 5], undefined)).toEqual([-4, -2, 0, 2, 4, 6]);
  expect(ticks([150 * 1_048_576], 'bytes').map((value) => value / 1_048_576)).toEqual([0, 50, 100, 150]);
});

const panel: Panel = {
  title: 'T',
  says: '',
  kind: 'stat',
  width: 24,
  height: 4,
  queries: [{ expr: 'x', legend: '{{a}}' }],
};

function drawn(more: Partial<Panel>, series: readonly Readonly<{ a: string; values: readonly (number | null)[] }>[]) {
  const dashboard: Dashboard = { name: 'one', title: 'One', says: '', panels: [{ ...panel, ...more }] };
  const answer = series.map(({ a, values }) => ({ labels: { a, instance: a }, values }));
  return dashboardSvg(dashboard, {
    seconds: 120,
    step: 60,
    answers: { x: answer, 'at the end: x': answer },
    alerts: [],
  });
}

test('9.10 a number has the colour of its threshold, or its word', () => {
  const thresholds: NonNullable<Panel['thresholds']> = [['green'], ['red', 3]];
  expect(drawn({ thresholds }, [{ a: '', values: [2] }])).toContain('fill="#56a64b"');
  expect(drawn({ thresholds }, [{ a: '', values: [3] }])).toContain('fill="#e02f44"');
  const words = { 1: { text: 'Yes', colour: 'blue' } };
  expect(drawn({ words }, [{ a: '', values: [1] }])).toMatch(/fill="#3274d9"[^]*>Yes</);
});

test('9.10 a bucket shows what is in it alone, and not what is below it too', () => {
  const svg = drawn({ kind: 'bargauge', buckets: true }, [
    { a: '+Inf', values: [7] },
    { a: '10', values: [5] },
    { a: '-1', values: [1] },
  ]);
  expect([...svg.matchAll(/>(≤ [^<]*)<[^]*?>(\d+)<\/text>/g)].map(([, name, count]) => `${name}: ${count}`)).toEqual([
    '≤ -1: 1',
    '≤ 10: 4',
    '≤ +Inf: 2',
  ]);
});

test('9.10 a line has a gap where there was no value, and states of one name share a row', () => {
  const line = drawn({ kind: 'timeseries' }, [{ a: 'one', values: [1, 2, null] }]);
  expect(line.match(/<polyline/g)).toHaveLength(1);
  expect(line).toMatch(/<polyline points="\S+ \S+" /);
  const words = { 1: { text: 'A', colour: 'red' }, 2: { text: 'B', colour: 'blue' } };
  const states = drawn({ kind: 'state-timeline', words }, [
    { a: 'one', values: [1, null, null] },
    { a: 'one', values: [null, 2, 2] },
  ]);
  expect(states.match(/>one</g)).toHaveLength(1);
  expect(states).toMatch(/fill="#e02f44"[^]*fill="#3274d9"/);
});

test('9.10 a panel without data says so, and a title is no markup', () => {
  expect(drawn({ nothing: 'No <probe> failed' }, [])).toContain('No &lt;probe&gt; failed');
});
