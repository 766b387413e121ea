import { describe, expect, test } from 'vitest';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';
import { live } from '../life.ts';
import { begun, prober, shoot } from '../made-up.ts';
import { OpenRequests } from '../open-requests.ts';
import type { Scene } from '../scene.ts';
import { quietPlan } from '../seed-plan.ts';
import { BoundsAccount } from './bounds-account.ts';
import { boundsOfTheGone } from './bounds-of-the-gone.ts';
import { bounds, boundsOfMemory, boundsOfQueues, type Bound, type ProcessSeen } from './bounds.ts';

const service = `${shoot}/etcd-main-client`;

function turn(subject: string, event: object, commands: readonly string[] = [], more: object = {}): Turn {
  const kind = subject === shoot ? 'shoot' : 'weeder';
  return { kind, subject, event, commands: commands.map((type) => ({ type, params: {} })), ...more } as never;
}

/** A machine that lives, and has commanded this and had no answer. */
function working(commands: readonly string[], subject = shoot): Partial<ProcessSeen> {
  const account = new BoundsAccount();
  account.hear(turn(subject, { type: 'started' }, commands), 0);
  return { account, role: subject === shoot ? 'prober' : 'weeder' };
}

const times = <Value>(count: number, one: Value): Value[] => Array.from({ length: count }, () => one);

function opened(count: number, url: string, to?: string): Partial<ProcessSeen> {
  const open = new OpenRequests();
  for (let one = 0; one < count; one += 1)
    open.begin({ method: 'GET', url: url.replace('N', `${one}`), headers: {} }, to);
  return { process: { sleeping: 0, pools: 0, open } };
}

/** By the bound, how many there may be of a prober with two streams and one dependant, which elects; and one that has so many. */
const table: Readonly<Record<string, readonly [most: number, having: (count: number) => Partial<ProcessSeen>]>> = {
  'deletions of one service': [10, (count) => working(times(count, 'deletePod'), service)],
  'questions of one machine of the same kind': [4, (count) => working(times(count, 'probe'))],
  'writes and reads of the dependants of one machine': [4, (count) => working(times(count, 'scale'))],
  'milliseconds for which a command waits for its answer': [120_000, (now) => ({ ...working(['read']), now })],
  'requests to the seed': [4, (count) => opened(count, '/api/v1/secrets')],
  'requests to one shoot': [1, (count) => ({ ...working(['probe']), ...opened(count, '/version', shoot) })],
  'watches on the same thing': [1, (count) => opened(count, '/api/v1/pods?watch=true&resourceVersion=N')],
  watches: [3, (count) => opened(count, '/api/v1/pods/N?watch=true')],
  'pools of connections': [4, (pools) => ({ process: { sleeping: 0, pools, open: new OpenRequests() } })],
  // 10 of any process, 2 of the election, and 2 of each stream.
  timers: [17, (sleeping) => ({ process: { sleeping, pools: 0, open: new OpenRequests() } })],
};

function exceeds(bound: Bound, more: Partial<ProcessSeen>): boolean {
  const seen: ProcessSeen = {
    now: 0,
    role: 'prober',
    process: { sleeping: 0, pools: 0, open: new OpenRequests() },
    account: new BoundsAccount(),
    streams: 2,
    begun: 2,
    isElecting: true,
    dependants: 1,
    isSettled: false,
    ...more,
  };
  return [...bound.figures(seen)].some(({ is, most }) => is > most);
}

const all = [...boundsOfQueues, ...boundsOfMemory];

test.each(all.map((bound) => [bound.of, bound] as const))('as many %s as there may be, and one more', (of, bound) => {
  const [most, having] = table[of] ?? [NaN, () => ({})];
  expect([exceeds(bound, having(most)), exceeds(bound, having(most + 1))]).toEqual([false, true]);
});

describe('what a process is worth, by its turns', () => {
  test('an answer ends its command; what a machine that has ended has sent goes on for a while', () => {
    const account = new BoundsAccount();
    account.hear(turn(shoot, { type: 'started' }, ['read', 'read', 'wake']), 0);
    account.hear(turn(shoot, { type: 'read.answered' }), 1_000);
    expect([account.underWay(['read', 'wake']), account.oldest(), account.awaited(2_000)]).toEqual([1, 0, 1]);
    account.resumed(5_000);
    expect([account.oldest(), account.awaited(6_000)]).toEqual([5_000, 0]);
    account.hear(turn(shoot, { type: 'ended', because: 'gone' }), 10_000);
    expect([account.underWay(['read']), account.outlived(30_000), account.outlived(50_000)]).toEqual([0, 1, 0]);
  });

  test('7.2 windows of one namespace have one watch on its pods', () => {
    const account = new BoundsAccount();
    for (const name of ['a/one', 'a/two', 'b/one', 'c/one'])
      account.hear(turn(name, { type: 'started' }, [], { to: name === 'c/one' ? 'settled' : 'recovering' }), 0);
    expect(account.openNamespaces()).toBe(2);
  });
});

/** What the law says of a quiet life in which something is left to grow after a minute. */
async function living(grow: (process: NonNullable<Parameters<typeof bounds.begin>[0]['slots'][0]['process']>) => void) {
  const { broken, judged } = await live(quietPlan, {
    laws: [bounds],
    async conduct(scene, passTo) {
      await passTo(60_000);
      for (const { process } of scene.slots) if (process !== undefined) grow(process);
      await passTo(80_000);
    },
  });
  return broken?.why ?? Object.keys(judged).length;
}

test('timers and connections that nobody ends are seen in a life', async () => {
  expect(await living(() => undefined)).toBeGreaterThan(5);
  const timers = await living(({ clock }) => times(20, 0).forEach(() => clock.wakeAt(Infinity).subscribe()));
  expect(timers).toContain('timers, and');
  expect(await living((process) => void (process.pools += 1))).toContain('3 pools of connections, and 2 at most');
});

/** A process to which this happened at 0, a look each second until the end, and then the last look; undefined where nothing is wrong. */
async function left(
  until: number,
  {
    events,
    shoots,
    text,
    watches = ['/apis/a/v1/clusters'],
  }: { events: object[]; shoots: string[]; text: string; watches?: string[] },
): Promise<string | undefined> {
  let now = 0;
  const process = {
    name: prober,
    isPaused: false,
    open: { watches: new Map(watches.map((path) => [path, 1])) },
    metrics: async () => text,
  };
  const seed = { shoots: shoots.map((one) => ({ name: one })) };
  const scene = { now: () => now, plan: { asleep: 0 }, slots: [{ process }], seed };
  const law = begun(boundsOfTheGone, scene as unknown as Scene);
  for (const event of events)
    law.hear({ at: 0, kind: 'turn', process: prober, turn: { subject: shoot, event } } as never);
  for (; now < until; now += 1_000) {
    const why = law.look();
    if (why !== undefined) return why;
    await Promise.resolve();
  }
  return law.quiet();
}

const started = { type: 'started' };
const gone = { type: 'ended', because: 'gone' };
const series = `dwd_shoot_state{shoot="${shoot}",state="probing"} 1`;

test('7.2 a machine that lives on without its shoot, unless its process cannot know', async () => {
  const living = { events: [started], text: series };
  expect(await left(300_000, { ...living, shoots: [shoot] })).toBe(undefined);
  expect(await left(150_000, { ...living, shoots: [] })).toBe(undefined);
  expect(await left(300_000, { ...living, shoots: [] })).toContain('its machine lives');
  expect(await left(300_000, { ...living, shoots: [], watches: [] })).toBe(undefined);
});

test('9.2 series of a shoot that is gone, soon after it and at the end', async () => {
  const departed = { events: [started, gone], shoots: [] };
  expect(await left(30_000, { ...departed, text: 'dwd_probes_active 0' })).toBe(undefined);
  expect(await left(30_000, { ...departed, text: series })).toContain('has series of');
  expect(await left(30_000, { ...departed, events: [started, gone, started], text: series })).toBe(undefined);
  expect(await left(0, { events: [], shoots: [], text: series })).toContain('has series of');
  const weeded = 'dwd_pods_weeded_total{namespace="a",service="b"} 1';
  expect(await left(0, { events: [], shoots: [], text: weeded })).toContain('has series of a/b');
});
