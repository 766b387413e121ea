import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createMachine } from 'xstate';
import { chartPages } from '../../../../hack/docs/chart-pages.ts';
import { layOutCharts } from '../../../../hack/docs/drawn-charts-json.ts';
import {
  chartModel,
  arrowRows,
  labelSize,
  letters,
  headPoints,
  linePath,
  placeLabel,
  shortLabel,
  type Region,
  type Box,
  type DrawnEdge,
  type DrawnRegion,
  type Point,
} from '../../model/charts/chart-model.ts';
import { chartModels, drawnCharts, arrowWords, litRegion } from '../../model/charts/charts.ts';
import { shootMachine } from 'dependency-watchdog/machines/shoot.ts';
import { weederMachine } from 'dependency-watchdog/machines/weeder.ts';
import type { TakenTransition } from '../../model/explanation/explanation.ts';

const pages = chartPages(await layOutCharts());

test.each(Object.keys(pages))('9.7 %s is as fresh as the machines (npm run docs)', (page) => {
  expect(readFileSync(page, 'utf8')).toBe(pages[page]);
});

test('9.7 a chart with another guard makes coordinates and picture stale', async () => {
  const { shoot, weeder } = await layOutCharts();
  const [region] = weeder.large;
  const [edge, ...others] = region!.edges;
  const arrows = edge!.arrows.map((arrow) => ({ ...arrow, guard: 'isElsewhere' }));
  const changed = chartPages({
    shoot,
    weeder: { ...weeder, large: [{ ...region!, edges: [{ ...edge!, arrows }, ...others] }] },
  });
  expect(Object.keys(pages).filter((page) => changed[page] !== pages[page])).toEqual([
    'packages/inspector/model/charts/drawn-charts.json',
    'docs/machines/weeder.svg',
  ]);
});

test('9.7 the page of a machine has a row for each transition, with what its guard asks', () => {
  expect(pages['docs/weeder-machine.md']).toContain(
    '| recovering | settled | `woken` | `isWindowOver` | Is the window over? | 7.2 |',
  );
  expect(pages['docs/shoot-machine.md']).toMatch(
    /\| leaseFailed \| scalingDown \| {2}\| `failureThresholdMet` \| .*\? \|/,
  );
});

test('9.7 a chart has what the machine has: targets, guards, what is always taken, and what a region listens for', () => {
  const machine = createMachine({
    initial: 'one',
    on: { stop: '.one', told: { actions: 'keep' } },
    states: {
      one: { on: { go: [{ guard: 'isReady', target: 'two' }, { actions: 'wait' }] } },
      two: { always: { guard: 'isDone', target: 'one' } },
    },
  });
  expect(chartModel(machine)).toEqual([
    {
      name: '',
      initial: 'one',
      states: ['one', 'two'],
      arrows: [
        { state: 'one', event: 'go', index: 0, guard: 'isReady', from: 'one', to: 'two' },
        { state: 'two', event: '', index: 0, guard: 'isDone', from: 'two', to: 'one' },
        { state: '', event: 'stop', index: 0, from: null, to: 'one' },
      ],
      stays: [
        { state: 'one', event: 'go', index: 1 },
        { state: '', event: 'told', index: 0 },
      ],
    },
  ]);
});

type ParsedNode = Readonly<{
  states: Readonly<Record<string, ParsedNode>>;
  transitions: ReadonlyMap<string, readonly ParsedTransition[]>;
  always?: readonly ParsedTransition[] | undefined;
}>;
type ParsedTransition = Readonly<{ target?: readonly Readonly<{ id: string }>[] | undefined; guard?: unknown }>;

/** Where each transition leads, and its guard, as XState itself has understood the machine. */
function parsedTransitions(node: ParsedNode): readonly string[] {
  const own = [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
  return [
    ...own.map(({ target, guard }) => `${target?.[0]?.id.split('.').at(-1) ?? 'stays'} ${String(guard)}`),
    ...Object.values(node.states).flatMap(parsedTransitions),
  ];
}

test.each([
  ['shoot', shootMachine.root],
  ['weeder', weederMachine.root],
] as const)('9.7 the chart of %s has every transition that XState knows, with its target and guard', (kind, root) => {
  const drawn = chartModels[kind].flatMap(({ arrows, stays }) => [
    ...arrows.map(({ to, guard }) => `${to} ${guard}`),
    ...stays.map(({ guard }) => `stays ${guard}`),
  ]);
  expect(drawn.toSorted()).toEqual(parsedTransitions(root).toSorted());
});

test('9.7 the shoot machine has two regions, whose states are named with them', () => {
  const [probe, shield] = chartModels.shoot;
  expect(probe?.states).toEqual(['off', 'resting', 'asking', 'looking', 'askingPaths', 'readingCluster']);
  expect(shield?.arrows).toContainEqual({
    state: 'shield.leaseFailed',
    event: '',
    index: 0,
    guard: 'failureThresholdMet',
    from: 'leaseFailed',
    to: 'scalingDown',
  });
});

const regions = Object.entries(drawnCharts).flatMap(([kind, sizes]) =>
  Object.entries(sizes).flatMap(([size, all]) => all.map((one) => [size, kind, one.name, one] as const)),
);

describe.each(regions)('9.7 the %s picture of %s %s', (_size, _kind, _name, region) => {
  test('shows every label and state apart from the others, within its edges', () => {
    const boxes = [...region.states, ...labelsOf(region.edges), ...anyStateOf(region)];
    expect(boxes.filter((box) => boxes.some((other) => other !== box && overlap(box, other)))).toEqual([]);
    const whole = { x: 0, y: 0, width: region.width, height: region.height };
    expect(boxes.filter((box) => !contains(whole, box))).toEqual([]);
  });

  test('leads no line through a label or a state that is not its own', () => {
    const crossed = region.edges.flatMap(({ path, arrows }) => {
      const own = [arrows[0]?.from, arrows[0]?.to];
      const others = [
        ...region.states.filter(({ name }) => !own.includes(name)),
        ...labelsOf(region.edges.filter(({ arrows: of }) => of !== arrows)),
      ];
      return others.filter((box) => pieces(path).some((piece) => overlap(piece, box)));
    });
    expect(crossed).toEqual([]);
  });

  test('leads each line from its state to its state', () => {
    for (const { path, arrows } of region.edges) {
      const [first, last] = [path.at(0), path.at(-1)];
      expect(touches(boxOf(region, arrows[0]?.from), first)).toBe(true);
      expect(touches(boxOf(region, arrows[0]?.to), last)).toBe(true);
    }
  });
});

function boxOf({ states, anyState }: DrawnRegion, name: string | null | undefined): Box | null {
  return name === null ? anyState : (states.find((state) => state.name === name) ?? null);
}

function labelsOf(edges: readonly DrawnEdge[]): readonly Box[] {
  return edges.flatMap(({ label }) => label ?? []);
}

function anyStateOf({ anyState }: DrawnRegion): readonly Box[] {
  return anyState === null ? [] : [anyState];
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

function contains(outer: Box, { x, y, width, height }: Box): boolean {
  return x >= outer.x && y >= outer.y && x + width <= outer.x + outer.width && y + height <= outer.y + outer.height;
}

/** Each straight part of a line, as a box that is as thick as the line. */
function pieces(path: readonly Point[]): readonly Box[] {
  return path.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = path[index] ?? [x, y];
    return {
      x: Math.min(x, fromX),
      y: Math.min(y, fromY),
      width: Math.abs(x - fromX) + 1,
      height: Math.abs(y - fromY) + 1,
    };
  });
}

function touches(box: Box | null, [x, y]: Point = [-1, -1]): boolean {
  return box !== null && x >= box.x && x <= box.x + box.width && [box.y, box.y + box.height].includes(y);
}

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
      'scaling: probing → leaseFailed by verdict.reached, isCutOff',
      'scaling: leaseFailed → scalingDown by failureThresholdMet',
    ],
  ],
  [
    'what was done in a state that stays',
    shield,
    value,
    [{ state: 'shield', event: 'woken', index: 0 }],
    ['scaling: scalingDown stays, by woken'],
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
  ['that nothing tells where it is', shield, undefined, [], ['scaling: unknown']],
  ['that the state is none of this machine', shield, { shield: 'asleep' }, [], ['scaling: unknown']],
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

test('9.7 an arrow whose guard was asked and said no is told apart from what was taken', () => {
  const saidNo = { state: 'shield.leaseFailed', event: 'verdict.reached', index: 0, answer: false };
  const { arrows, refused } = litRegion(shield, value, [decided], [{ ...decided, answer: true }, saidNo]);
  expect(arrows.map(({ to }) => to)).toEqual(['scalingDown']);
  expect(refused.map(({ guard }) => guard)).toEqual(['isScaleUpDue']);
});

test.each([
  ['isCutOff', 'cut off'],
  ['verdictMeetsSuccessThreshold', 'success threshold'],
  ['failureThresholdMet', 'failure threshold met'],
  [undefined, 'cluster.gone'],
])('9.7 a small chart calls %s %s', (guard, words) => {
  expect(shortLabel({ event: 'cluster.gone', ...(guard === undefined ? {} : { guard }) })).toBe(words);
});

test('9.7 the words of each line of a small chart find a place over no state, and over no other words', () => {
  for (const drawn of [...drawnCharts.shoot.small, ...drawnCharts.weeder.small]) {
    const placed: Box[] = [];
    // No turn names as many lines as the first three at once.
    for (const edge of drawn.edges.slice(0, 3)) {
      const box = placeLabel(drawn, edge, shortLabel(edge.arrows[0]!), placed);
      if (box !== undefined) placed.push(box);
    }
    expect(placed.length).toBe(3);
    const boxes = [...drawn.states, ...anyStateOf(drawn), ...placed];
    expect(boxes.filter((box) => boxes.some((other) => other !== box && overlap(box, other)))).toEqual([]);
    const whole = { x: 0, y: 0, width: drawn.width, height: drawn.height };
    expect(placed.every((box) => contains(whole, box))).toBe(true);
  }
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
