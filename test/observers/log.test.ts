import { expect, test } from 'vitest';
import { createLog, type LogLevel } from '../../src/adapters/record/log/log.ts';
import type { ShootTurn, Turn } from '../../src/effects/turn.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { controllerManager, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { scaleOf } from '@dwd/testing/shoot-driver.ts';
import { calmShoot, meltdown, apiserver, recovery } from '@dwd/testing/recorded-nights.ts';
import { pod, WeederStage } from '@dwd/testing/weeder-stage.ts';
import { linesOf, named } from '@dwd/testing/heard-io.ts';

const clock = { now: () => 1_790_000_000_123.5 };

const logOf = (turns: readonly Turn[], level: LogLevel = 'info') => linesOf(turns, level, clock);

const story = await meltdown();

test('9.4 a line is JSON with level, time, message and fields, and nothing of this machine; a field that is null is left out', () => {
  const lines: string[] = [];
  createLog({ level: 'info', clock, write: (line) => void lines.push(line) }).info('said', {
    shoot: 'a',
    to: null,
    from: undefined,
  });
  expect(lines).toEqual(['{"level":"info","ts":"2026-09-21T14:13:20.123Z","shoot":"a","msg":"said"}\n']);
});

const begin = (level: string) => `{"level":"${level}","ts":"2026-09-21T14:13:20.123Z",`;

test('9.4 whatever a field is called or holds, a line is one JSON with one level, time and message, and its message is no format', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', clock, write: (line) => void lines.push(line) });
  const circular: { self?: unknown } = {};
  circular.self = circular;
  log.info('100 %s of %d', { level: 'mine', ts: 1, msg: 'mine too' });
  log.warn('odd', { big: 10n, circular, text: 'a "b"\n\u0001\ud800', not: Number.NaN });
  log.error('failed', { error: new Error('why %s'), err: 'Bearer abcdefghijklmnopqrst' });
  log.debug('not written');
  expect(lines.map((line) => line.replace(/\\n {4}at [^"]*/, ''))).toEqual([
    `${begin('info')}"level_":"mine","ts_":1,"msg_":"mine too","msg":"100 %s of %d"}\n`,
    `${begin('warn')}"big":10,"circular":{"self":"[Circular]"},"text":"a \\"b\\"\\n\\u0001\\ud800","not":null,"msg":"odd"}\n`,
    `${begin('error')}"error":"Error: why %s","err":"Bearer [hidden]","msg":"failed"}\n`,
  ]);
  expect(['debug', 'info', 'fatal'].map((level) => log.writes(level as LogLevel))).toEqual([false, true, true]);
});

test('9.4 each field has one type in all lines: stores that keep types would refuse the others', async () => {
  const guarded = await calmShoot();
  guarded.world.edit(controllerManager.key, { replicas: 0, mark: true, record: 'two' });
  await guarded.pass(120_000);
  const lines = logOf([...story, ...(await recovery()), ...guarded.turns], 'debug');
  const types = new Map<string, Set<string>>();
  for (const [field, value] of lines.flatMap((line) => Object.entries(line)))
    types.set(field, (types.get(field) ?? new Set()).add(Array.isArray(value) ? 'array' : typeof value));
  expect(lines.map(({ line }) => line)).toContain('recorded replicas unreadable');
  expect([...types].filter(([, all]) => all.size > 1)).toEqual([]);
});

test('9.4 a line for each change of state, with the numbers that led to it', () => {
  // A pause has a line of its own.
  const changes = story.filter(({ from, to }) => from !== undefined && from !== to && to !== 'idle');
  const lines = named(logOf(story), 'state changed');
  expect(lines.map(({ from, to }) => `${String(from)} ${String(to)}`)).toEqual(
    changes.map(({ from, to }) => `${from} ${to}`),
  );
  expect(lines.find(({ to }) => to === 'scalingDown')).toMatchObject({
    shoot: 'shoot--sim--one',
    verdict: 'cutOff',
    expired: 3,
    candidates: 5,
  });
});

test('9.4 a line for each write, with its outcome', () => {
  const lines = named(logOf(story), 'written');
  expect(lines).toHaveLength(story.flatMap(({ commands }) => commands.filter(({ type }) => type === 'scale')).length);
  expect(lines[0]).toMatchObject({
    resource: 'apps/v1/Deployment/machine-controller-manager',
    outcome: 'written',
    fromReplicas: 2,
    toReplicas: 0,
    mark: true,
    record: 2,
    tookMs: 4,
  });
});

test('9.4 6.8 a write that fails is an error with its reason, once until it is taken, however often it is tried', async () => {
  const guarded = await calmShoot();
  guarded.world.writing = 'refused';
  guarded.world.cutOff();
  await guarded.pass(600_000);
  const failed = () => named(logOf(guarded.turns), 'write failed').filter(({ level }) => level === 'error');
  expect(failed()[0]).toMatchObject({ outcome: 'failed', detail: 'the seed said no', toReplicas: 0 });
  expect(failed()).toHaveLength(3);
  guarded.world.writing = 'fine';
  await guarded.pass(60_000);
  guarded.world.heal();
  guarded.world.writing = 'refused';
  await guarded.pass(120_000);
  expect(failed().length, 'the way up is another trouble').toBe(4);
});

test('9.4 a calm shoot is silent', async () => {
  const guarded = new GuardedWorld(gardenerConfig);
  await guarded.pass(40_000);
  const before = guarded.turns.length;
  await guarded.pass(3_600_000);
  expect(guarded.turns.length - before).toBeGreaterThan(100);
  expect(logOf(guarded.turns).length).toBe(logOf(guarded.turns.slice(0, before)).length);
});

test('9.4 the log says when a shoot’s probes begin to fail, and when they are answered again', () => {
  const lines = logOf(story);
  const failures = story.filter(({ event }) => event.type === 'probe.failed').length;
  expect(failures).toBeGreaterThan(2);
  expect(named(lines, 'probe fails')).toHaveLength(1);
  expect(named(lines, 'probe fails')[0]).toMatchObject({
    level: 'warn',
    stage: 'version',
    reason: 'unreachable',
    detail: 'the shoot is down',
  });
  expect(named(lines, 'probe tells again')).toHaveLength(1);
  expect(named(lines, 'probe tells again')[0]).toMatchObject({ level: 'info', failures });
});

test('5.3 9.4 the only node is cut off: the log says that one is too few to tell, once each time', async () => {
  const guarded = new GuardedWorld(gardenerConfig, 1);
  await guarded.pass(120_000);
  for (let time = 0; time < 2; time++) {
    guarded.world.cutOff();
    await guarded.pass(200_000);
    guarded.world.heal();
    await guarded.pass(100_000);
  }
  expect(named(logOf(guarded.turns), 'too few candidates to tell')).toMatchObject([
    { verdict: 'tooFew', expired: 1, candidates: 1 },
    { verdict: 'tooFew', expired: 1, candidates: 1 },
  ]);
});

test('5.1 5.5 9.4 leases that something is wrong with are named once, and it is said when that is over', async () => {
  const guarded = new GuardedWorld(gardenerConfig);
  for (const node of guarded.world.nodes) node.view = { ...node.view, trueConditions: ['Ready'] };
  guarded.world.nodes[1]!.clockBehind = -60_000;
  guarded.world.cutOff(1);
  await guarded.pass(900_000);
  guarded.world.nodes[1]!.clockBehind = 0;
  guarded.world.heal();
  await guarded.pass(900_000);
  const lines = logOf(guarded.turns).filter(({ msg }) => msg.includes('lease'));
  expect(lines.map(({ level, shoot, leases, msg }) => [level, shoot, leases, msg.replace(/\d\.\d s/, 'N s')])).toEqual([
    [
      'warn',
      'shoot--sim--one',
      1,
      'shoot--sim--one: 1 lease is ahead of the time: node-1 by 5N s; they are judged by when they were seen to move. Check the clocks of the nodes',
    ],
    [
      'warn',
      'shoot--sim--one',
      1,
      'shoot--sim--one: nobody renews 1 lease, though the nodes are Ready: node-0 for 2m03s. Check whether the machines run, whether their kubelets may renew leases, and whether the kube-controller-manager works',
    ],
    ['info', 'shoot--sim--one', undefined, 'shoot--sim--one: the leases of all Ready nodes are renewed again'],
    ['info', 'shoot--sim--one', undefined, 'shoot--sim--one: no lease is ahead of the time any more'],
  ]);
});

test('6.8 9.4 a missing dependant is logged once, until it is found again', async () => {
  const guarded = await calmShoot();
  guarded.world.edit(controllerManager.key, { exists: false });
  guarded.world.cutOff();
  await guarded.pass(200_000);
  guarded.world.edit(controllerManager.key, { exists: true });
  await guarded.pass(60_000);
  const lines = logOf(guarded.turns);
  expect(named(lines, 'dependant missing')).toHaveLength(1);
  expect(named(lines, 'dependant missing')[0]).toMatchObject({
    level: 'warn',
    resource: controllerManager.key,
  });
  expect(named(lines, 'dependant found again')).toHaveLength(1);
});

test('9.4 a bug is logged with the event that met it and the last turns', () => {
  const upTo = story.slice(0, 30);
  const last = upTo.at(-1)!;
  const bug: ShootTurn = {
    ...last,
    event: { type: 'ended', at: last.at, because: 'bug', error: 'Error: x\n at y', during: { type: 'woken', at: 1 } },
  };
  const [line] = named(logOf([...upTo, bug]), 'bug');
  expect(line).toMatchObject({
    level: 'error',
    shoot: last.subject,
    error: 'Error: x\n at y',
    event: 'its wait is over',
  });
  const lastTurns = line!['lastTurns'] as readonly string[];
  expect(lastTurns).toHaveLength(8);
  expect(lastTurns.at(-1)).toContain(last.event.type);
});

test('9.4 DEBUG adds every turn; ERROR leaves out all but errors; PANIC leaves out everything', () => {
  expect(named(logOf(story, 'debug'), 'turn')).toHaveLength(story.length);
  expect(named(logOf(story, 'info'), 'turn')).toHaveLength(0);
  expect(logOf(story, 'error')).toEqual([]);
  const refused: ShootTurn = { ...story.find(({ event }) => event.type === 'scale.answered')! };
  const failed: ShootTurn = {
    ...refused,
    event: {
      type: 'scale.answered',
      at: 1,
      askedAt: 1,
      asked: scaleOf(controllerManager),
      answer: { outcome: 'failed', detail: 'no' },
    },
  };
  expect(logOf([failed], 'error').map(({ level }) => level)).toEqual(['error']);
  expect(logOf([failed], 'fatal')).toEqual([]);
});

const weeded = await recovery();
const ofApiserver = { namespace: 'shoot--sim--one', service: 'kube-apiserver' };

test('9.4 7.2 a line for each change of a service’s state, with the numbers of its window', () => {
  const lines = named(logOf(weeded), 'state changed');
  expect(lines.map(({ from, to, window }) => [from, to, window].join(' '))).toEqual([
    'down recovering opened',
    'recovering settled closed',
    'settled down ',
    'down recovering opened',
    'recovering relapsed ',
    'relapsed recovering extended',
    'recovering settled closed',
    'settled down ',
    'down recovering opened',
    'recovering down closed',
  ]);
  expect(lines[3]).toMatchObject({
    ...ofApiserver,
    level: 'info',
    ready: 1,
    endpoints: 2,
    windowEndsAt: '1970-01-01T00:27:50.000Z',
  });
  expect(lines[6]).toMatchObject({ ...ofApiserver, deleted: 15, left: 0, held: 2 });
});

test('9.4 7.3 a line for each deletion and what came of it', () => {
  const lines = logOf(weeded);
  expect(named(lines, 'pod deleted')).toHaveLength(15);
  expect(named(lines, 'pod deleted')[0]).toEqual({
    level: 'info',
    ts: '2026-09-21T14:13:20.123Z',
    ...ofApiserver,
    pod: 'kcm',
    uid: 'uid-kcm',
    containers: ['kcm-container'],
    tookMs: 40,
    line: 'pod deleted',
    msg: 'deleted pod kcm of shoot--sim--one: kcm-container in CrashLoopBackOff',
  });
  expect(named(lines, 'deletion came to nothing')).toEqual([
    expect.objectContaining({ ...ofApiserver, pod: 'late', outcome: 'withdrawn', containers: ['late-container'] }),
  ]);
});

test('9.4 7.3 the log says when deletions begin to fail, and when one succeeds again', () => {
  const lines = logOf(weeded);
  expect(named(lines, 'deletions fail')).toEqual([
    expect.objectContaining({ level: 'error', pod: 'scheduler', reason: '500', detail: 'the seed is ill' }),
  ]);
  expect(named(lines, 'deletions succeed again')).toEqual([expect.objectContaining({ ...ofApiserver, failures: 2 })]);
});

test('9.4 7.3 a window that leaves pods in CrashLoopBackOff is a warning, and says how many deletions failed', async () => {
  const stage = new WeederStage(apiserver);
  await stage.pass(1_000);
  stage.answer = () => ({ outcome: 'throttled' });
  stage.sees(apiserver, pod('kcm'));
  await stage.pass(310_000);
  const closed = stage.turns.length;
  const failures = stage.turns.filter(({ event }) => event.type === 'deletion.answered').length;
  expect(failures).toBeGreaterThan(5);
  expect(named(logOf(stage.turns), 'deletions fail')).toEqual([expect.objectContaining({ reason: '429' })]);
  expect(named(logOf(stage.turns), 'state changed').at(-1)).toMatchObject({
    level: 'warn',
    window: 'closed',
    deleted: 0,
    left: 1,
    failures,
  });

  // The log reports failures in the next window anew.
  stage.ready(apiserver, 0);
  stage.ready(apiserver, 1);
  stage.sees(apiserver, pod('kcm'));
  await stage.pass(10_000);
  expect(stage.turns.length).toBeGreaterThan(closed);
  expect(named(logOf(stage.turns), 'deletions fail')).toHaveLength(2);
});

test('9.4 endpoints that come and go, and pods that need nothing, are silent', async () => {
  const stage = new WeederStage(apiserver);
  await stage.pass(310_000);
  const before = logOf(stage.turns).length;
  for (const ready of [2, 1, 2, 1]) {
    stage.ready(apiserver, ready);
    await stage.pass(60_000);
  }
  expect(stage.turns.length).toBeGreaterThan(5);
  expect(logOf(stage.turns)).toHaveLength(before);
});
