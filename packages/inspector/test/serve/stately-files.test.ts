import { expect, test } from 'vitest';
import type { History } from '../../serve/history.ts';
import { statelyFiles } from '../../serve/stately-feed.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';
import { greeted, receiver, serving } from './stately-readers.ts';

const story = await meltdown();
/** From the decision on: the first turn leads elsewhere than where it began. */
const outage = story.slice(story.findIndex(({ from, to }) => from === 'probing' && to === 'scalingDown'));
const shoot = outage[0]!.subject;

/** As a history has them: without snapshots, but for the first. */
const lines = outage.map((turn, index) =>
  JSON.stringify({ ...turn, run: 'r', before: index === 0 ? turn.before : undefined, after: undefined }),
);

const history: Pick<History, 'turnsOf'> = {
  turnsOf: ({ subject }, { most }) =>
    Promise.resolve(subject === shoot ? { turns: lines.slice(0, most), earlier: false, later: false } : undefined),
};

async function opened() {
  const faults: unknown[] = [];
  return {
    ...(await serving(statelyFiles(history, { now: () => 0, onFault: (error) => faults.push(error) }))),
    faults,
  };
}

test('9.7 recorded turns are told with the snapshots that the machine came to', async () => {
  const { url, faults } = await opened();
  const { events, told } = receiver(`${url}?shoot=${shoot}`);
  await told(1 + 2 * outage.length);
  expect(events[0]).toMatchObject({ type: '@xstate.actor', snapshot: { value: outage[0]!.before?.value } });
  const stood = events.flatMap((one) => (one.type === '@xstate.snapshot' ? [Reflect.get(one.snapshot, 'value')] : []));
  // The last turn ended the machine, which stands nowhere then.
  expect(stood).toEqual(outage.map(({ after, event }) => (event.type === 'ended' ? undefined : after?.value)));
  expect(faults).toEqual([]);
});

test('9.7 a part of the time can be asked for', async () => {
  const { url } = await opened();
  const { events, told } = receiver(`${url}?shoot=${shoot}&most=2`);
  await told(5);
  expect(events[1]).toMatchObject({ type: '@xstate.event', id: String(outage[0]!.seq) });
});

test.each([
  ['', '1008 name a machine: ?shoot=NAME or ?service=NAMESPACE/NAME'],
  ['?shoot=shoot--other', '1008 no event of shoot--other is recorded'],
  ['?shoot=a&most=0', '1008 most must be a number from 1 to 5000'],
  ['?shoot=a&to=7', '1008 nothing is called to here; there is shoot, service, from, until, most'],
])('9.7 %s is refused: %s', async (query, refusal) => {
  const { url } = await opened();
  expect(await greeted(`${url}${query}`)).toBe(refusal);
});
