import { expect, test } from 'vitest';
import { weederLanes } from '../../model/timeline/service-lanes.ts';
import { replayTurns } from '../../model/replayed-turn.ts';
import type { Lanes, LaneSpan } from '../../model/timeline/lanes.ts';
import { pureMachines } from 'dependency-watchdog/machines/kinds.ts';
import type { WeederCommands } from 'dependency-watchdog/machines/weeder-language.ts';
import { RecordedService } from '../support/recorded-turns.ts';
import { podView, ready, unready, watchDuration } from '@dwd/testing/weeder-driver.ts';

const start = Date.parse('2026-11-23T12:00:00Z');
const s = (seconds: number) => start + seconds * 1_000;
const ref = { namespace: 'shoot--desk--one', service: 'kube-apiserver' };

const pod = (name: string, state: 'waiting' | 'fine') => podView({ name, uid: `uid-${name}` }, state);

/** The service fails at 10 s and is back at 20 s; pod a crash-loops and is deleted, pod b crash-loops and gets well. */
function recovery(): Lanes {
  const service = new RecordedService({ ...ref, selectors: ['role in (main)'], watchDuration, chance: 1 }, s(0));
  service.send({ type: 'slices.changed', at: s(1), slices: unready });
  const opened = service.send({ type: 'slices.changed', at: s(20), slices: ready });
  const watch = opened.find(({ type }) => type === 'watchPods')!.params as WeederCommands['watchPods'];
  const seen = service.send({ type: 'pod.changed', at: s(21), number: watch.number, pod: pod('b', 'waiting') });
  service.send({ type: 'pod.changed', at: s(21.1), number: watch.number, pod: pod('b', 'fine') });
  expect(seen.map(({ type }) => type)).toContain('deletePod');
  const commands = service.send({
    type: 'pod.changed',
    at: s(22),
    number: watch.number,
    pod: pod('a', 'waiting'),
  });
  const asked = commands.find(({ type }) => type === 'deletePod')!.params as WeederCommands['deletePod'];
  service.send({ type: 'deletion.answered', at: s(22.4), askedAt: s(22.1), asked, answer: { outcome: 'deleted' } });
  service.send({ type: 'pod.gone', at: s(25), number: watch.number, pod: { name: 'a', uid: 'uid-a' } });
  service.send({ type: 'pod.changed', at: s(30), number: watch.number, pod: pod('c', 'waiting') });
  service.send({ type: 'woken', at: s(20) + watchDuration });
  const builder = weederLanes();
  for (const one of replayTurns(pureMachines.weeder, service.turns)) builder.take(one);
  return builder.lanes();
}

const lanes = recovery();
const seconds = (at: number) => (at - start) / 1_000;
const text = ({ tone, label, from, until }: LaneSpan) =>
  `${seconds(from)}–${until === null ? '' : seconds(until)} ${tone} ${label}`;
const laneOf = (id: string) => [...lanes.first, ...lanes.many].find((lane) => lane.id === id)!;

test.each<[string, readonly string[]]>([
  ['state', ['0–20 down down', '20–320 accent recovering', '320– calm settled']],
  ['endpoints', ['1–20 cutOff 0 of 1 ready', '20– calm 1 of 1 ready']],
  ['window', ['20–22.4 accent open, 0 pods deleted', '22.4–320 accent open, 1 pod deleted']],
  ['pods', ['21–21.1 down 1 crash-looping pod', '22–25 down 1 crash-looping pod', '30–320 down 1 crash-looping pod']],
  ['pod uid-a', ['22–25 down crash-looping']],
  ['pod uid-b', ['21–21.1 down crash-looping']],
  // Whatever the window's end leaves behind is followed no more.
  ['pod uid-c', ['30–320 down crash-looping']],
])('9.7 a recovery in lanes: %s', (id, expected) => {
  expect(laneOf(id).spans.map(text)).toEqual(expected.map((one) => one.replace('accent', 'busy')));
});

test('9.7 a deletion is on its way from the command to its answer', () => {
  const lane = laneOf('pod uid-a');
  expect(lane.shows === 'lease' ? [] : lane.under.map(text)).toEqual(['22–22.4 down deleted']);
});

test('9.7 each pod that crash-looped has a lane', () => {
  expect(lanes.many.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});
