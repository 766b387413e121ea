import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { statelyDoor, type StatelyCut } from '../../serve/stately-door.ts';
import { statelyChoice } from '../../serve/stately-messages.ts';
import { cutOff, greeted, knock, reader, serving } from './stately-readers.ts';

async function opened() {
  const cuts: StatelyCut[] = [];
  const faults: unknown[] = [];
  const upgrade = statelyDoor({
    begin(query) {
      statelyChoice(query);
      return (reader) => (query.has('service') ? Promise.reject(new Error('a bug')) : reader.deliver('hello'));
    },
    onCut: (why) => cuts.push(why),
    onFault: (error) => faults.push(error),
  });
  return { ...(await serving(upgrade)), cuts, faults };
}

const foreign = '403 a page from elsewhere may not read this';

test.each([
  ['no page at all', undefined, 'open'],
  ['a page of this very address', 'http://127.0.0.1:PORT', 'open'],
  ['a page that this machine serves', 'http://localhost:5173', 'open'],
  ['the same by its number', 'http://127.0.0.2:8080', 'open'],
  ['the same by its IPv6 number', 'http://[::1]:8080', 'open'],
  ['a page from elsewhere', 'https://example.org', foreign],
  ['a page from elsewhere, by its number', 'http://192.0.2.7', foreign],
  ['a page whose name begins like ours', 'http://localhost.example.org', foreign],
  ['a page whose name begins like our number', 'http://127.0.0.1.example.org', foreign],
  ['a page that hides where it is from', 'null', foreign],
])('9.7 %s is answered: %s %s', async (_, origin, expected) => {
  const { url, port } = await opened();
  const answer = await knock(url, origin === undefined ? {} : { origin: origin.replace('PORT', String(port)) });
  expect(answer instanceof WebSocket ? 'open' : answer).toBe(expected);
});

test('9.7 what was meant for another host is refused, as for the page', async () => {
  const { url } = await opened();
  expect(await knock(url, { host: 'rebound.example.org' })).toBe('421 not this host');
});

test('9.7 a query that cannot be read is refused with what is expected, as a reason that a client shows', async () => {
  const { url } = await opened();
  expect(await greeted(`${url}?shoots=a`)).toBe('1008 nothing is called shoots here; there is shoot, service');
  const many = Array.from({ length: 101 }, (_, index) => `shoot=${index}`).join('&');
  expect(await greeted(`${url}?${many}`)).toBe('1008 at most 100 machines are told at once');
  // A reason has 123 bytes.
  expect(await greeted(`${url}?${'é'.repeat(200)}`)).toMatch(/^1008 nothing is called é{20,}…$/);
});

test('9.7 eight may read at once; who leaves makes room, and who is refused takes none', async () => {
  const { url } = await opened();
  await greeted(`${url}?nothing`);
  const readers = await Promise.all(Array.from({ length: 8 }, () => knock(url)));
  expect(readers.every((one) => one instanceof WebSocket)).toBe(true);
  expect(await greeted(url)).toBe('1013 8 readers are here already');
  const [first] = readers;
  if (!(first instanceof WebSocket)) throw new Error('refused');
  const gone = cutOff(first);
  first.close();
  await gone;
  await expect.poll(() => greeted(url)).toBe('hello');
});

test('9.7 a reader who speaks is cut, and one who speaks at length', async () => {
  const { url, cuts } = await opened();
  const one = await reader(url);
  one.send('change something');
  expect(await cutOff(one)).toBe('1003 nothing is taken here');
  expect(cuts).toEqual(['spoke']);
  const loud = await reader(url);
  loud.send('x'.repeat(2_000));
  expect(await cutOff(loud)).toMatch(/^1009/);
});

test('9.7 a bug of ours ends the reader, and is told', async () => {
  const { url, faults } = await opened();
  const one = await reader(`${url}?service=a/b`);
  expect(await cutOff(one)).toMatch(/^1006/);
  expect(faults).toEqual([new Error('a bug')]);
});

test('9.7 the server ends although somebody reads, and cuts the reader', async () => {
  const { url, close } = await opened();
  const one = await reader(url);
  const cut = cutOff(one);
  await close();
  expect(await cut).toMatch(/^1006/);
});

test('9.7 elsewhere the wish to upgrade is ignored', async () => {
  const { port } = await opened();
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /hello HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade, close\r\nupgrade: h2c\r\n\r\n');
  const [answer] = (await socket.take(1).toArray()) as Buffer[];
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK/);
});

test('9.7 pings are answered, but not without bound to a reader that takes nothing', async () => {
  const { url, port, cuts } = await opened();
  const polite = await reader(url);
  const pong = new Promise((resolve) => void polite.once('pong', (told) => resolve(String(told))));
  polite.ping('there?');
  expect(await pong).toBe('there?');

  const flood = connect(port, '127.0.0.1');
  onTestFinished(() => void flood.destroy());
  flood.on('error', () => undefined).pause();
  const key = Buffer.alloc(16).toString('base64');
  flood.write(
    `GET /stately HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`,
  );
  // 125 bytes, masked with zeros.
  const ping = Buffer.concat([Buffer.from([0x89, 0x80 + 125, 0, 0, 0, 0]), Buffer.alloc(125)]);
  const many = Buffer.concat(Array.from({ length: 2_000 }, () => ping));
  while (cuts.length === 0 && !flood.destroyed) await new Promise((sent) => void flood.write(many, sent));
  expect(cuts).toEqual(['tooSlow']);
});

test('9.7 who is refused, and keeps its side open, keeps no place', async () => {
  const { url, port } = await opened();
  const asked = 'GET /stately?nothing HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
  for (let count = 0; count < 8; count += 1) {
    const half = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => void half.destroy());
    half
      .on('error', () => undefined)
      .resume()
      .write(asked);
    await new Promise((ended) => void half.once('end', ended));
  }
  await expect.poll(() => greeted(url)).toBe('hello');
});
