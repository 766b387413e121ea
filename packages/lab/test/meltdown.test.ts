import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keptDirectory, preparePlace } from '../meltdown/place.ts';
import { readMeltdownOptions } from '../meltdown/meltdown-options.ts';
import { wrongWithSilences, type Silence } from '../meltdown/silence.ts';
import { foretellFirstMark, type Outage, goingOn, type OutagePhase } from '../meltdown/outage.ts';
import { progress } from '../options/progress.ts';
import { outageLine, sumLines } from '../meltdown/outage-lines.ts';
import { changesOf, isWell } from '../meltdown/shoot-state.ts';
import { marginOf, sumUp, whyLater } from '../meltdown/sum.ts';
import { readWeedingOptions } from '../weeding/weeding-options.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

const grace = 40_000;

/** A controller-manager that looked at 1,000 s, and so again at 1,005 s. */
const lookedAt = 1_000_000;

test.each([
  ['seen by the next look', 1_002_000, 1_045_000],
  ['just before a look', 1_004_990, 1_045_000],
  ['just after a look, which may have been late and seen it', 1_005_010, 1_045_000],
  ['well after a look', 1_005_100, 1_050_000],
  ['long after the last look that is known', 1_202_000, 1_245_000],
  ['long after it, where a look may be late by some ms for each before', 1_200_130, 1_240_000],
  ['before the last look that is known', 998_000, 1_040_000],
])('a mark is foretold for a renewal %s', (_, renewedAt, markAt) => {
  expect(foretellFirstMark(lookedAt, [renewedAt], grace)).toBe(markAt);
});

test('the first mark is that of the node that was seen longest ago', () => {
  expect(foretellFirstMark(lookedAt, [1_009_000, 1_002_000, 1_008_000], grace)).toBe(1_045_000);
});

const unharmed: Outage = {
  shoot: 'shoot--melt--1',
  fault: 'cut',
  cutAt: 0,
  knowableAt: 25_000,
  firstWriteAt: 25_100,
  scaledAt: 25_400,
  goneAt: 25_500,
  markedAt: undefined,
  foretoldAt: 32_500,
  nodes: 5,
  marked: 0,
  replaced: undefined,
  firstUpAfter: 14_000,
  lastUpAfter: 48_000,
  backAfter: 50_000,
  changes: [],
  missedRenewals: 0,
};
const harmed: Outage = {
  ...unharmed,
  firstWriteAt: undefined,
  scaledAt: undefined,
  goneAt: undefined,
  firstUpAfter: undefined,
  lastUpAfter: undefined,
  backAfter: 5_000,
  markedAt: 32_540,
  marked: 5,
};

describe('the sum', () => {
  test('has no failure where the watched ones are unharmed and the others are not', () => {
    expect(sumUp([{ number: 1, watched: unharmed, unwatched: harmed }])).toMatchObject({
      failures: [],
      watched: { marked: 0, nodes: 5, margin: { least: 7_000, worst: 7_000 }, firstMark: undefined },
      unwatched: { marked: 5, allMarked: 1, margin: undefined, foretelling: { median: 40 } },
    });
  });

  test.each([
    ['a watched node was marked', { ...unharmed, marked: 1 }, harmed],
    ['a watched shoot did not come back', { ...unharmed, backAfter: undefined }, harmed],
    ['an unwatched one did not come back', unharmed, { ...harmed, backAfter: undefined }],
    ['there was nothing to protect from', unharmed, { ...harmed, marked: 0 }],
  ])('has one where %s', (_, watched, unwatched) => {
    expect(sumUp([{ number: 1, watched, unwatched }]).failures).toHaveLength(1);
  });

  test('counts Machines where they are real, and has a failure where a watched one was replaced, or where none was replaced of the others', () => {
    const machines = (ofWatched: number, ofOthers: number) =>
      sumUp([
        {
          number: 1,
          watched: { ...unharmed, replaced: ofWatched },
          unwatched: { ...harmed, replaced: ofOthers },
        },
      ]);
    expect(machines(0, 3)).toMatchObject({ failures: [], watched: { replaced: 0 }, unwatched: { replaced: 3 } });
    expect(machines(1, 3).failures).toEqual(['Machines of watched shoots that were replaced: 1.']);
    expect(machines(0, 0).failures).toHaveLength(1);
    expect(sumLines(machines(0, 3), 'leases')).toContainEqual(
      expect.stringMatching(/^Machines replaced +0 of 5 +3 of 5$/),
    );
    const played = sumUp([{ number: 1, watched: unharmed, unwatched: harmed }]);
    expect(sumLines(played, 'leases').join()).not.toContain('Machines replaced');
  });

  test('has one where nobody was cut off', () => {
    expect(sumUp([]).failures).toHaveLength(1);
  });
});

test('the line of an outage ends with the Machines that its twin lost', () => {
  const twins = { number: 1, watched: { ...unharmed, replaced: 0 }, unwatched: { ...harmed, replaced: 3 } };
  expect(outageLine(twins)).toMatch(/ 5 of 5 +5 +3$/);
});

test('a controller-manager that outlived the first mark has a margin below nothing', () => {
  expect(marginOf({ ...unharmed, marked: 5, markedAt: 24_000 })).toBe(-1_500);
});

test('whatever is not as before is named: changed, gone, new', () => {
  const before = new Map([
    ['same', '1'],
    ['changed', '1'],
    ['gone', '1'],
  ]);
  const after = new Map([
    ['same', '1'],
    ['changed', '2'],
    ['new', '1'],
  ]);
  expect(changesOf(before, after)).toEqual([
    'changed was 1, is 2',
    'gone was 1, is not there',
    'new was not there, is 1',
  ]);
});

test.each([
  [
    'a shoot whose Machines run and whose nodes are ready',
    [
      ['Machine 1', 'Running'],
      ['node 1', 'Ready True, taints []'],
    ],
    true,
  ],
  [
    'a Machine that has not joined',
    [
      ['Machine 1', 'Pending'],
      ['node 1', 'Ready True, taints []'],
    ],
    false,
  ],
  ['a node whose kubelet has just come', [['node node-0', 'uid, Ready False, taints []']], false],
  ['a played Machine, of which only the last write is known', [['Machine a-node-1', 'uid at 5']], true],
] as const)('%s is well or not', (_, state, well) => {
  expect(isWell(new Map(state))).toBe(well);
});

test.each([
  [['--kubelets', 'real'], /--kubelets must be one of played, hollow; found "real"/],
  [['--machines', 'yes'], /--machines must be one of played, real/],
  [['--machines=real', '--silences'], /--silences and --machines=real/],
  [['--shoots', '0'], /--shoots .*"0"/],
  [['--nodes', '1'], /--nodes .*"1"/],
  [['--outages', 'many'], /--outages .*"many"/],
  [['--shoot', '3'], '--shoot'],
])('%j is refused, and named', (args, named) => {
  expect(readMeltdownOptions(args)).toEqual({ wrong: expect.stringMatching(named) });
});

describe('silences', () => {
  const well = { number: 1, shoot: 'a', lasted: 90_000, doubted: false, marked: 0, nodes: 3, changes: [] };
  const server: Silence = { ...well, kind: 'server', firstWriteAfter: undefined };
  const own: Silence = { ...well, kind: 'own', firstWriteAfter: 1_700 };

  test.each<[string, Silence, readonly string[]]>([
    ['a server that came back, and a shoot that stayed up', { ...server, doubted: true }, []],
    ['a way that came back, and nodes that were marked before', { ...own, marked: 2 }, []],
    ['a shoot that was well', { ...server, firstWriteAfter: 900 }, ['silence 1: a shoot went down that was well']],
    ['its nodes', { ...server, marked: 2 }, ['silence 1: 2 nodes were marked that were well']],
    ['nobody protected', { ...own, firstWriteAfter: undefined }, ['silence 1: nothing was scaled down']],
    ['time lost', { ...own, doubted: true }, ['silence 1: the prober waited, though leases were renewed meanwhile']],
    ['what is not as before', { ...own, changes: ['x was 1, is 0'] }, ['silence 1: x was 1, is 0']],
  ])('what is wrong with one: %s', (_, one, expected) => {
    expect(wrongWithSilences([one])).toEqual(expected);
  });

  test('none is wrong as well', () => {
    expect(wrongWithSilences([])).toEqual(['No API server was silent.']);
  });
});

test('there are no more shoots than outages', () => {
  expect(readMeltdownOptions(['--outages', '2'])).toMatchObject({ shoots: 2, outages: 2 });
});

describe('what goes on is told', () => {
  test('in a line for both columns', () => {
    const at = 100_000;
    const plan = { thresholdAt: at + 13_000, healAt: at + 40_000, harm: () => '2 of 3 nodes marked' };
    const watched = new Map<string, OutagePhase>([['a', { is: 'cutOff', cutAt: at - 12_000, plan }]]);
    const unwatched = new Map<string, OutagePhase>([
      ['a', { is: 'healing', healedAt: at - 3_000, waitsFor: 'node a' }],
    ]);
    expect(goingOn({ watched, unwatched }, at)).toBe(
      'watched: cut off for 12 s, its leases cross the threshold in 13 s | unwatched: healed for 3 s, not as before yet: node a',
    );
    expect(goingOn({ watched, unwatched: new Map() }, at + 20_000)).toBe(
      'watched: cut off for 32 s, over the threshold for 7 s, 2 of 3 nodes marked; healed in 20 s',
    );
    const several = new Map<string, OutagePhase>([
      ['a', { is: 'over', asBefore: true }],
      ['b', { is: 'calm', cutAt: at }],
      ['c', { is: 'over', asBefore: true }],
    ]);
    expect(goingOn({ watched: several }, at)).toBe('watched: 2 over, 1 not cut off yet');
  });

  test('at least every 5 s, and not where something else was said', async () => {
    const clock = new VirtualClock();
    const lines: string[] = [];
    const { say, goesOn, stop } = progress(clock, (line) => lines.push(line));
    goesOn(() => 'an API server starts');
    await clock.advanceBy(4_900);
    expect(lines).toEqual(['    4 s  … an API server starts']);
    say('it started');
    await clock.advanceBy(3_900);
    expect(lines).toHaveLength(2);
    for (let more = 3; more < 6; more++) {
      await clock.advanceBy(5_000);
      expect(lines.length).toBeGreaterThanOrEqual(more);
    }
    const said = lines.length;
    stop();
    await clock.advanceBy(10_000);
    expect(lines).toHaveLength(said);
  });
});

describe('why the watched ones are back later is told', () => {
  const watched = { ...unharmed, firstUpAfter: 14_000, lastUpAfter: 48_000, backAfter: 50_000 };

  test('from the figures of the run and the configuration', async () => {
    const { config } = await preparePlace({ bin: '', directory: '', etcd: '' }, 1);
    const why = whyLater(sumUp([{ number: 1, watched, unwatched: harmed }]), config);
    expect(why).toContain('50.0 s after the healing, the others 5.0 s');
    expect(why).toContain('scaled up after 14.0 s');
    expect(why).toContain('the last one 34.0 s later');
    expect(why).toContain(
      '(scaleUp goes level by level; of these, 30 s are the initialDelay of machine-controller-manager)',
    );
    expect(why).toContain('its pod took 2.0 s');
    const quick = { ...watched, backAfter: 4_000 };
    expect(whyLater(sumUp([{ number: 1, watched: quick, unwatched: harmed }]), config)).toBeUndefined();
  });
});

describe('a directory that an option names', () => {
  test('is made, and may be there', ({ onTestFinished: after }) => {
    const dir = mkdtempSync(join(tmpdir(), 'dwd-kept-'));
    after(() => rmSync(dir, { recursive: true }));
    expect(keptDirectory('keep', join(dir, 'new'))).toBe(join(dir, 'new'));
    expect(keptDirectory('keep', join(dir, 'new'))).toBe(join(dir, 'new'));
    expect(() => keptDirectory('keep', join(dir, 'a', 'b'))).toThrow(
      /--keep \S+: the directory \S+a does not exist; make it first/,
    );
  });

  test('is refused where it is a file', () => {
    expect(() => keptDirectory('log-dir', import.meta.filename)).toThrow(
      /--log-dir \S+: it is a file, not a directory/,
    );
  });
});

test.each([
  [['--namespaces', '0'], /--namespaces .*"0"/],
  [['--recoveries', 'x'], /--recoveries .*"x"/],
  [['--recovery', '3'], '--recovery'],
])('real weeding refuses %j, and names it', (args, named) => {
  expect(readWeedingOptions(args)).toEqual({ wrong: expect.stringMatching(named) });
});
