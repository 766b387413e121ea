import { expect, test } from 'vitest';
import { controlPlaneTable } from '../../commands/simulate/etcd-outage/etcd-words.ts';
import { deletionFault } from '../../commands/simulate/etcd-outage/deletion-check.ts';
import { etcdStoryPart, paceOf } from '../../commands/simulate/etcd-outage/play-etcd-story.ts';
import { etcdSummaryLines } from '../../commands/simulate/etcd-outage/etcd-summary-lines.ts';
import { etcdSummary } from '../../commands/simulate/etcd-outage/etcd-summary.ts';
import { etcdPhaseNow } from '../../commands/simulate/etcd-outage/etcd-events.ts';
import { pacedClock } from '../../commands/simulate/etcd-outage/paced-clock.ts';
import { stageViews } from '../../commands/simulate/etcd-outage/stages.ts';
import { lineText } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import { readSimulateFlags } from '../../commands/simulate/story/simulate-flags.ts';
import { remarkLog } from '../../commands/simulate/story/simulated-role.ts';
import { dueStep, isGoalReached } from '../../commands/simulate/story/story.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { SeenEtcd, goodEtcdStory, one, two, waiting, whole } from './simulate-etcd-outage-stage.ts';
import { start } from './simulate-stage.ts';
import { waits } from '@dwd/testing/weeder-driver.ts';

const lengths = { calm: 60_000, outage: 420_000, recovery: 660_000, pause: 5_000 };

const isReached = ({ model }: SeenEtcd) => isGoalReached(etcdStoryPart(model.phase, lengths), model);

/** The step at so many seconds since the start, the goal having been reached at `reached`. */
function step({ model }: SeenEtcd, now: number, reached?: number) {
  const reachedAt = reached === undefined ? undefined : start + 1_000 * reached;
  return dueStep(etcdStoryPart(model.phase, lengths), model, { now: start + 1_000 * now, reachedAt, slack: 0 });
}

test('1.1 the calm lasts until the weeder knows every control plane, and a little longer', () => {
  const stage = new SeenEtcd().phase(0, 'calm').turn(1, one);
  expect(isReached(stage)).toBe(false);
  stage.turn(1, two);
  expect(isReached(stage)).toBe(true);
  expect(step(stage, 5.9, 1)).toBeUndefined();
  expect(step(stage, 6, 1)).toEqual({ next: 'outage', missed: [] });
});

test('1.1 a control plane of which the weeder knows no service is reported, and the story goes on', () => {
  const stage = new SeenEtcd().phase(0, 'calm').turn(1, one);
  expect(step(stage, 67)?.missed).toEqual([
    'shoot--demo--02 was not well in the calm, or has no service that the weeder knows',
  ]);
});

test('1.1 etcd is away for as long as the story says, if everything crash-loops by then on both seeds', () => {
  const stage = new SeenEtcd().phase(10, 'outage').fails(10, one);
  expect(isReached(stage)).toBe(false);
  stage.fails(10, two);
  expect(isReached(stage)).toBe(true);
  expect(step(stage, 429.9, 50)).toBeUndefined();
  expect(step(stage, 430, 50)).toEqual({ next: 'recovery', missed: [] });
});

test('1.1 7.5 the story is over when both seeds are well, or when one of them had time enough', () => {
  const stage = new SeenEtcd().phase(10, 'outage').fails(10, one).fails(10, two).phase(430, 'recovery');
  stage.returns(435, one, 'weeded', 10, 15).returns(435, two, 'weeded', 10, 15).returns(435, one, 'unaided', 250, 300);
  expect(isReached(stage)).toBe(false);
  expect(step(stage, 1_157)?.missed).toEqual(['shoot--demo--02 was not well again when the story was over']);
  stage.returns(435, two, 'unaided', 250, 300);
  expect(isReached(stage)).toBe(true);
});

test('1.1 7.5 a story in which all went well is summed up', () => {
  const summary = etcdSummary(goodEtcdStory().model);
  expect(summary).toMatchObject({
    ok: true,
    isFaster: true,
    deleted: 6,
    missed: [],
    length: 1_000_000,
    // Only what was late while the weeder worked.
    latest: 40,
    requests: { all: 20, lists: 5, watches: 6, deletions: 8 },
    recovery: {
      weeded: { apiServers: { median: 10_000, worst: 12_000 }, controllers: { median: 15_000, worst: 19_000 } },
      unaided: { apiServers: { median: 250_000, worst: 270_000 }, controllers: { median: 300_000, worst: 560_000 } },
    },
    reaction: { median: 100, worst: 300 },
  });
  expect(summary.planes).toMatchObject([
    { shoot: one, deleted: 3, hasRecovered: true, faults: [], bugs: 0 },
    { shoot: two, deleted: 3, hasRecovered: true, faults: [], bugs: 0 },
  ]);
});

test('7.3 a pod that begins to wait within the window is reacted to from there on', () => {
  const stage = new SeenEtcd([one]).phase(10, 'outage').fails(10, one).phase(430, 'recovery');
  stage.serves(435, one, 'weeded', 'etcd', true).deletes(450.2, one, 'apiServers', { since: 450 });
  expect(stage.model.rows.get(one)?.weeded.apiServers.reaction).toBe(200);
  stage.deletes(470, one, 'apiServers');
  expect(stage.model.rows.get(one)?.weeded.apiServers).toMatchObject({ reaction: 200, deleted: 2 });
});

const spoilt: readonly (readonly [what: string, spoil: (stage: SeenEtcd) => SeenEtcd, words: string])[] = [
  [
    'a wrong deletion',
    (stage) => stage.deletes(600, one, 'controllers', { fault: 'was deleted twice' }),
    'FAILED: 1 control plane weeded wrongly.',
  ],
  [
    'a stage that went down again',
    (stage) => stage.view(999, two, 'weeded', 'controllers', waiting('controllers', 1_100)),
    'FAILED: 1 control plane not well again.',
  ],
  [
    'a bug',
    (stage) => stage.turn(600, one, { event: { type: 'ended', at: start, because: 'bug', error: 'TypeError: x' } }),
    'FAILED: 1 control plane hit by a bug of the watchdog.',
  ],
  [
    'something that was waited for in vain',
    (stage) => stage.missed('x was not well'),
    'FAILED: the story did not go as planned.',
  ],
  [
    'a weeder that is of no use',
    (stage) =>
      stage
        .view(600, two, 'weeded', 'controllers', waiting('controllers', 999))
        .view(999, two, 'weeded', 'controllers', whole('controllers')),
    'FAILED: the weeder saved less than half of the time.',
  ],
];

const options = {
  speed: 60,
  slowSpeed: 2,
  seedNumber: 7,
  again: ' --story=etcd-outage',
};

test.for(spoilt)('1.1 %s makes it fail, whatever else went well', ([, spoil, words]) => {
  const summary = etcdSummary(spoil(goodEtcdStory()).model);
  expect(summary.ok).toBe(false);
  const lines = etcdSummaryLines(summary, options).map((line) => lineText(line, Infinity, false));
  expect(lines.at(-2)).toBe(words);
});

test('1.1 7.5 the summary compares both seeds, within 80 columns', () => {
  const lines = etcdSummaryLines(etcdSummary(goodEtcdStory().model), options);
  expect(lines.map((line) => lineText(line, 80, false))).toEqual([
    '',
    '                  API servers           controllers           pods',
    'ready after etcd  with       without    with       without    deleted',
    'shoot--demo--01   10.0 s     250 s      15.0 s     300 s      3',
    'shoot--demo--02   12.0 s     270 s      19.0 s     560 s      3',
    '',
    '                                    with the weeder       without it',
    'from etcd until they are ready      median     worst      median     worst',
    'API servers                         10.0 s     12.0 s     250 s      270 s',
    'controllers                         15.0 s     19.0 s     300 s      560 s',
    '',
    'service ready → first deletion      0.10 s     0.30 s',
    'pods deleted                        6, each of which was crash-looping',
    'requests to the seed                20: 5 lists, 6 watches, 8 deletions, 1 other',
    '',
    'It took 1000 simulated s (clock ×60, ×2 while the weeder works).',
    'While the weeder worked, this machine was up to 0.04 s of them late.',
    '2 control planes well again within 19.0 s, not 560 s. No other pod was deleted.',
    'The same draw again: --seed=7 --story=etcd-outage',
  ]);
});

test('1.1 of many control planes only those are reported with which something went wrong; a missing figure is a dash', () => {
  const many = Array.from({ length: 13 }, (_, index) => `shoot--demo--${String(index + 1).padStart(2, '0')}`);
  const stage = new SeenEtcd(many).phase(430, 'recovery').phase(440, 'over');
  const quiet = etcdSummaryLines(etcdSummary(stage.model), options).map((line) => lineText(line, 80, false));
  expect(quiet.some((line) => line.startsWith('shoot--'))).toBe(false);
  expect(quiet).toContain('API servers                         -          -          -          -');
  stage.deletes(439, two, 'controllers', { fault: 'was deleted twice' });
  const told = etcdSummaryLines(etcdSummary(stage.model), options).map((line) => lineText(line, 80, false));
  expect(told.filter((line) => line.startsWith('shoot--'))).toEqual([
    'shoot--demo--02   -          -          -          -          1',
    'shoot--demo--02: pod-x was deleted twice.',
  ]);
});

test('1.1 7.5 the timeline tells a story from its beginning to its end, within 80 columns', () => {
  const stage = goodEtcdStory();
  expect(stage.words()).toEqual([
    '-: All is calm: 2 control planes on two equal seeds, one with a weeder.',
    '-: etcd fails in 2 control planes. What needs it crash-loops.',
    '01: its API servers crash-loop',
    '01: its controllers crash-loop',
    '02: its API servers crash-loop',
    '02: its controllers crash-loop',
    '-: etcd is started again in 2 control planes on both seeds.',
    '01: etcd is back: API servers restarted after 0.10 s',
    '01: API servers ready 10.0 s after etcd',
    '01: API is back: controllers restarted after 0.30 s',
    '01: all is well 15.0 s after etcd',
    '02: etcd is back: API servers restarted after 0.10 s',
    '02: API servers ready 12.0 s after etcd',
    '02: API is back: controllers restarted after 0.30 s',
    '02: all is well 19.0 s after etcd',
    '01: without weeder: API servers ready 250 s after etcd',
    '01: without weeder: all is well 300 s after etcd',
    '02: without weeder: API servers ready 270 s after etcd',
    '02: without weeder: all is well 560 s after etcd',
    '-: The story is over.',
  ]);
  // Before each stand the time and, with two spaces, the control plane.
  const longest = Math.max(...stage.timeline.map(({ shoot, text }) => text.length + (shoot ? shoot.length + 2 : 0)));
  expect(longest).toBeLessThanOrEqual(80 - 11);
});

test('1.1 what goes wrong has a line', () => {
  const at = start;
  const asked = { number: 1, pod: { name: 'pod-x', uid: 'u' }, waits: waits() };
  const failed = { outcome: 'failed', reason: '500', detail: 'HTTP 500: no' } as const;
  const closed = { kind: 'windowClosed', deleted: 1, left: 2 } as const;
  const stage = new SeenEtcd([one])
    .phase(10, 'outage')
    .turn(20, one, { notes: [closed] })
    .view(30, one, 'weeded', 'apiServers', waiting('apiServers', 40))
    .view(60, one, 'weeded', 'apiServers', waiting('apiServers', 359.5))
    .deletes(61, one, 'controllers', { fault: 'was deleted outside of any window' })
    .phase(430, 'recovery')
    .turn(431, one, { event: { type: 'deletion.answered', at, askedAt: at, asked, answer: failed } })
    .turn(432, one, { event: { type: 'deletion.answered', at, askedAt: at, asked, answer: { outcome: 'throttled' } } })
    .turn(433, one, { notes: [closed] })
    .turn(434, one, { event: { type: 'ended', at, because: 'bug', error: 'TypeError: x' } })
    .missed('x was not well')
    .remark('the watch on pods is back');
  expect(stage.words().slice(1)).toEqual([
    '01: its API servers crash-loop',
    '01: the back-off of its API servers has grown to 5 min',
    '01: pod-x was deleted outside of any window',
    '-: etcd is started again in 1 control plane on both seeds.',
    '01: could not delete pod pod-x: HTTP 500: no',
    '01: could not delete pod pod-x: 429, too many requests',
    '01: etcd-main-client: window closed: 1 pod deleted, 2 left crash-looping',
    '01: etcd-main-client: a bug ended its machine: TypeError: x',
    '-: x was not well',
    '-: the watch on pods is back',
  ]);
});

test('1.1 7.5 the table shows both seeds side by side, and how long the last one waits', () => {
  const stage = goodEtcdStory().view(1_001, one, 'unaided', 'controllers', {
    ...waiting('controllers', 1_144),
    ready: 2,
  });
  stage.view(1_001, one, 'unaided', 'etcd', waiting('etcd', 1_100));
  const rows = [...stage.model.rows.values()];
  const lines = controlPlaneTable({ rows, room: 2, now: start + 1_001_500 }).map((line) => lineText(line, 80, false));
  expect(lines).toEqual([
    '                 with the weeder                 without it',
    'control plane    etcd  API servers  controllers  etcd  API servers  controllers',
    'shoot--demo--01  1/1   2/2          5/5          0/1   2/2          2/5 143s',
    'shoot--demo--02  1/1   2/2          5/5          1/1   2/2          5/5',
    '0/2 143s: none of 2 pods is ready, and the last of them waits for another 143 s',
  ]);
  const few = controlPlaneTable({ rows, room: 1, now: start }).map((line) => lineText(line, 80, false));
  expect(few[2]).toBe('and 2 more: 2 well with the weeder, 1 without it');
});

test('1.1 the picture counts who is well again once etcd is back', () => {
  const stage = new SeenEtcd().phase(10, 'outage').fails(10, one).fails(10, two).phase(430, 'recovery');
  expect(etcdPhaseNow(stage.model)).toBe('etcd is started again in 2 control planes on both seeds.');
  stage.returns(435, one, 'weeded', 10, 15).serves(436, two, 'weeded', 'etcd', true);
  expect(etcdPhaseNow(stage.model)).toBe('etcd is back. Well again: 1 of 2 with the weeder, 0 without it.');
});

const isUp = { openedAt: start, downAt: Infinity };
const isDown = { openedAt: start, downAt: -Infinity };
const seen = { loopedUntil: Infinity, ending: false, deletedBefore: false, services: [isUp] };

test.for([
  ['in its window', {}, 1, null],
  ['at the window’s end, on its way', {}, 300, null],
  ['after its window', {}, 301, 'was deleted outside of any window'],
  ['while its service is down', { services: [isDown] }, 1, 'was deleted outside of any window'],
  ['of no service', { services: [] }, 1, 'was deleted outside of any window'],
  ['of two services, one of which is down', { services: [isDown, isUp] }, 1, null],
  ['that waited until just now', { loopedUntil: start + 700 }, 1, null],
  ['that no longer waits', { loopedUntil: start + 500 }, 1, 'was deleted while it did not crash-loop'],
  ['that never waited', { loopedUntil: -Infinity }, 1, 'was deleted while it did not crash-loop'],
  ['that ends', { ending: true }, 1, 'was deleted while it was ending'],
  ['a second time', { deletedBefore: true, ending: true }, 1, 'was deleted twice'],
] as const)('S8 7.2 7.3 a pod deleted %s is judged by what stood there', ([, change, seconds, fault]) => {
  const times = { watchDuration: 300_000, news: 400 };
  expect(deletionFault({ ...seen, ...change, at: start + 1_000 * seconds }, times)).toBe(fault);
});

test('1.1 a pod that is being deleted counts no more; the last one that waits counts', () => {
  const pod = { name: 'x', uid: 'x', restarts: 0, ready: false, crashLooping: true, backOffUntil: 5, ending: false };
  expect(
    stageViews([
      { ...pod, group: 'kube-apiserver' },
      { ...pod, group: 'kube-apiserver', backOffUntil: 9 },
      { ...pod, group: 'kube-apiserver', backOffUntil: 99, ending: true },
      { ...pod, group: 'anything', ready: true, crashLooping: false, backOffUntil: undefined },
    ]),
  ).toEqual({
    etcd: { pods: 0, ready: 0, crashLooping: 0, backOffUntil: null },
    apiServers: { pods: 2, ready: 0, crashLooping: 2, backOffUntil: 9 },
    controllers: { pods: 1, ready: 1, crashLooping: 0, backOffUntil: null },
  });
});

test('1.1 the clock slows down while the weeder starts and while it works', () => {
  const paces = { usual: 60, slow: 2, after: 1 };
  const stage = new SeenEtcd().phase(0, 'calm');
  expect(paceOf(stage.model, paces, start)).toBe(2);
  stage.phase(10, 'outage').fails(10, one).fails(10, two);
  expect(paceOf(stage.model, paces, start + 300_000)).toBe(60);
  stage.phase(430, 'recovery').returns(435, one, 'weeded', 10, 15);
  expect(paceOf(stage.model, paces, start + 450_000)).toBe(2);
  // A weeder that does nothing is not watched for ever.
  expect(paceOf(stage.model, paces, start + 490_000)).toBe(60);
  stage.returns(435, two, 'weeded', 10, 15);
  expect(paceOf(stage.model, paces, start + 450_000)).toBe(60);
  stage.phase(1_000, 'over');
  expect(paceOf(stage.model, paces, start + 1_001_000)).toBe(1);
});

test('1.1 a clock that changes its speed wakes everybody at their instant', async () => {
  const base = new VirtualClock(1_000);
  const clock = pacedClock(base, 10);
  const woken: [string, number][] = [];
  const sleep = (name: string, at: number) => clock.wakeAt(at).subscribe((now) => woken.push([name, now]));
  sleep('early', 1_500);
  sleep('late', 4_000);
  const left = sleep('left', 3_000);
  await base.advanceBy(100);
  expect([clock.now(), woken]).toEqual([2_000, [['early', 1_500]]]);
  clock.pace(1);
  left.unsubscribe();
  await base.advanceBy(1_000);
  expect([clock.now(), woken.length]).toEqual([3_000, 1]);
  clock.pace(100);
  await base.advanceBy(10);
  expect(woken[1]).toEqual(['late', 4_000]);
  expect(base.sleeping).toBe(0);
});

test('1.1 9.4 what the role warns of is told in the story, and what it only notes is not', () => {
  const told: string[] = [];
  const log = remarkLog((text) => told.push(text));
  const trouble = 'cannot watch clusters on https://seed: connection refused';
  const end = 'watches clusters on https://seed again, after 1.2 s';
  log.info('the first lists of the seed are in', { line: 'ready' });
  log.info(end, { line: 'watches again' });
  log.error(trouble, { line: 'cannot watch', streams: ['clusters'] });
  log.info(end, { line: 'watches again' });
  log.info(end, { line: 'watches again' });
  log.error('cannot read the credentials', { line: 'credentials' });
  log.info('can read the credentials now', { line: 'credentials' });
  log.error('the seed sent what is no object', { stream: 'pods', problem: 'no' });
  log.error('an observer of the turns failed', { observer: 'metrics', error: new Error('oh') });
  expect(told).toEqual([
    trouble,
    end,
    'cannot read the credentials',
    'can read the credentials now',
    'the seed sent what is no object, pods: no',
    'an observer of the turns failed, metrics: oh',
  ]);
});

test('1.2 the story is a flag of its own, and refuses what it has no use for', () => {
  const args = ['--story', 'ETCD-outage', '--shoots=3'];
  expect(readSimulateFlags(args)).toHaveProperty('flags.story', 'etcd-outage');
  expect(readSimulateFlags(args)).toHaveProperty('flags.given', ['--story=etcd-outage', '--shoots=3']);
  expect(readSimulateFlags(['--story=network-outage'])).toHaveProperty('flags.story', undefined);
  for (const [more, because] of [
    ['--nodes=5', '--nodes says nothing to --story=etcd-outage'],
    ['--story=flood', '--story must be one of network-outage, etcd-outage; found "flood"'],
  ] as const) {
    const message = expect.stringContaining(because);
    expect(readSimulateFlags([...args, more])).toMatchObject({ ok: false, help: false, message });
  }
});
