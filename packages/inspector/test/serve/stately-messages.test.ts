import { readFileSync } from 'node:fs';
import { createInspector, type StatelyInspectionEvent } from '@statelyai/inspect';
import { expect, test } from 'vitest';
import { createActor } from 'xstate';
import { isStarted } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { actorMessage, turnMessages, type StatelyTurn } from '../../serve/stately-messages.ts';
import { weederMachine } from 'dependency-watchdog/machines/weeder.ts';
import { recovery } from '@dwd/testing/recorded-nights.ts';

const turns = await recovery();
const [, second] = turns;

/** What Stately's own package says of the same machine and the same event. */
async function theirs(): Promise<readonly StatelyInspectionEvent[]> {
  const [started, next] = turns;
  if (started === undefined || !isStarted(started.event) || next === undefined)
    throw new Error('the story begins otherwise');
  const sent: StatelyInspectionEvent[] = [];
  const { input } = started.event;
  const said = new Promise<void>((resolve) => {
    const adapter = { send: (event: StatelyInspectionEvent) => void (sent.push(event) === 5 && resolve()) };
    const actor = createActor(weederMachine, { input, inspect: createInspector(adapter).inspect });
    actor.start();
    actor.send(next.event as never);
  });
  await said;
  return JSON.parse(JSON.stringify(sent));
}

test("9.7 the messages are those of Stately's own package: fields, version, definition, snapshot", async () => {
  const [theirActor, , , theirEvent, theirSnapshot] = await theirs();
  const actor = JSON.parse(actorMessage(second!, second!.at, second!.before));
  const [event, snapshot] = turnMessages(second!).map((text) => JSON.parse(text));

  for (const [ours, own] of [
    [actor, theirActor],
    [event, theirEvent],
    [snapshot, theirSnapshot],
  ]) {
    expect(ours.type).toBe(own?.type);
    expect(Object.keys(ours).toSorted()).toEqual(Object.keys(own ?? {}).toSorted());
    expect(ours._version).toBe(own?._version);
    expect(ours.rootId).toBe(ours.sessionId);
  }
  expect(JSON.parse(actor.definition)).toEqual(JSON.parse((theirActor as { definition: string }).definition));
  expect(event.event).toEqual((theirEvent as { event: unknown }).event);
  const {
    output: _,
    error: __,
    ...known
  } = { output: 0, error: 0, ...(theirSnapshot as { snapshot: object }).snapshot };
  expect(Object.keys(snapshot.snapshot).toSorted()).toEqual(Object.keys(known).toSorted());
  expect(snapshot.snapshot).toMatchObject({ status: 'active', value: second!.after?.value, tags: [], children: {} });
  expect(actor.createdAt).toBe(String(Math.trunc(second!.at)));
});

test('9.7 the package that the messages follow is the one that they are tested with', () => {
  const { version } = JSON.parse(readFileSync('node_modules/@statelyai/inspect/package.json', 'utf8'));
  expect(JSON.parse(turnMessages(second!)[0]!)._version).toBe(version);
});

const machine = { kind: 'shoot', subject: 'shoot--a' } as const;
const turn: StatelyTurn = {
  ...machine,
  seq: 7,
  at: 1_000.5,
  event: { type: 'woken' },
  after: { value: 'x', context: {} },
};

test.each<[string, StatelyTurn['event'], object]>([
  ['goes on', { type: 'woken' }, { status: 'active' }],
  ['is gone', { type: 'ended', because: 'gone' }, { status: 'done' }],
  ['met a bug', { type: 'ended', because: 'bug', error: 'no such level' }, { status: 'error', error: 'no such level' }],
])('9.7 the snapshot of a machine that %s says so', (_, event, status) => {
  const [, snapshot] = turnMessages({ ...turn, event });
  expect(JSON.parse(snapshot!).snapshot).toMatchObject({ ...status, value: 'x' });
});

test('9.7 a context or an event that is too long is left out, and said', () => {
  const long = 'x'.repeat(1_048_577);
  const leftOut = 'more than 1048576 characters';
  const [event, snapshot] = turnMessages({
    ...turn,
    event: { type: 'woken', error: long },
    after: { value: 'x', context: [long] },
  });
  expect(JSON.parse(event!).event).toEqual({ type: 'woken', at: 1_000.5, leftOut });
  expect(JSON.parse(snapshot!)).toMatchObject({ event: { leftOut }, snapshot: { value: 'x', context: { leftOut } } });
  expect(actorMessage(machine, 1, { value: 'x', context: [long] }).length).toBeLessThan(20_000);
});

test('9.4 what looks like a credential is hidden', () => {
  const token = ['eyJhbGciOiJSUzI1NiJ9', 'eyJzdWIiOiJhIn0', 'c2ln'].join('.');
  const all = turnMessages({ ...turn, event: { type: 'woken', error: token } });
  expect(all.join('')).not.toContain(token);
  expect(all.join('')).toContain('[hidden]');
});
