import { expect, test } from 'vitest';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import type { Shoots, Turns } from '../../wire/wire.ts';
import { machineReplay } from '../../journal/machine-replay.ts';
import type { JournalTurnOf } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import { pureMachines, type ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { meltdown, ofShoots } from '@dwd/testing/recorded-nights.ts';
import { replay } from '@dwd/testing/journal-driver.ts';
import { journalRoutes } from 'dependency-watchdog/adapters/http/routes.ts';
import { inspected, liveProcess, reader } from './inspected.ts';

const story = await meltdown();
const shoot = story[0]!.subject;
const end = story.length - 1;

/** Within which rows and episodes come at most once. */
const tick = 500;

function outcomes(turns: Turns['turns']): readonly string[] {
  const courses = machineReplay(pureMachines.shoot);
  return turns.map((turn) => courses.take(turn as JournalTurnOf<ShootLanguage>, 0).outcome);
}

test('9.7 rows and turns of a process are those of its last turns', async () => {
  const { history, take } = liveProcess({ memoryChapterBytes: 20_000 });
  const { json } = await inspected(history);
  take(ofShoots(story.slice(0, 60), 3));
  expect(await json('/about')).toMatchObject({ live: true, sources: ['memory'], turns: 180, replayed: null });
  const { shoots } = (await json('/shoots')) as Shoots;
  expect(shoots.map((row) => [row.shoot, row.state])).toEqual(
    ['shoot--0', 'shoot--1', 'shoot--2'].map((name) => [name, story[59]!.to]),
  );
  const { turns, earlier } = (await json('/shoots/shoot--1/turns')) as Turns;
  expect(turns.map(({ seq }) => seq)).toEqual(story.slice(0, 60).map((_, index) => index * 3 + 2));
  expect(earlier).toBe(false);
});

test('9.7 turns are found in packed chapters too, and a part of them begins with its snapshot', async () => {
  const { history, journal, take } = liveProcess({ memoryChapterBytes: 20_000 });
  const { json } = await inspected(history);
  take(ofShoots(story, 4));
  expect(journal.parts().length).toBeGreaterThan(3);
  const [from, until] = [story[30]!.at, story[90]!.at];
  const { turns, earlier, later } = (await json(`/shoots/shoot--2/turns?from=${from}&until=${until}`)) as Turns;
  expect(turns.map(({ at }) => at)).toEqual(story.map(({ at }) => at).filter((at) => at >= from && at <= until));
  expect([earlier, later]).toEqual([true, true]);
  expect(turns[0]!.before).toBeDefined();
  expect(outcomes(turns)).not.toContainEqual(expect.stringMatching(/differs|no beginning/));
});

test('9.7 a reader gets all at the beginning, and then what changed, at most twice a second', async () => {
  const { history, take } = liveProcess();
  const { port, pace } = await inspected(history);
  take(ofShoots(story.slice(0, 10), 2));
  const { head, names, of } = await reader(port, '/events');
  expect(head).toMatch(/content-type: text\/event-stream/i);
  await expect.poll(names).toEqual(['about', 'rows', 'episodes']);
  expect(of('rows')[0]!.shoots.map((row) => row.shoot)).toEqual(['shoot--0', 'shoot--1']);

  take([{ ...story[10]!, subject: 'shoot--1' }]);
  await pace.advanceBy(tick - 1);
  take([{ ...story[11]!, subject: 'shoot--1' }]);
  expect(names().length).toBe(3);
  await pace.advanceBy(1);
  await expect.poll(() => of('rows').length).toBe(2);
  expect(of('rows')[1]).toMatchObject({
    shoots: [{ shoot: 'shoot--1', lastAt: story[11]!.at }],
    services: [],
    gone: [],
    read: { lastAt: story[11]!.at },
  });
  await pace.advanceBy(10 * tick);
  expect(of('rows').length).toBe(2);
});

test('9.7 what happens is told as it goes on, and a shoot that is gone', async () => {
  const { history, take } = liveProcess();
  const { port, pace } = await inspected(history);
  const { of } = await reader(port, '/events');
  await expect.poll(() => of('episodes').length).toBe(1);
  const down = story.findIndex(({ to }) => to === 'scaledDown');
  take(story.slice(0, down + 1));
  await pace.advanceBy(tick);
  const outages = () => of('episodes').flatMap(({ episodes }) => episodes.filter(({ kind }) => kind === 'outage'));
  await expect.poll(() => outages().length).toBe(1);
  expect(outages()[0]).toMatchObject({ subject: shoot, endedAt: null });
  take(story.slice(down + 1));
  await pace.advanceBy(tick);
  await expect.poll(() => outages().length).toBe(2);
  expect(outages()[1]).toMatchObject({ id: outages()[0]!.id, endedAt: expect.any(Number) });
  await expect.poll(() => of('rows').at(-1)).toMatchObject({ shoots: [], gone: [shoot] });
});

test('9.7 without a reader nothing is made or remembered', async () => {
  const { history, take } = liveProcess();
  const { port, pace, counts } = await inspected(history);
  take(story.slice(0, 20));
  expect(pace.sleeping).toBe(0);
  const one = await reader(port, '/events');
  await expect.poll(one.names).toContain('episodes');
  take(story.slice(20, 22));
  one.leave();
  await expect.poll(() => counts.readers).toBe(0);
  take(story.slice(22, 40));
  expect(pace.sleeping).toBe(0);
  const two = await reader(port, '/events');
  await expect.poll(() => two.of('rows')[0]?.shoots).toMatchObject([{ lastAt: story[39]!.at }]);
});

test('9.7 the turns of one shoot: those that are recorded, then each as it is taken; none twice, none left out', async () => {
  const { history, take } = liveProcess({ memoryChapterBytes: 20_000 });
  const { port } = await inspected(history);
  const mixed = ofShoots(story, 2);
  take(mixed.slice(0, 120));
  const { of } = await reader(port, `/shoots/shoot--1/events?from=${story[20]!.at}`);
  take(mixed.slice(120));
  const told = () => of('turns').flatMap(({ turns }) => turns);
  const wanted = mixed.filter(({ subject, at }) => subject === 'shoot--1' && at >= story[20]!.at);
  await expect.poll(() => told().map(({ seq }) => seq)).toEqual(wanted.map(({ seq }) => seq));
  expect(new Set(outcomes(told()).slice(0, -1))).toEqual(new Set(['same']));
  expect(new Set(told().map(({ run }) => run))).toEqual(new Set([history.live.run]));
});

test('9.7 what is recorded at the call is found, and not what comes while it is searched', async () => {
  const { history, take } = liveProcess();
  take(story.slice(0, 10));
  const found = history.turnsOf({ kind: 'shoot', subject: shoot }, { from: 0, until: Infinity, most: 100 });
  take(story.slice(10, 12));
  expect((await found)?.turns).toHaveLength(10);
});

test('9.7 without an instant only what comes is told, from its snapshot on', async () => {
  const { history, take } = liveProcess();
  const { port, counts } = await inspected(history);
  take(story.slice(0, 50));
  const { of } = await reader(port, `/shoots/${shoot}/events`);
  await expect.poll(() => counts.readers).toBe(1);
  take(story.slice(50, 53));
  const told = () => of('turns').flatMap(({ turns }) => turns);
  await expect.poll(() => told().map(({ seq }) => seq)).toEqual(story.slice(50, 53).map(({ seq }) => seq));
  expect(told().map(({ before }) => before !== undefined)).toEqual([true, false, false]);
});

test('9.7 a reader who is too slow is told what it missed, and goes on from a snapshot; the others miss nothing', async () => {
  const { history, take } = liveProcess();
  const { port, counts } = await inspected(history, { mostStreams: 5, mostWaiting: 450_000 });
  const slow = await reader(port, `/shoots/${shoot}/events`);
  const quick = await reader(port, `/shoots/${shoot}/events`);
  slow.pause();
  // More than the sockets of both sides hold.
  const long = story.slice(1, end).map((turn) => ({ ...turn, notes: [...turn.notes, padding] }));
  for (const [index, turn] of long.entries()) {
    take([turn]);
    await expect.poll(quick.heard, { interval: 1 }).toBe(index + 1);
  }
  expect(counts.missed).toBeGreaterThan(0);
  expect(quick.of('missed')).toEqual([]);
  slow.resume();
  await expect.poll(() => slow.of('missed').length).toBeGreaterThan(0);
  take([story[end]!]);
  const told = () => slow.of('turns').flatMap(({ turns }) => turns);
  await expect.poll(() => told().at(-1)?.seq).toBe(story[end]!.seq);
  const [gap] = slow.events().flatMap(({ name }, index) => (name === 'missed' ? [index] : []));
  const next = slow
    .events()
    .slice(gap)
    .find(({ name }) => name === 'turns');
  expect(next?.name === 'turns' && next.data.turns[0]).toMatchObject({ before: expect.anything() });
  const missed = slow.of('missed').reduce((sum, { events }) => sum + events, 0);
  expect(missed).toBe(counts.missed);
  expect(told().length + missed).toBe(long.length + 1);
});

const padding = { kind: 'recordUnreadable', key: 'x', record: 'x'.repeat(200_000) } as ShootTurn['notes'][number];

test('9.7 fifty readers get the same; one more than may be is refused, and readers that leave make room', async () => {
  const { history, take } = liveProcess();
  const { port, url, pace, counts } = await inspected(history, { mostStreams: 50, mostWaiting: 100_000 });
  take(ofShoots(story.slice(0, 10), 20));
  const readers = await Promise.all(Array.from({ length: 50 }, () => reader(port, '/events')));
  take(ofShoots(story.slice(10, 11), 20));
  await pace.advanceBy(tick);
  for (const { of } of readers) await expect.poll(() => of('rows').length).toBe(2);
  expect(new Set(readers.map(({ of }) => JSON.stringify(of('rows')[1]))).size).toBe(1);
  expect([counts.readers, counts.refused]).toEqual([50, 0]);
  const refused = await fetch(`${url}/events`);
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('close one')]);
  expect(counts.refused).toBe(1);
  for (const { leave } of readers.slice(0, 3)) leave();
  await expect.poll(() => counts.readers).toBe(47);
  await expect.poll((await reader(port, '/events')).names).toContain('about');
});

test('9.7 who asks for the head of a stream is no reader', async () => {
  const { history } = liveProcess();
  const { url, counts } = await inspected(history);
  expect((await fetch(`${url}/events`, { method: 'HEAD' })).status).toBe(200);
  expect(counts.readers).toBe(0);
});

test('9.7 an inspector that closes lets its readers go', async () => {
  const { history } = liveProcess();
  const { port, counts, close } = await inspected(history);
  await reader(port, '/events');
  await reader(port, `/shoots/${shoot}/events`);
  await expect.poll(() => counts.readers).toBe(2);
  await close();
  await expect.poll(() => counts.readers).toBe(0);
});

test('9.6 what the journal answers is the same beside the page', async () => {
  const { history, journal, take } = liveProcess();
  take(story);
  const { '/journal': route } = journalRoutes(journal);
  const { body } = await route!(new URLSearchParams());
  expect(await replay(['-'], body as Iterable<Buffer>)).toMatchObject({ code: 0 });
  expect(history.about().turns).toBe(story.length);
});

test('9.17 a process says above its views what its memory let go, and nothing while it holds all', async () => {
  const { history, take } = liveProcess({ memoryChapterBytes: 20_000, memoryTurns: 200 });
  const { json } = await inspected(history);
  take(ofShoots(story.slice(0, 40), 3));
  expect(await json('/about')).toMatchObject({ problems: [] });
  take(ofShoots(story, 3));
  expect(await json('/about')).toMatchObject({
    problems: [
      expect.stringMatching(/^events from before 1970-\S+Z: memory holds no more; files of --journal-dir do$/),
    ],
  });
});
