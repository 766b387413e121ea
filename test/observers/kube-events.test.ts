import { expect, test } from 'vitest';
import { kubeEvents } from '../../src/adapters/record/events/kube-events.ts';
import type { KubeClient, KubeRequest } from '../../src/adapters/kube/kube-client.ts';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import type { ShootTurn, Turn } from '../../src/effects/turn.ts';
import { present } from '@dwd/testing/views.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { calmShoot, meltdown, ofShoots, apiserver, recovery } from '@dwd/testing/recorded-nights.ts';
import { pod, WeederStage } from '@dwd/testing/weeder-stage.ts';
import { zonedShoot } from '../support/guarded-shoots.ts';

const story = await meltdown();

type Posted = Readonly<{
  metadata: Readonly<{ name: string; namespace: string }>;
  involvedObject: Readonly<Record<string, string>>;
  reason: string;
  message: string;
  type: string;
  firstTimestamp: string;
}>;

/** A seed that takes events, or answers as `fault` says. */
class EventSeed implements KubeClient {
  readonly requests: KubeRequest[] = [];
  readonly posted: Posted[] = [];
  fault: Error | 'fine' | 'hanging' = 'fine';
  /** Namespaces to which nothing may be posted. */
  closed = new Set<string>();
  atOnce = 0;
  most = 0;

  /** What it answers to the question whether events may be created everywhere, and how often it was asked. */
  allowed = true;
  reviews = 0;

  async request(request: KubeRequest): Promise<unknown> {
    if (request.path.endsWith('/selfsubjectaccessreviews')) {
      this.reviews++;
      return { status: { allowed: this.allowed } };
    }
    this.requests.push(request);
    this.most = Math.max(this.most, ++this.atOnce);
    await settled();
    const { fault } = this;
    if (fault === 'hanging') await new Promise((resolve) => request.signal?.addEventListener('abort', resolve));
    this.atOnce--;
    if (fault === 'hanging') throw new KubeError('aborted', 'cut');
    if (fault !== 'fine') throw fault;
    const event = request.body as Posted;
    if (this.closed.has(event.metadata.namespace)) throw forbidden();
    this.posted.push(event);
    return {};
  }

  pieces(): AsyncIterable<Buffer> {
    throw new Error('no list is needed for this');
  }

  lines(): AsyncIterable<unknown> {
    throw new Error('no watch is needed for this');
  }
}

function sink() {
  const seed = new EventSeed();
  const clock = new VirtualClock(1_790_000_000_000);
  const said: string[] = [];
  const dropped: string[] = [];
  const faults: unknown[] = [];
  const events = kubeEvents({
    client: seed,
    clock,
    component: 'dependency-watchdog-prober',
    say: (message) => said.push(message),
    onDropped: (reason) => dropped.push(reason),
    onFault: (error) => faults.push(error),
  });
  return {
    seed,
    clock,
    said,
    dropped,
    faults,
    events,
    tell: (turns: readonly Turn[]) => turns.forEach(events.observe),
  };
}

async function quiet(): Promise<void> {
  for (let round = 0; round < 400; round++) await settled();
}

const refused = (words: string) =>
  new KubeError('status', `create events x was answered 403 Forbidden: ${words}`, { status: 403, reason: 'Forbidden' });
const forbidden = () => refused('events is forbidden: User "u" cannot create resource "events" in API group ""');

test('9.5 every scaling has an event on the scaled resource, in the shoot’s namespace', async () => {
  const { seed, tell } = sink();
  tell(story);
  await quiet();
  expect(seed.posted.map(({ reason, involvedObject }) => `${reason} ${involvedObject['name']}`)).toEqual([
    'ScaledDown machine-controller-manager',
    'ScaledDown cluster-autoscaler',
    'ScaledDown kube-controller-manager',
    'ScaledUp kube-controller-manager',
    'ScaledUp machine-controller-manager',
    'ScaledUp cluster-autoscaler',
  ]);
  expect(seed.posted[0]).toMatchObject({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: 'shoot--sim--one' },
    involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shoot--sim--one' },
    type: 'Normal',
    message:
      "Scaled from 2 to 0 replicas: too many of the shoot's nodes do not reach their API server; 3 of 5 leases are expired " +
      '(node-1 silent for 33.4 s, node-2 for 31.7 s, node-3 for 30.0 s). It comes back with 2 replicas once they do',
    action: 'ScaleDown',
    reportingComponent: 'dependency-watchdog-prober',
    source: { component: 'dependency-watchdog-prober' },
    firstTimestamp: '2026-09-21T14:13:20Z',
    count: 1,
  });
  expect(new Set(seed.posted.map(({ metadata }) => metadata.name)).size).toBe(6);
  expect(seed.requests.map(({ method, path }) => `${method} ${path}`)[0]).toBe(
    'POST /api/v1/namespaces/shoot--sim--one/events',
  );
});

test('6.5 9.5 what somebody else had scaled to 0 says so when it is raised, and tells of no outage', async () => {
  const { seed, tell } = sink();
  const turn = story.find(({ event }) => event.type === 'scale.answered' && event.asked.change.replicas === 2)!;
  if (turn.event.type !== 'scale.answered') throw new Error('it is none');
  const seen = present({ replicas: 0, scaledBy: 'kubectl' });
  tell([{ ...turn, event: { ...turn.event, asked: { ...turn.event.asked, seen, change: { replicas: 1 } } } }]);
  await quiet();
  expect(seed.posted.map(({ message }) => message)).toEqual([
    "Scaled from 0 to 1 replicas: kubectl had scaled it to 0, and the shoot's nodes reach their API server",
  ]);
});

test('9.5 what is told of a dependant that the machine knows bears its UID, by which kubectl describe looks for it', async () => {
  const { seed, tell } = sink();
  const down = story.findLast(({ to }) => to === 'scaledDown')!;
  const { key } = gardenerConfig.dependants[0]!;
  const known = down.after!.context.known[key]!;
  const after = {
    ...down.after!,
    context: {
      ...down.after!.context,
      known: { ...down.after!.context.known, [key]: { ...known, view: { ...known.view!, uid: 'uid-of-it' } } },
    },
  } as ShootTurn['after'];
  const notes: ShootTurn['notes'] = [
    { kind: 'stepTimedOut', key, direction: 'down', timeout: 30_000 },
    { kind: 'recordUnreadable', key, record: 'two' },
  ];
  tell([{ ...down, event: { type: 'woken', at: down.at }, notes, after }]);
  await quiet();
  expect(seed.posted.map(({ involvedObject, message }) => [involvedObject['uid'], message])).toEqual([
    ['uid-of-it', 'Pods are still there 30.0 s after it was scaled to 0 replicas'],
    ['uid-of-it', 'The annotation that says how many replicas it had cannot be read: "two". It gets 1'],
  ]);
});

test('9.5 a shoot that flaps has each scaling told once in ten minutes, though the ages of its leases differ', async () => {
  const { seed, clock, tell } = sink();
  const write = story.find(({ event }) => event.type === 'scale.answered')!;
  const { context } = write.after!;
  const older = {
    ...write,
    after: {
      ...write.after!,
      context: { ...context, seen: { ...context.seen!, askedAt: context.seen!.askedAt + 3_000 } },
    },
  } as ShootTurn;
  tell([write, older]);
  await quiet();
  await clock.advanceBy(601_000);
  tell([older]);
  await quiet();
  expect(seed.posted.length).toBe(2);
  expect(new Set(seed.posted.map(({ message }) => message)).size).toBe(2);
});

test('1.2 9.5 events never ride in the bucket of the scale-downs, and go one by one', async () => {
  const { seed, tell } = sink();
  tell(ofShoots(story, 5));
  await quiet();
  expect(seed.requests.length).toBe(30);
  expect(seed.requests.filter(({ lane }) => lane !== undefined)).toEqual([]);
  expect(seed.most).toBe(1);
});

test('9.5 a failure is a warning, posted once in ten minutes however often the write is tried again', async () => {
  const guarded = await calmShoot();
  guarded.world.writing = 'refused';
  guarded.world.cutOff();
  await guarded.pass(120_000);
  const { seed, tell, clock, dropped } = sink();
  tell(guarded.turns);
  await quiet();
  expect(seed.posted.map(({ reason, type }) => `${type} ${reason}`)).toEqual(
    expect.arrayContaining(['Warning ScalingFailed', 'Warning ScalingTimedOut']),
  );
  expect(seed.posted.length).toBeLessThanOrEqual(6);
  expect(dropped).toContain('repeated');

  const before = seed.posted.length;
  await clock.advanceBy(10 * 60_000);
  tell(guarded.turns);
  await quiet();
  expect(seed.posted.length).toBe(2 * before);
});

test('9.5 events that are forbidden are said once, and tried again after an hour', async () => {
  const { seed, tell, clock, said, dropped } = sink();
  seed.fault = forbidden();
  tell(story);
  await quiet();
  expect(seed.requests).toHaveLength(1);
  expect(dropped.filter((reason) => reason === 'forbidden')).toHaveLength(6);

  await clock.advanceBy(59 * 60_000);
  tell(story);
  await quiet();
  expect(seed.requests).toHaveLength(1);

  await clock.advanceBy(60_000);
  tell(story);
  await quiet();
  expect(seed.requests).toHaveLength(2);
  expect(said).toHaveLength(1);

  seed.fault = 'fine';
  await clock.advanceBy(61 * 60_000);
  tell(story);
  await quiet();
  expect(seed.posted).toHaveLength(6);
  expect(said).toHaveLength(1);
});

test('9.5 under Gardener’s grants, where no namespace takes events, one is asked an hour, however many shoots there are', async () => {
  const { seed, tell, clock, said, dropped } = sink();
  const user = 'system:serviceaccount:garden:dependency-watchdog-prober';
  seed.fault = refused(`events is forbidden: User "${user}" cannot create resource "events"`);
  tell(ofShoots(story, 30));
  await quiet();
  expect(seed.requests).toHaveLength(1);
  expect(dropped).toEqual(Array.from({ length: 180 }, () => 'forbidden'));
  expect(said).toEqual([
    expect.stringContaining(
      `does not let "${user}" create them in shoot--0. Nothing depends on them. To have them, grant`,
    ),
  ]);
  await clock.advanceBy(60 * 60_000);
  tell(ofShoots(story, 30));
  await quiet();
  expect(seed.requests).toHaveLength(2);
  expect(said).toHaveLength(1);

  // Somebody has granted them: the first that is taken is followed by all others.
  seed.fault = 'fine';
  await clock.advanceBy(60 * 60_000);
  tell(ofShoots(story, 30));
  await quiet();
  expect(seed.posted).toHaveLength(180);
});

test('9.5 where a namespace has taken events, one that refuses them silences none but itself, for an hour', async () => {
  const { seed, tell, clock, said, dropped } = sink();
  seed.closed.add('shoot--1');
  tell(ofShoots(story, 3));
  await quiet();
  const postedTo = () =>
    [...Map.groupBy(seed.posted, ({ metadata }) => metadata.namespace)].map(([to, all]) => [to, all.length]);
  expect(postedTo()).toEqual([
    ['shoot--0', 6],
    ['shoot--2', 6],
  ]);
  expect(seed.requests).toHaveLength(13);
  expect(dropped).toEqual(Array.from({ length: 6 }, () => 'forbidden'));

  seed.closed = new Set(['shoot--1', 'shoot--2']);
  await clock.advanceBy(59 * 60_000);
  tell(ofShoots(story, 3));
  await quiet();
  // Only the namespace that took events until now is newly found to refuse.
  expect(seed.requests).toHaveLength(13 + 6 + 1);
  expect(said).toEqual([expect.stringMatching(/^no Kubernetes events are written: .* "u" create them in shoot--1\. /)]);

  seed.closed.clear();
  await clock.advanceBy(60_000);
  tell(ofShoots(story, 3).map((turn) => ({ ...turn, subject: turn.subject.replace('--0', '--9') })));
  await quiet();
  expect(postedTo()).toEqual([
    ['shoot--0', 12],
    ['shoot--2', 6],
    ['shoot--9', 6],
    ['shoot--1', 6],
  ]);
});

test.each([
  'unable to create new content in namespace shoot--0 because it is being terminated',
  'exceeded quota: events, requested: count/events=1, used: count/events=10, limited: count/events=10',
])('9.5 a namespace that takes none for a reason of its own silences nobody: %s', async (words) => {
  const { seed, tell, said, dropped } = sink();
  seed.fault = refused(`events "x" is forbidden: ${words}`);
  tell(ofShoots(story, 1));
  await quiet();
  expect({ said, dropped }).toEqual({ said: [], dropped: Array.from({ length: 6 }, () => 'failed') });
  seed.fault = 'fine';
  tell(ofShoots(story, 2));
  await quiet();
  expect(seed.posted.map(({ metadata }) => metadata.namespace)).toContain('shoot--1');
});

test('9.5 the memory that finds repetitions is bounded, and the oldest is forgotten first', async () => {
  const { seed, tell, clock, dropped } = sink();
  const tellOf = async (from: number, to: number) => {
    for (let shoot = from; shoot < to; shoot++) {
      tell(story.map((turn) => ({ ...turn, subject: `shoot--${shoot}` })));
      await quiet();
    }
  };
  const postedOf = (shoot: number) =>
    seed.posted.filter(({ metadata }) => metadata.namespace === `shoot--${shoot}`).length;
  await tellOf(0, 1);
  await tellOf(1, 300);
  expect(postedOf(0)).toBe(6);
  await clock.advanceBy(10 * 60_000);
  await tellOf(0, 1);
  expect(postedOf(0)).toBe(12);
  // Six each: with two hundred shoots more, the first is no longer the oldest.
  await tellOf(300, 500);
  await tellOf(0, 1);
  expect(postedOf(0)).toBe(12);
  expect(dropped).toEqual(Array.from({ length: 6 }, () => 'repeated'));
  await tellOf(500, 850);
  await tellOf(0, 1);
  expect(postedOf(0)).toBe(18);
});

test('9.5 a bug of ours while an event is written is reported as one, with its error, and the next is tried', async () => {
  const { seed, tell, dropped, faults, said } = sink();
  const bug = new TypeError('nothing has no name');
  seed.fault = bug;
  tell(story);
  await quiet();
  expect(faults).toEqual(Array.from({ length: 6 }, () => bug));
  expect(dropped).toEqual(Array.from({ length: 6 }, () => 'fault'));
  expect(said).toEqual([]);
  seed.fault = 'fine';
  tell(ofShoots(story, 1));
  await quiet();
  expect(seed.posted).toHaveLength(6);
});

test('9.5 a seed that is throttled is left alone for as long as it asks', async () => {
  const { seed, tell, clock } = sink();
  seed.fault = new KubeError('status', 'slow down', { status: 429, retryAfter: 30_000 });
  tell(story);
  await quiet();
  expect(seed.requests).toHaveLength(1);
  seed.fault = 'fine';
  await clock.advanceBy(29_000);
  tell(story);
  await quiet();
  expect(seed.requests).toHaveLength(1);
  await clock.advanceBy(1_000);
  tell(ofShoots(story, 2).filter(({ subject }) => subject === 'shoot--1'));
  await quiet();
  expect(seed.posted.length).toBeGreaterThan(6);
  // An event that waited for the pause to end has the time at which it happened, not the time at which it was posted.
  expect(
    seed.posted.map(({ firstTimestamp }) => firstTimestamp).filter((at) => at < '2026-09-21T14:13:49Z'),
  ).toHaveLength(5);
});

test('9.5 more than the queue holds is dropped and counted, while the seed hangs', async () => {
  const { seed, tell, dropped, events } = sink();
  seed.fault = 'hanging';
  tell(ofShoots(story, 200));
  await quiet();
  expect(seed.requests).toHaveLength(1);
  expect(dropped.filter((reason) => reason === 'queue')).toHaveLength(1_200 - 256 - 1);
  events.close();
  await quiet();
  expect(seed.requests).toHaveLength(1);
});

test('9.4 9.5 a message holds no secret, and is bounded', async () => {
  const token = `eyJhbGciOiJSUzI1NiJ9.${'eyJpc3MiOiJrdWJl'.repeat(3)}.c2ln`;
  const { seed, tell } = sink();
  const scaling = story.find(({ commands }) => commands.some(({ type }) => type === 'scale'))!;
  const command = scaling.commands.find(({ type }) => type === 'scale')!;
  if (command.type !== 'scale') throw new Error('story');
  const asked = command.params;
  const answer = { outcome: 'failed', detail: `Bearer ${token} ${'ü'.repeat(2_000)}` } as const;
  tell([
    scaling,
    { ...scaling, commands: [], notes: [], event: { type: 'scale.answered', at: 1, askedAt: 1, asked, answer } },
  ]);
  await quiet();
  expect(seed.posted).toHaveLength(1);
  expect(seed.posted[0]!.message).not.toContain(token);
  expect(Buffer.byteLength(seed.posted[0]!.message)).toBeLessThanOrEqual(1_024);
});

test('9.5 a write on annotations alone, a conflict and a withdrawal have no event', async () => {
  const { seed, tell } = sink();
  const scaling = story.find(({ commands }) => commands.some(({ type }) => type === 'scale'))!;
  const command = scaling.commands.find(({ type }) => type === 'scale')!;
  if (command.type !== 'scale') throw new Error('story');
  const asked = command.params;
  const answered = (outcome: 'conflict' | 'withdrawn' | 'missing'): ShootTurn => ({
    ...scaling,
    commands: [],
    notes: [],
    event: { type: 'scale.answered', at: 1, askedAt: 1, asked, answer: { outcome } },
  });
  for (const outcome of ['conflict', 'withdrawn', 'missing'] as const)
    tell([{ ...scaling, notes: [] }, answered(outcome)]);
  await quiet();
  expect(seed.requests).toEqual([]);
});

test('9.5 7.3 every deletion has an event on the deleted pod, with the service and the container', async () => {
  const { seed, tell } = sink();
  tell(await recovery());
  await quiet();
  expect(seed.posted.filter(({ reason }) => reason === 'Weeded')).toHaveLength(15);
  expect(seed.posted[0]).toMatchObject({
    metadata: { namespace: 'shoot--sim--one' },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'shoot--sim--one', name: 'kcm', uid: 'uid-kcm' },
    type: 'Normal',
    reason: 'Weeded',
    message:
      'Deleted, so that a new pod starts at once: service kube-apiserver, which it needs, is available again; kcm-container in CrashLoopBackOff',
  });
  expect(seed.requests[0]).toMatchObject({ method: 'POST', path: '/api/v1/namespaces/shoot--sim--one/events' });
  expect(seed.requests.filter(({ lane }) => lane !== undefined)).toEqual([]);
});

test('9.5 7.3 a deletion that fails is a warning, posted once; one that came to nothing has no event', async () => {
  const { seed, tell, dropped } = sink();
  tell(await recovery());
  await quiet();
  const warnings = seed.posted.filter(({ type }) => type === 'Warning');
  expect(warnings).toMatchObject([
    { reason: 'WeedingFailed', involvedObject: { name: 'scheduler', uid: 'uid-scheduler' } },
  ]);
  expect(warnings[0]!.message).toContain('the seed is ill');
  expect(dropped).toEqual(['repeated']);
  expect(seed.posted).toHaveLength(16);
});

test('9.5 7.3 a new pod of an old name has its event as well', async () => {
  const stage = new WeederStage(apiserver);
  for (const uid of ['one', 'two']) {
    stage.sees(apiserver, pod('etcd-main-0', 'waiting', uid));
    await stage.pass(1_000);
    stage.loses(apiserver, pod('etcd-main-0', 'fine', uid));
  }
  const { seed, tell } = sink();
  tell(stage.turns);
  await quiet();
  expect(seed.posted.map(({ involvedObject }) => involvedObject['uid'])).toEqual(['one', 'two']);
});

test('9.5 a leader asks once whether it may create events everywhere, and says at the start what to grant, before there is an event', async () => {
  const { seed, said, dropped, events } = sink();
  seed.allowed = false;
  events.observe(story[0]!);
  events.observe(story[1]!);
  await quiet();
  expect(seed.reviews).toBe(1);
  expect(said).toEqual([expect.stringMatching(/^no Kubernetes events are written.* grant it create on events/)]);
  expect({ dropped, posted: seed.posted, requests: seed.requests }).toEqual({ dropped: [], posted: [], requests: [] });
});

test('5.6 9.5 a zone that is cut off is a warning on the first dependant, posted once; so is one that goes soon after', async () => {
  const guarded = await zonedShoot(4);
  guarded.world.cutOff(3);
  await guarded.pass(120_000);
  const first = guarded.turns.length;
  guarded.world.cutOff(6);
  await guarded.pass(120_000);
  const { seed, tell } = sink();
  tell(guarded.turns.slice(0, first));
  await quiet();
  expect(seed.posted).toMatchObject([{ type: 'Warning', reason: 'PartlyCutOff' }]);
  expect(seed.posted[0]?.message).toMatch(/^Of the shoot's nodes, zone a is cut off: 3 of its 3 leases are expired/);
  tell(guarded.turns.slice(first));
  await quiet();
  expect(seed.posted.map(({ message }) => message)).toEqual([
    expect.stringMatching(/ zone a is cut off: /),
    expect.stringMatching(/ zones a, b are cut off: /),
  ]);
});
