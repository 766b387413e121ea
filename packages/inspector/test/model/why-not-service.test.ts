import { expect, test } from 'vitest';
import { podNames, whyNotDeleted, whyNoWindow } from '../../model/questions/why-not-service.ts';
import type { WhyNot } from '../../model/questions/why-not-obstacle.ts';
import { replayTurns } from '../../model/replayed-turn.ts';
import { pureMachines, type WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { recovery } from '@dwd/testing/recorded-nights.ts';
import { ready, watchDuration } from '@dwd/testing/weeder-driver.ts';
import { AskedService, obstacleText } from './asked-turns.ts';

/** Available for the first time, which opens a window. */
function recovering(service: AskedService): AskedService {
  service.up();
  return service;
}

function settled(service: AskedService): AskedService {
  recovering(service).now += watchDuration;
  service.take({ type: 'woken', at: service.now });
  service.now += 60_000;
  return service;
}

type Case = readonly [
  name: string,
  story: (service: AskedService) => void,
  /** `hindered: notAvailable 7.1 7.2`, the outcome and what stood in the way. */
  outcome: string,
  answer: string,
];

function outcomeText(why: WhyNot): string {
  return [why.outcome, obstacleText(why)].filter(Boolean).join(': ');
}

const windows: readonly Case[] = [
  [
    '7.1 no slice yet',
    (service) => void service.slices({}),
    'hindered: notAvailable 7.1 7.2',
    'No EndpointSlice of the service had been seen, so it was not available.',
  ],
  [
    '7.1 no ready endpoint',
    (service) => void service.down(),
    'hindered: notAvailable 7.1 7.2',
    'The service was not available: no endpoint was ready. Its window opens when one is.',
  ],
  ['7.2 it opens', (service) => void recovering(service), 'did', 'It is: window opened: 5m00s from now on.'],
  [
    '7.2 it is open',
    (service) => ((recovering(service).now += 10_000), void service.pod('a', 'fine')),
    'underWay',
    'It was open, for 4m50s more.',
  ],
  [
    '7.2 down again in it',
    (service) => ((recovering(service).now += 10_000), void service.down()),
    'underWay: relapsed 7.2',
    'The service was down again in its window, which was open for 4m50s more: nothing is deleted while it is down.',
  ],
  [
    '7.2 it is over',
    (service) => void settled(service).slices(ready),
    'hindered: windowOver 7.2',
    'Its window was over for 60.0 s, and the service had not failed since.',
  ],
];

test.each(windows)('9.7 %s: why no window is open is answered', (_, story, outcome, answer) => {
  const service = new AskedService();
  story(service);
  const why = whyNoWindow(service.turns, service.last);
  expect(why).toMatchObject({ answer });
  expect(outcomeText(why)).toBe(outcome);
});

test('7.2 9.7 a gap that opened no window is told with its length', () => {
  const service = settled(new AskedService());
  service.listed(ready, 4_000);
  const { obstacles } = whyNoWindow(service.turns, service.last);
  expect(obstacles[0]!.saw.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'it ended: window closed: 0 pods deleted, none left crash-looping',
    'ready endpoints: 1 of 1 in 1 slice',
    'not seen for: 4.0 s, and the same endpoints were ready afterwards',
  ]);
  expect(obstacles[0]!.turn).toMatchObject({ seq: service.last - 1 });
});

const pods: readonly Case[] = [
  [
    '7.3 it is deleted now',
    (service) => void recovering(service).pod('a'),
    'did',
    'It was: delete pod a (deletion 2).',
  ],
  [
    '7.3 its deletion is under way',
    (service) => (recovering(service).pod('a'), void service.pod('b', 'fine')),
    'underWay',
    'Its deletion 2 was under way.',
  ],
  [
    'S8 it was deleted',
    (service) => (recovering(service).pod('a'), void service.answers('a')),
    'hindered: pod S8 7.3',
    'This incarnation needs no more: deletion 2 of pod a done.',
  ],
  [
    '7.3 its deletion failed',
    (service) => (
      recovering(service).pod('a'),
      void service.answers('a', { outcome: 'failed', reason: '500', detail: 'no' })
    ),
    'hindered: pod 7.3',
    'Its deletion failed 1 time; the next try was due in',
  ],
  [
    '7.3 it does not crash-loop',
    (service) => void recovering(service).pod('a', 'fine'),
    'hindered: pod 7.3',
    'It was not crash-looping, as far as was told: pod a seen: no longer crash-looping.',
  ],
  [
    '7.3 nobody told of it',
    (service) => void recovering(service),
    'hindered: pod 7.3',
    'No pod of that name was told of: it did not crash-loop, or no selector of this service picks it.',
  ],
  [
    '7.3 too many are under way',
    (service) => void recovering(service).pods('bcdefghijkla'.split('')),
    'hindered: pod 7.3',
    '10 deletions of this service were under way, and no more than 10 may be.',
  ],
  [
    '7.2 the service is down',
    (service) => (recovering(service).down(), void service.pod('a')),
    'hindered: relapsed 7.2',
    'The service was down again in its window',
  ],
  [
    '7.2 the window is over',
    (service) => settled(service).slices(ready),
    'hindered: windowOver 7.2, pod 7.3',
    'Its window was over for 60.0 s, and the service had not failed since.',
  ],
];

test.each(pods)('9.7 %s: why a pod was not deleted is answered', (_, story, outcome, answer) => {
  const service = new AskedService();
  story(service);
  const why = whyNotDeleted(service.turns, service.last, 'a');
  expect(why).toMatchObject({ answer: expect.stringContaining(answer) });
  expect(outcomeText(why)).toBe(outcome);
});

test('7.3 9.7 a pod that was told of in an earlier window alone is not said to be well', () => {
  const service = recovering(new AskedService());
  service.down();
  service.pod('a');
  service.now += watchDuration;
  service.take({ type: 'woken', at: service.now });
  service.up();
  const { answer } = whyNotDeleted(service.turns, service.last, 'a');
  expect(answer).toBe('It was told of in an earlier window alone: pod a seen: main in CrashLoopBackOff.');
});

test('9.7 without a name all pods are answered for, the last one first', () => {
  const service = recovering(new AskedService());
  expect(whyNotDeleted(service.turns, service.last, '').obstacles[0]).toMatchObject({ kind: 'noPods' });
  service.pods(['a', 'b']);
  service.answers('a');
  service.pod('c', 'fine');
  const why = whyNotDeleted(service.turns, service.last, '');
  expect(why.parts.map(({ name, is }) => `${name} ${is}`)).toEqual(['b underWay', 'a done']);
  expect(why).toMatchObject({ outcome: 'underWay', answer: 'b: Its deletion 3 was under way.' });
  expect(podNames(service.turns, service.last)).toEqual(['c', 'a', 'b']);
});

test('9.6 9.7 of a service, too, nothing throws where nothing is known', () => {
  const service = recovering(new AskedService());
  const odd = service.turns.map((one) => ({ ...one, after: { value: 'settled', context: null } as never }));
  for (const turns of [[], odd, service.turns.map((one) => ({ ...one, after: undefined }))]) {
    expect(whyNotDeleted(turns, turns.length - 1, 'a')).toMatchObject({ outcome: 'hindered' });
    expect(whyNoWindow(turns, turns.length - 1).answer).toMatch(/^$|\.$/);
  }
});

test('9.7 of a whole recovery each turn is answered for', async () => {
  const recorded = await recovery();
  const turns = replayTurns<WeederLanguage>(
    pureMachines.weeder,
    recorded.map(({ seq, at, kind, subject, event, from, to, commands, notes }) => {
      const came = from === undefined ? {} : { from };
      return { seq, at, kind, subject, event, ...came, to, commands, notes, run: 'a' };
    }),
  );
  expect(turns.filter(({ replayed }) => replayed.outcome === 'same')).toHaveLength(turns.length - 1);
  for (const [index, { turn, after }] of turns.entries()) {
    const why = whyNotDeleted(turns, index, '');
    const window = whyNoWindow(turns, index);
    expect({ turn, did: why.outcome === 'did', open: window.outcome !== 'hindered' }).toMatchObject({
      did: turn.commands.some(({ type }) => type === 'deletePod'),
      open: after?.context.window != null,
    });
    for (const { answer } of [why, window]) expect(answer).toMatch(/\.$/);
  }
});
