import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Episodes, Shoots, Turns } from '../../wire/wire.ts';
import { machineReplay } from '../../journal/machine-replay.ts';
import { pureMachines, type ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { JournalTurnOf } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import { asShoot, writeNight } from '@dwd/testing/journal-driver.ts';
import { meltdown, recovery } from '@dwd/testing/recorded-nights.ts';
import { asked, emptyDir, historyOf, inspected, reader, recordedHistory } from './inspected.ts';

const story = await meltdown();
const one = 'shoot--dev--one';
const calm = asShoot(story.slice(0, 12), 'shoot--dev--calm');
const all = [...asShoot(story, one), ...calm];

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

test('9.7 every answer forbids that anything else is loaded, and that another page reads or frames it', async () => {
  const { url } = await inspected(await recordedHistory(all));
  for (const path of [
    '/',
    '/page.js',
    '/page.css',
    '/runbooks',
    '/about',
    '/shoots',
    `/shoots/${one}/turns`,
    '/episodes',
    '/shoots/no/turns',
  ]) {
    const answer = await fetch(`${url}${path}`);
    const given = Object.fromEntries(answer.headers);
    expect(given).toMatchObject(headers);
    expect([given['set-cookie'], given['access-control-allow-origin']]).toEqual([undefined, undefined]);
    await answer.arrayBuffer();
  }
});

test('9.7 the page is packed for who takes that, and plain for others', async () => {
  const { url, port } = await inspected(await recordedHistory(all));
  const plain = await fetch(`${url}/page.js`, { headers: { 'accept-encoding': 'gzip;q=0' } });
  expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, 'script']);
  expect(await asked(port, '/page.css', { 'accept-encoding': 'br, gzip' })).toBe(200);
  const head = await fetch(`${url}/`, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
  expect(head.headers.get('content-encoding')).toBe('gzip');
});

test('9.7 what is read, by whom, and what came of taking it again', async () => {
  const { json } = await inspected(await recordedHistory(all));
  expect(await json('/about')).toMatchObject({
    version: '1.2.3',
    live: false,
    turns: all.length,
    firstAt: story[0]!.at,
    lastAt: story.at(-1)!.at,
    runs: [{ program: 'dependency-watchdog prober', version: '0.1.0', journal: 1 }],
    // The last turn of the one only says that it ended.
    replayed: { checked: all.length - 1, withoutBeginning: 0, differences: [] },
    problems: [],
  });
});

test('9.7 each machine has a row, by its last turn; one that ended has none', async () => {
  const { json } = await inspected(await recordedHistory(all));
  const { shoots } = (await json('/shoots')) as Shoots;
  expect(shoots.map(({ shoot, state }) => [shoot, state])).toEqual([['shoot--dev--calm', calm.at(-1)!.to]]);
  expect(shoots[0]).toMatchObject({
    lastAt: calm.at(-1)!.at,
    since: expect.any(Number),
    candidates: expect.any(Number),
  });
  expect(await json('/services')).toMatchObject({ services: [] });
});

test('9.7 the turns of one machine, oldest first, as the journal has them, each with its run', async () => {
  const { json } = await inspected(await recordedHistory(all));
  const { turns, earlier, later } = (await json(`/shoots/${one}/turns`)) as Turns;
  expect([turns.length, earlier, later]).toEqual([story.length, false, false]);
  expect(turns.map(({ at }) => at)).toEqual(story.map(({ at }) => at));
  expect(new Set(turns.map(({ subject, run }) => `${subject} ${run}`)).size).toBe(1);
});

test('9.7 a part of the turns begins with the snapshot that a replay needs, and comes out as recorded', async () => {
  const { json } = await inspected(await recordedHistory(all));
  const [from, until] = [story[40]!.at, story[80]!.at];
  for (const query of [
    `from=${from}&until=${until}`,
    `from=${new Date(from).toISOString()}&until=${until}`,
    'most=7',
  ]) {
    const { turns, earlier } = (await json(`/shoots/${one}/turns?${query}`)) as Turns;
    expect(earlier).toBe(true);
    expect(turns[0]!.before).toBeDefined();
    expect(outcomes(turns)).not.toContainEqual(expect.stringMatching(/differs|no beginning/));
  }
  const part = (await json(`/shoots/${one}/turns?from=${from}&until=${until}`)) as Turns;
  expect(part.later).toBe(true);
  expect(part.turns.map(({ at }) => at)).toEqual(story.map(({ at }) => at).filter((at) => at >= from && at <= until));
  const youngest = (await json(`/shoots/${one}/turns?most=7`)) as Turns;
  expect(youngest.turns.map(({ at }) => at)).toEqual(story.slice(-7).map(({ at }) => at));
  expect(youngest.later).toBe(false);
  const none = (await json(`/shoots/${one}/turns?until=1`)) as Turns;
  expect(none).toEqual({ turns: [], earlier: false, later: true });
});

function outcomes(turns: Turns['turns']): readonly string[] {
  const courses = machineReplay(pureMachines.shoot);
  return turns.map((turn) => courses.take(turn as JournalTurnOf<ShootLanguage>, 0).outcome);
}

async function recoveryWithoutEnd() {
  return (await recovery()).filter(({ event }) => event.type !== 'ended');
}

test('9.7 services are found by namespace and name', async () => {
  const { json } = await inspected(await recordedHistory(await recoveryWithoutEnd(), 'weeder'));
  const { services } = (await json('/services')) as { services: { service: string }[] };
  expect(services.length).toBeGreaterThan(0);
  const { turns } = (await json(`/services/${services[0]!.service}/turns?most=3`)) as Turns;
  expect(turns.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(
    Array(3).fill(`weeder ${services[0]!.service}`),
  );
  const { episodes } = (await json('/recoveries')) as Episodes;
  expect(episodes.map(({ kind }) => kind)).toContain('recovery');
});

test('9.7 what happened, of one shoot, and of a time', async () => {
  const { json } = await inspected(await recordedHistory(all));
  const kinds = async (path: string) => ((await json(path)) as Episodes).episodes.map(({ kind }) => kind);
  const [outage] = ((await json('/outages')) as Episodes).episodes;
  expect(outage).toMatchObject({ kind: 'outage', subject: one, turn: { subject: one, run: expect.any(String) } });
  expect(await kinds('/episodes')).toContain('outage');
  expect(await kinds('/outages?shoot=shoot--dev--calm')).toEqual([]);
  expect(await kinds(`/outages?shoot=${one}&since=${outage!.beganAt}`)).toEqual(['outage']);
  expect(await kinds(`/outages?since=${outage!.endedAt! + 1}`)).toEqual([]);
  expect(await kinds(`/outages?until=${outage!.beganAt - 1}`)).toEqual([]);
});

test.each([
  ['/shoots/nobody/turns', 404, 'no event of nobody is recorded'],
  [`/shoots/${one}/turns?from=yesterday`, 400, 'from must be milliseconds since 1970, an instant such as'],
  [`/shoots/${one}/turns?most=0`, 400, 'most must be a number from 1 to 5000'],
  [`/shoots/${one}/turns?most=5001`, 400, 'most must be a number from 1 to 5000'],
  [`/shoots/${one}/turns?until=2026-13-40T00:00:00Z`, 400, 'until must be'],
  ['/episodes?since=-5m', 400, 'since must be'],
  ['/episodes?from=5m', 400, 'nothing is called from here; there is since, until, shoot'],
  ['/shoots?x=1', 400, 'nothing is called x here; there is nothing to ask'],
  ['/about?most=1', 400, 'nothing is called most here; there is nothing to ask'],
  [`/shoots/${one}/turns?since=5m`, 400, 'nothing is called since here; there is from, until, most'],
  [`/shoots/${one}`, 404, 'not found'],
  [`/shoots/${one}/turns/`, 404, 'not found'],
  ['/shoots//turns', 404, 'not found'],
  ['/services/only/turns', 404, 'not found'],
  ['/shoots/a/b/turns', 404, 'not found'],
  ['/shoots/%E0%A4%A/turns', 404, 'not found'],
  ['/shoots/%2e%2e%2fjournal/turns', 404, 'no event of ../journal is recorded'],
  ['/page.js/..', 200, 'html'],
  [
    '/stately',
    426,
    "a WebSocket is served here, in the messages of Stately's inspector: ws://ADDRESS/stately?shoot=NAMESPACE",
  ],
])('9.7 %s is answered with %i', async (path, status, says) => {
  const { url } = await inspected(await recordedHistory(all));
  const answer = await fetch(`${url}${path}`);
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(says)]);
});

test.each([
  '/../src/main.ts',
  '/..%2f..%2fetc%2fpasswd',
  '//page.js',
  '/page.js%00',
  '/__proto__',
  '/constructor',
  '/shoots/__proto__/turns',
])('9.7 the path %s leads nowhere', async (path) => {
  const { port, faults } = await inspected(await recordedHistory(all));
  expect(await asked(port, path, { host: 'localhost' })).toBe(404);
  expect(faults).toEqual([]);
});

test('9.7 all of it is refused to a page that made its own name point here (DNS rebinding)', async () => {
  const { port } = await inspected(await recordedHistory(all));
  for (const path of ['/', '/about', '/events', `/shoots/${one}/turns`, '/nothing'])
    expect(await asked(port, path, { host: `evil.example.org:${port}` })).toBe(421);
});

test.each(['<img src=x onerror=alert(1)>', 'a/b', '../..', 'täglich %20', '"quoted\\"', '🚀', ' '])(
  '9.7 a shoot may be called %j',
  async (name) => {
    const { json } = await inspected(await recordedHistory(asShoot(story.slice(0, 30), name)));
    const { shoots } = (await json('/shoots')) as Shoots;
    expect(shoots.map(({ shoot }) => shoot)).toEqual([name]);
    const { turns } = (await json(`/shoots/${encodeURIComponent(name)}/turns?most=10`)) as Turns;
    expect(turns.map(({ subject }) => subject)).toEqual(Array(10).fill(name));
    expect(turns[0]!.before).toBeDefined();
  },
);

test('9.7 what is damaged or no journal is said, and the rest is shown', async () => {
  const dir = emptyDir();
  await writeNight('prober', dir, all);
  const [name] = readdirSync(dir);
  appendFileSync(join(dir, name!), 'no json\n{"seq":');
  const history = await historyOf(dir);
  expect(history.about().problems).toEqual([
    expect.stringMatching(/line \d+ cannot be read: it is not JSON$/),
    expect.stringMatching(/line \d+ is cut off, and left out$/),
  ]);
  expect(history.about().turns).toBe(all.length);
});

test.each([
  [
    'in another order',
    (line: string) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).toReversed())),
  ],
  ['with other spaces', (line: string) => line.replace('{', '{ ').replace(/}$/, ' }')],
  ['with the line breaks of Windows', (line: string) => `${line}\r`],
])('9.7 a journal that another tool wrote anew is shown as ever: %s', async (_, change) => {
  const dir = emptyDir();
  await writeNight('prober', dir, all);
  const file = join(dir, readdirSync(dir)[0]!);
  const [header, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(file, [header, ...lines.map(change), ''].join('\n'));
  expect(await partOf(await historyOf(dir))).toEqual(await partOf(await recordedHistory(all)));
});

async function partOf(history: Awaited<ReturnType<typeof historyOf>>): Promise<unknown> {
  const part = { from: story[40]!.at, until: story[80]!.at, most: 5_000 };
  const found = await history.turnsOf({ kind: 'shoot', subject: one }, part);
  return found!.turns.map((line) => JSON.parse(line));
}

test('9.7 of files there is a stream too: it begins, and then only its heart beats', async () => {
  const { port, pace } = await inspected(await recordedHistory(all));
  const seed = await reader(port, '/events');
  await expect.poll(seed.names).toEqual(['about', 'rows', 'episodes']);
  const shoot = await reader(port, `/shoots/${one}/events?from=${story[50]!.at}`);
  const told = () => shoot.of('turns').flatMap(({ turns }) => turns);
  await expect.poll(() => told().length).toBe(story.filter(({ at }) => at >= story[50]!.at).length);
  expect(told()[0]!.before).toBeDefined();
  await pace.advanceBy(15_000);
  await expect.poll(() => seed.text().match(/^:$/gm)?.length).toBe(2);
});
