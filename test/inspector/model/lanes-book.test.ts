import { expect, test } from 'vitest';
import { writeBook, type BookWriter, type Rewriting } from '../../../src/inspector/model/timeline/timeline.ts';
import type { RetakenTurn } from '../../../src/inspector/model/replayed-turn.ts';
import type { Lanes } from '../../../src/inspector/model/timeline/lanes.ts';
import type { ShootLanguage } from '../../../src/machines/kinds.ts';
import { gardenerConfig } from '../../support/prober-configs.ts';
import { playShoot } from '../../support/played-shoots.ts';

type Turn = RetakenTurn<ShootLanguage>['turn'];

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

function finished({ steps, step, writer }: Rewriting<'shoot'>): BookWriter<'shoot'> {
  for (let index = 0; index < steps; index++) step(index);
  return writer;
}

const whole = finished(writeBook('shoot').after(turns)).book();
/** What stands in the lanes, without the functions that none of them has. */
const plain = (lanes: Lanes) => JSON.parse(JSON.stringify(lanes)) as unknown;

const outcomes = (writer: BookWriter<'shoot'>) => [
  ...new Set(writer.book().turns.map(({ replayed }) => replayed.outcome)),
];

test('9.7 there is something to tell', () => {
  expect(gardenerConfig.dependants.length).toBe(3);
  expect(whole.turns.length).toBe(turns.length);
  expect(whole.turns.every(({ replayed }) => replayed.outcome === 'same')).toBe(true);
  expect(whole.consequences.filter(Boolean).length).toBeGreaterThan(5);
});

test('9.7 turns that come one by one give the same book as all at once', () => {
  const writer = finished(writeBook('shoot').after(turns.slice(0, 10)));
  for (const turn of turns.slice(10)) writer.take(turn);
  expect(plain(writer.book().lanes)).toEqual(plain(whole.lanes));
  expect(writer.book().consequences).toEqual(whole.consequences);
  expect(outcomes(writer)).toEqual(['same']);
});

test('9.7 older turns that are loaded later give the same book, and live turns go on after them', () => {
  const younger = finished(writeBook('shoot').after(turns.slice(page, -20)));
  const both = finished(younger.after(turns.slice(0, page)));
  for (const turn of turns.slice(-20)) both.take(turn);
  expect(plain(both.book().lanes)).toEqual(plain(whole.lanes));
  expect(both.book().turns.map(({ turn }) => turn.seq)).toEqual(turns.map(({ seq }) => seq));
  expect(both.book().turns.some(({ gap }) => gap)).toBe(false);
  expect(outcomes(both)).toEqual(['same']);
});

test('9.7 where turns are missing between two pages, it is said', () => {
  const younger = finished(writeBook('shoot').after(turns.slice(page)));
  // Without the turns of the last minute before the page: the machine has moved meanwhile.
  const both = finished(younger.after(turns.slice(0, page - 20))).book();
  expect(both.turns.findIndex(({ gap }) => gap)).toBe(page - 20);
});

test('9.7 a turn that is told again is left out', () => {
  const writer = finished(writeBook('shoot').after(turns));
  for (const turn of turns.slice(-30)) writer.take(turn);
  expect(writer.book().turns.length).toBe(turns.length);
});

test('9.7 a turn of a later run begins with 1 again, and one of an earlier run is left out', () => {
  const writer = finished(writeBook('shoot').after(turns));
  const last = turns.at(-1)!;
  const [started] = turns;
  writer.take({ ...started!, run: 'later', at: last.at + 1 });
  writer.take({ ...started!, run: 'earlier', at: last.at - 1 });
  expect(
    writer
      .book()
      .turns.map(({ turn }) => turn.run)
      .slice(turns.length),
  ).toEqual(['later']);
});

test('9.7 the oldest turns can be let go', () => {
  const writer = finished(finished(writeBook('shoot').after(turns)).after([], page));
  expect(writer.book().turns.length).toBe(turns.length - page);
  expect(writer.book().lanes.firstAt).toBe(turns[page]!.at);
});
