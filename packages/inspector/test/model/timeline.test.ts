import { expect, test } from 'vitest';
import {
  timelineBuilder,
  hasConsequence,
  nextConsequence,
  type TimelineBuilder,
  type Rebuilding,
} from '../../model/timeline/timeline.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';
import { lastStay, lastTaken } from '../../model/charts/chart-history.ts';
import { chartModels } from '../../model/charts/charts.ts';
import { explainTurn } from '../../model/explanation/explain-turn.ts';
import type { Lanes } from '../../model/timeline/lanes.ts';
import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { playShoot } from '@dwd/testing/played-shoots.ts';

type Turn = ReplayedTurn<ShootLanguage>['turn'];

/** One outage, as a journal has it: each turn with its number, and the one at `page` with its snapshot, as the server gives the first of a page. */
const played = await playShoot('shoot--dev--cut', Date.parse('2026-11-23T02:00:00Z'));
const page = Math.floor(played.length / 2);
const turns: readonly Turn[] = played.map(
  ({ seq, at, kind, subject, event, from, to, commands, notes, before }, index) => ({
    seq,
    at,
    kind,
    subject,
    event,
    to,
    commands,
    notes,
    run: 'run',
    ...(from === undefined ? {} : { from }),
    ...(index === page && before !== undefined ? { before } : {}),
  }),
);

function finished({ steps, step, builder }: Rebuilding<'shoot'>): TimelineBuilder<'shoot'> {
  for (let index = 0; index < steps; index++) step(index);
  return builder;
}

const whole = finished(timelineBuilder('shoot').after(turns)).timeline();
/** What stands in the lanes, without the functions that none of them has. */
const plain = (lanes: Lanes) => JSON.parse(JSON.stringify(lanes)) as unknown;

const outcomes = (builder: TimelineBuilder<'shoot'>) => [
  ...new Set(builder.timeline().turns.map(({ replayed }) => replayed.outcome)),
];

test('9.7 there is something to tell', () => {
  expect(gardenerConfig.dependants.length).toBe(3);
  expect(whole.turns.length).toBe(turns.length);
  expect(whole.turns.every(({ replayed }) => replayed.outcome === 'same')).toBe(true);
  expect(whole.consequences.filter(Boolean).length).toBeGreaterThan(5);
});

test('9.7 turns that come one by one give the same timeline as all at once', () => {
  const builder = finished(timelineBuilder('shoot').after(turns.slice(0, 10)));
  for (const turn of turns.slice(10)) builder.take(turn);
  expect(plain(builder.timeline().lanes)).toEqual(plain(whole.lanes));
  expect(builder.timeline().consequences).toEqual(whole.consequences);
  expect(outcomes(builder)).toEqual(['same']);
});

test('9.7 older turns that are loaded later give the same timeline, and live turns go on after them', () => {
  const younger = finished(timelineBuilder('shoot').after(turns.slice(page, -20)));
  const both = finished(younger.after(turns.slice(0, page)));
  for (const turn of turns.slice(-20)) both.take(turn);
  expect(plain(both.timeline().lanes)).toEqual(plain(whole.lanes));
  expect(both.timeline().turns.map(({ turn }) => turn.seq)).toEqual(turns.map(({ seq }) => seq));
  expect(both.timeline().turns.some(({ gap }) => gap)).toBe(false);
  expect(outcomes(both)).toEqual(['same']);
});

test('9.7 where turns are missing between two pages, it is said', () => {
  const younger = finished(timelineBuilder('shoot').after(turns.slice(page)));
  // Without the turns of the last minute before the page: the machine has moved meanwhile.
  const both = finished(younger.after(turns.slice(0, page - 20))).timeline();
  expect(both.turns.findIndex(({ gap }) => gap)).toBe(page - 20);
});

test('9.7 a turn that is told again is left out', () => {
  const builder = finished(timelineBuilder('shoot').after(turns));
  for (const turn of turns.slice(-30)) builder.take(turn);
  expect(builder.timeline().turns.length).toBe(turns.length);
});

test('9.7 a turn of a later run begins with 1 again, and one of an earlier run is left out', () => {
  const builder = finished(timelineBuilder('shoot').after(turns));
  const last = turns.at(-1)!;
  const [started] = turns;
  builder.take({ ...started!, run: 'later', at: last.at + 1 });
  builder.take({ ...started!, run: 'earlier', at: last.at - 1 });
  expect(
    builder
      .timeline()
      .turns.map(({ turn }) => turn.run)
      .slice(turns.length),
  ).toEqual(['later']);
});

test('9.7 the oldest turns can be let go', () => {
  const builder = finished(finished(timelineBuilder('shoot').after(turns)).after([], page));
  expect(builder.timeline().turns.length).toBe(turns.length - page);
  expect(builder.timeline().lanes.firstAt).toBe(turns[page]!.at);
});

type ConsequentTurn = Parameters<typeof hasConsequence>[0];

const woken = {
  seq: 1,
  at: 0,
  kind: 'shoot',
  subject: 's',
  event: { type: 'woken', at: 0 },
  from: 'probing',
  to: 'probing',
  commands: [],
  notes: [],
};

test.each<[string, object, boolean]>([
  ['nothing came of it', {}, false],
  ['a probe is asked', { commands: [{ type: 'probe' }, { type: 'wake' }, { type: 'read' }] }, false],
  ['a verdict as before', { notes: [{ kind: 'verdict' }] }, false],
  ['another state', { to: 'leaseFailed' }, true],
  ['a write', { commands: [{ type: 'wake' }, { type: 'scale' }] }, true],
  ['a write that is taken back', { commands: [{ type: 'withdraw' }] }, true],
  ['a pod is deleted', { commands: [{ type: 'deletePod' }] }, true],
  ['a write is answered', { event: { type: 'scale.answered', at: 0 } }, true],
  ['something is said beside the verdict', { notes: [{ kind: 'verdict' }, { kind: 'clockDiffers' }] }, true],
  ['the machine begins', { event: { type: 'started', at: 0 }, from: undefined, to: 'idle' }, true],
  ['the machine ends', { event: { type: 'ended', at: 0, because: 'bug' } }, true],
])('9.7 %s: %o', (_, change, expected) => {
  expect(hasConsequence({ ...woken, ...change } as unknown as ConsequentTurn)).toBe(expected);
});

const consequences = [true, false, true, false, false, true];
test.each<[number, 1 | -1, number | undefined]>([
  [0, 1, 2],
  [2, 1, 5],
  [3, 1, 5],
  [5, 1, undefined],
  [5, -1, 2],
  [1, -1, 0],
  [0, -1, undefined],
])('9.7 from turn %d in direction %d the next consequence is at %s', (from, direction, expected) => {
  expect(nextConsequence(consequences, from, direction)).toBe(expected);
});

const deciding = whole.turns.findIndex(({ turn }) => turn.to === 'scalingDown');
const [, shield] = chartModels.shoot;
const arrow = (to: string) => shield!.arrows.find((one) => one.from === 'leaseFailed' && one.to === to)!;
const takenBy = (turn: ReplayedTurn<ShootLanguage>) => explainTurn('shoot', turn).taken;
const lastTook = (selected: number, to: string) =>
  lastTaken(whole.turns, selected, 'shield', arrow(to), (turn) => takenBy(turn as ReplayedTurn<ShootLanguage>));

test('9.7 a state of the chart says when the machine was last there, as seen from the turn that is shown', () => {
  const { at } = whole.turns[deciding]!.turn;
  expect(lastStay(whole.turns, deciding - 1, 'shield', 'scalingDown')).toBeUndefined();
  expect(lastStay(whole.turns, deciding, 'shield', 'scalingDown')).toEqual({
    index: deciding,
    enteredAt: at,
    leftAt: null,
  });
  const last = whole.turns.length - 1;
  const left = whole.turns.find(({ turn }) => turn.to === 'scaledDown')!.turn.at;
  expect(lastStay(whole.turns, last, 'shield', 'scalingDown')).toEqual({
    index: deciding,
    enteredAt: at,
    leftAt: left,
  });
});

test('9.7 a line of the chart says when it was last taken, also within one turn with another one', () => {
  expect(lastTook(deciding - 1, 'scalingDown')).toBeUndefined();
  // From leaseFailed, in which the machine never rested.
  expect(lastTook(deciding, 'scalingDown')).toBe(deciding);
  expect(lastTook(whole.turns.length - 1, 'scalingDown')).toBe(deciding);
  expect(lastTook(whole.turns.length - 1, 'scalingUp')).toBeUndefined();
});
