import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ReaderGone } from 'dependency-watchdog/adapters/http/http-server.ts';
import { meltdown, ofShoots } from '@dwd/testing/recorded-nights.ts';
import { asked, inspected, liveProcess, reader } from './inspected.ts';

const story = await meltdown();
const shoot = story[0]!.subject;
const turnsOf = (name: string) => `/shoots/${name}/turns`;

async function served() {
  const { history, take } = liveProcess({ memoryChapterBytes: 8_000 });
  take(story.slice(0, -1));
  return { history, ...(await inspected(history)) };
}

/** Sends bytes, and reads nothing until it is told to. */
function silent(port: number, text: string) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let heard = '';
  let closed = false;
  socket.on('error', () => undefined).on('close', () => (closed = true));
  socket.pause().write(text);
  return {
    heard: () => heard,
    closed: () => closed,
    read: () => void socket.on('data', (piece) => (heard += String(piece))).resume(),
    leave: () => void socket.destroy(),
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

test.each([
  ['a script of another page', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
  [
    'a frame in another page',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    403,
  ],
  ['a page of another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 403],
  [
    'a link that somebody follows',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    200,
  ],
  ['our own page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, 200],
  ['an address that is typed', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, 200],
  ['a program', {}, 200],
] as const)('9.7 what %s asks for (%o) is answered with %i', async (_, headers, status) => {
  const { port } = await served();
  for (const path of ['/', '/about', turnsOf(shoot)])
    expect(await asked(port, path, { host: 'localhost', ...headers })).toBe(status);
});

test.each([
  `${turnsOf(shoot)}?most=1e9`,
  `${turnsOf(shoot)}?most=-1`,
  `${turnsOf(shoot)}?most=0x10`,
  `${turnsOf(shoot)}?from=NaN`,
  `${turnsOf(shoot)}?until=Infinity`,
  `${turnsOf(shoot)}?from=1e400`,
  `/shoots/${shoot}/events?from=%00`,
  '/episodes?since=__proto__',
])('9.7 %s is refused in words, and no fault of ours', async (path) => {
  const { port, faults } = await served();
  expect(await asked(port, path, { host: 'localhost' })).toBe(400);
  expect(faults).toEqual([]);
});

test('9.7 a path that is too long, or a query of a thousand names, harms nobody', async () => {
  const { port, faults } = await served();
  expect(await asked(port, turnsOf('x'.repeat(10_000)), { host: 'localhost' })).toBe(431);
  const many = Array.from({ length: 1_000 }, (_, index) => `n${index}`).join('&');
  expect(await asked(port, `${turnsOf(shoot)}?${many}`, { host: 'localhost' })).toBe(400);
  expect(faults).toEqual([]);
});

test('9.7 what slow readers have not taken yet is bounded, all together', async () => {
  const { history } = liveProcess();
  // More than the sockets hold.
  const turns = Array.from({ length: 300 }, () => JSON.stringify('x'.repeat(100_000)));
  const found = { turns, earlier: false, later: false };
  const { port, counts } = await inspected(
    { ...history, turnsOf: () => Promise.resolve(found) },
    { mostHeld: 20_000_000 },
  );
  for (const path of [turnsOf('one'), '/shoots/one/events?from=0']) {
    const slow = silent(port, get(path));
    await expect.poll(() => asked(port, turnsOf('one'), { host: 'localhost' })).toBe(503);
    expect(await asked(port, '/shoots/one/events?from=0', { host: 'localhost' })).toBe(503);
    expect(await asked(port, '/about', { host: 'localhost' })).toBe(200);
    expect(counts.refused).toBeGreaterThan(0);
    slow.leave();
    await expect.poll(() => asked(port, turnsOf('one'), { host: 'localhost' })).toBe(200);
  }
});

test('9.7 a search ends when nobody waits for it any more', async () => {
  const { history } = await served();
  const span = { from: 0, until: Infinity, most: 5_000 };
  let looks = 0;
  const found = history.turnsOf({ kind: 'shoot', subject: shoot }, span, () => (looks += 1) < 2);
  await expect(found).rejects.toThrow(ReaderGone);
  expect(looks).toBe(2);
});

test('9.7 readers that leave in the middle of a search leave nothing behind, and are no fault', async () => {
  const { port, counts, faults, history } = await served();
  for (let count = 0; count < 30; count += 1) {
    const one = silent(port, get(count % 2 === 0 ? turnsOf(shoot) : `/shoots/${shoot}/events?from=0`));
    if (count % 3 === 0) one.leave();
    else setImmediate(one.leave);
  }
  expect(await asked(port, turnsOf(shoot), { host: 'localhost' })).toBe(200);
  await expect.poll(() => counts.readers).toBe(0);
  expect(faults).toEqual([]);
  expect(
    (await history.turnsOf({ kind: 'shoot', subject: shoot }, { from: 0, until: Infinity, most: 9 }))?.turns,
  ).toHaveLength(9);
});

test('9.7 one connection asks for one thing at a time, and a browser may use it again', async () => {
  const { port, url } = await served();
  const many = silent(port, get(turnsOf(shoot)).repeat(1_000));
  many.read();
  await expect.poll(many.closed).toBe(true);
  for (let count = 0; count < 20; count += 1) expect((await fetch(`${url}/about`)).status).toBe(200);
  expect((await reader(port, '/events')).head).toContain('200 OK');
});

test('9.7 while the whole journal is searched by many at once, the event loop goes on', async () => {
  const { history, take } = liveProcess({ memoryChapterBytes: 20_000 });
  take(ofShoots(story, 5).filter(({ event }) => event.type !== 'ended'));
  const span = { from: 0, until: Infinity, most: 5_000 };
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => history.turnsOf({ kind: 'shoot', subject: `shoot--${index % 5}` }, span)),
  );
  clearImmediate(next);
  // One chapter is unpacked in one turn of the loop, at most.
  expect(turns).toBeGreaterThan(100);
});
