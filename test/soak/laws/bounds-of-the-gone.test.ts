import { expect, test } from 'vitest';
import type { Scene } from '../scene.ts';
import { boundsOfTheGone } from './bounds-of-the-gone.ts';
import { begun } from '../made-up.ts';

const name = 'prober-0#1';
const shoot = 'shoot--demo--01';

/** A process to which this happened at 0, a look each second until the end, and then the last look; undefined where nothing is wrong. */
async function judged(
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
    name,
    isPaused: false,
    open: { watches: new Map(watches.map((path) => [path, 1])) },
    metrics: async () => text,
  };
  const seed = { shoots: shoots.map((one) => ({ name: one })) };
  const scene = { now: () => now, plan: { asleep: 0 }, slots: [{ process }], seed };
  const law = begun(boundsOfTheGone, scene as unknown as Scene);
  for (const event of events)
    law.hear?.({ at: 0, kind: 'turn', process: name, turn: { subject: shoot, event } } as never);
  for (; now < until; now += 1_000) {
    const why = law.look?.();
    if (why !== undefined) return why;
    await Promise.resolve();
  }
  return law.quiet?.();
}

const started = { type: 'started' };
const gone = { type: 'ended', because: 'gone' };
const series = `dwd_shoot_state{shoot="${shoot}",state="probing"} 1`;

test('7.2 a machine that lives on without its shoot, unless its process cannot know', async () => {
  const living = { events: [started], text: series };
  expect(await judged(300_000, { ...living, shoots: [shoot] })).toBe(undefined);
  expect(await judged(150_000, { ...living, shoots: [] })).toBe(undefined);
  expect(await judged(300_000, { ...living, shoots: [] })).toContain('its machine lives');
  expect(await judged(300_000, { ...living, shoots: [], watches: [] })).toBe(undefined);
});

test('9.2 series of a shoot that is gone, soon after it and at the end', async () => {
  const departed = { events: [started, gone], shoots: [] };
  expect(await judged(30_000, { ...departed, text: 'dwd_probes_active 0' })).toBe(undefined);
  expect(await judged(30_000, { ...departed, text: series })).toContain('has series of');
  expect(await judged(30_000, { ...departed, events: [started, gone, started], text: series })).toBe(undefined);
  expect(await judged(0, { events: [], shoots: [], text: series })).toContain('has series of');
  const weeded = 'dwd_pods_weeded_total{namespace="a",service="b"} 1';
  expect(await judged(0, { events: [], shoots: [], text: weeded })).toContain('has series of a/b');
});
