import * as z from 'zod';
import { BehaviorSubject, NEVER, Subject } from 'rxjs';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { kindOccurrences, type KindOccurrences } from '../../src/adapters/events/occurrences.ts';
import { follow, type ToldTurn } from '../../src/adapters/episodes/course.ts';
import { kindEpisodes, type KindEpisodes } from '../../src/adapters/episodes/episode-courses.ts';
import { postEvents } from '../../src/adapters/events/kube-events.ts';
import { owingStates, watchTurns, type OwingStates } from '../../src/adapters/http/health.ts';
import { journal } from '../../src/adapters/journal/journal.ts';
import { journalKinds, type JournalKinds } from '../../src/adapters/journal/journal-kinds.ts';
import type { ReplayMachines } from '../../src/adapters/journal/replay-journal.ts';
import { createLog } from '../../src/adapters/log/log.ts';
import { callRolls, rolls } from '../../src/adapters/log/roll-call.ts';
import type { Rolls } from '../../src/adapters/log/roll.ts';
import { logTurns, turnLogs, type TurnLogs } from '../../src/adapters/log/turn-log.ts';
import { makeInstruments } from '../../src/adapters/metrics/metric-list.ts';
import { countTurns, turnCounters, type TurnCounters } from '../../src/adapters/metrics/turn-metrics.ts';
import { nameOf } from '../../src/adapters/turns/turn-name.ts';
import { kindWords, type KindWords } from '../../src/adapters/words/turn-words.ts';
import { replayJournals } from '../../src/commands/replay/replay-journals.ts';
import { jsonReport } from '../../src/commands/replay/json-report.ts';
import type { ReplayKinds } from '../../src/commands/replay/replay-kinds.ts';
import { textReport } from '../../src/commands/replay/text-report.ts';
import { kindInterests, type KindInterests } from '../../src/commands/replay/turn-interest.ts';
import { supervise } from '../../src/effects/supervise.ts';
import type { Turn, TurnOf } from '../../src/effects/turn.ts';
import { command } from '../../src/machines/chart-actions.ts';
import { pureMachines, type Languages } from '../../src/machines/kinds.ts';
import { pureMachine } from '../../src/machines/pure-machine.ts';
import { FakeKubeClient } from '../support/fake-kube-client.ts';
import { settled, VirtualClock } from '../support/virtual-clock.ts';
import { meltdown } from './story.ts';
import { recovery } from './weeder-story.ts';

/** A kind of machine that this program does not have: a bell counts how often it was rung, and says so when it is rung hard. */
type BellLanguage = Readonly<{
  Kind: 'bell';
  Subject: `bell of ${string}`;
  Input: Readonly<{ rings: number }>;
  Event: Readonly<{ type: 'rung'; at: number; hard: boolean }> | Readonly<{ type: 'bell.gone'; at: number }>;
  State: 'hanging';
  Context: Readonly<{ rings: number }>;
  Command: Readonly<{ type: 'sound'; params: Readonly<{ rings: number }> }>;
  Note: Readonly<{ kind: 'loud'; rings: number }>;
}>;

type Three = Languages & { bell: BellLanguage };

const base = setup({
  types: {
    input: {} as BellLanguage['Input'],
    context: {} as BellLanguage['Context'],
    events: {} as BellLanguage['Event'],
  },
  actions: { sound: command<Readonly<{ rings: number }>>(), note: command<BellLanguage['Note']>() },
});
const bellMachine = base.createMachine({
  context: ({ input }: { input: BellLanguage['Input'] | undefined }) => ({ rings: input?.rings ?? 0 }),
  initial: 'hanging',
  states: { hanging: {} },
  on: {
    rung: {
      actions: base.enqueueActions(({ context, event, enqueue }) => {
        const rings = context.rings + 1;
        enqueue.assign({ rings });
        enqueue({ type: 'sound', params: { rings } });
        if (event.type === 'rung' && event.hard) enqueue({ type: 'note', params: { kind: 'loud', rings } });
      }),
    },
  },
});

const bell = pureMachine<BellLanguage, typeof bellMachine>(bellMachine, {
  wakeAt: () => undefined,
  stateOf: () => 'hanging',
});

const kinds: ReplayKinds<Three> = {
  machines: { ...pureMachines, bell },
  journal: {
    ...journalKinds,
    bell: {
      subject: z.templateLiteral(['bell of ', z.string()]),
      namespaceOf: (subject) => subject.slice('bell of '.length),
      events: { started: true, ended: true, rung: true, 'bell.gone': true },
      states: { hanging: true },
    },
  },
  interests: {
    ...kindInterests,
    bell: { begin: () => (turn) => turn.notes.length > 0, named: { hanging: true } },
  },
  episodes: {
    ...kindEpisodes,
    bell: {
      summed: 'peal',
      plural: 'peals',
      begin: () =>
        follow({
          kind: 'peal',
          next: (open, turn: ToldTurn<BellLanguage>, run) =>
            turn.event.type === 'rung' && turn.event.hard ? [{ began: nameOf(turn, run), endedAt: turn.at }] : open,
          words: ({ began: { subject } }) => ({
            weight: 'notable',
            sentence: 'a peal',
            lines: [],
            stages: [],
            data: { bell: subject },
          }),
          summary: ({ began: { subject } }) => [`${subject}, a peal`],
        }),
    },
  },
  words: {
    ...kindWords,
    bell: {
      noun: 'bell',
      event: ({ type }) => `the bell: ${type}`,
      note: ({ rings }) => `a loud ring, the ${rings}th`,
      command: ({ params }) => `sound ${params.rings}`,
    },
  },
};

/** A bell is rung twice, the second time hard, and goes. */
async function bellStory(): Promise<readonly TurnOf<BellLanguage>[]> {
  const clock = new VirtualClock(5_000);
  const turns: TurnOf<BellLanguage>[] = [];
  const rope = new Subject<BellLanguage['Event']>();
  const present$ = new BehaviorSubject<ReadonlySet<BellLanguage['Subject']>>(new Set(['bell of shoot--sim--one']));
  const sounded: number[] = [];
  const running = supervise<BellLanguage>({
    clock,
    kind: 'bell',
    machine: bell,
    present$,
    events$: () => rope,
    departure: 'bell.gone',
    input: () => ({ rings: 0 }),
    nowhere: 'hanging',
    effects:
      () =>
      ({ params }) => {
        sounded.push(params.rings);
        return NEVER;
      },
  }).subscribe((turn) => turns.push(turn));
  rope.next({ type: 'rung', at: clock.now(), hard: false });
  await clock.advanceBy(1_000);
  rope.next({ type: 'rung', at: clock.now(), hard: true });
  rope.next({ type: 'bell.gone', at: clock.now() });
  running.unsubscribe();
  expect(sounded).toEqual([1, 2]);
  return turns;
}

const rings = await bellStory();
/** With turns of the other kinds on both sides. */
const story = [...(await meltdown()), ...rings, ...(await recovery())].map((turn, index) => ({
  ...turn,
  seq: index + 1,
})) as readonly (Turn | TurnOf<BellLanguage>)[];

test('9.1 a third kind of machine runs on the same runtime', () => {
  expect(rings.map(({ kind, subject, event, to }) => [kind, subject, event.type, to])).toEqual(
    ['started', 'rung', 'rung', 'bell.gone', 'ended'].map((type) => [
      'bell',
      'bell of shoot--sim--one',
      type,
      'hanging',
    ]),
  );
  expect(rings.map(({ before, after }) => [before?.context.rings, after?.context.rings])).toEqual([
    [undefined, 0],
    [0, 1],
    [1, 2],
    [2, 2],
    [2, 2],
  ]);
});

test('9.1 9.4 it is logged as it says itself, and at DEBUG in its own words', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', clock: { now: () => 0 }, write: (line) => lines.push(line) });
  const logs: TurnLogs<Three> = {
    ...turnLogs,
    bell: {
      fields: (subject) => ({ bell: subject }),
      lines: (to) => (turn) => turn.notes.forEach(({ rings: count }) => to.warn('loud', { rings: count })),
    },
  };
  const observe = logTurns<Three>(log, logs, kinds.words);
  for (const turn of story) observe(turn);
  const [, rung, hard] = rings;
  for (const turn of [rung!, hard!]) observe(turn);
  observe({
    ...hard!,
    event: { type: 'ended', at: 1, because: 'bug', error: 'cracked', during: rung!.event as never },
  });
  const bug = JSON.parse(lines.at(-1)!);
  expect(bug).toMatchObject({
    msg: 'a bug of the watchdog ended its work on the bell bell of shoot--sim--one; it begins afresh',
    error: 'cracked',
    event: 'the bell: rung',
  });
  expect(bug.lastTurns.map((line: string) => line.slice(line.indexOf(' ')))).toEqual(
    Array(2).fill(' rung: hanging → hanging'),
  );
  lines.splice(lines.findLastIndex((line) => line.includes('bell gone')) + 1);
  const told = lines.map((line) => JSON.parse(line)).filter((line) => 'bell' in line || line.msg === 'loud');
  expect(told.map(({ line, msg }) => line ?? msg)).toEqual([
    'turn',
    'turn',
    'turn',
    'loud',
    'turn',
    'turn',
    'bell gone',
  ]);
  expect(told[2]).toMatchObject({
    bell: 'bell of shoot--sim--one',
    event: 'the bell: rung',
    notes: ['a loud ring, the 2th'],
    commands: ['sound 2'],
  });
});

const says = (message: string) => ({ message, fields: {} });

test('9.1 9.4 the log says how all of it stand', async () => {
  const lines: string[] = [];
  const clock = new VirtualClock();
  const log = createLog({
    level: 'info',
    clock,
    write: (line) => lines.push((JSON.parse(line) as { msg: string }).msg),
  });
  let hanging = 0;
  const table: Rolls<Three> = {
    ...rolls,
    bell: () => ({
      take({ event }) {
        if (event.type === 'started') hanging += 1;
        return event.type === 'started' ? says('a bell was found') : undefined;
      },
      found: () => says(`${hanging} found`),
      standing: () => says(`${hanging} hanging`),
      left: () => ({ each: [says('it hangs')], all: says('all hang') }),
    }),
  };
  const roll = callRolls<Three>({ log, clock, nobody: 'nothing' }, table);
  roll.onLead(true);
  for (const turn of rings) roll.observe(turn);
  await clock.advanceBy(60_000);
  roll.end();
  expect(lines).toEqual(['a bell was found', '1 found', '1 hanging', 'it hangs', 'all hang']);
});

test('9.1 9.2 it is counted, by its own counter and with all others', async () => {
  const registry = new Registry();
  const counted: string[] = [];
  const observe = countTurns<Three>(
    makeInstruments(() => registry),
    {
      shoot: () => undefined,
      weeder: () => undefined,
      bell: ({ event }) => void counted.push(event.type),
    },
  );
  for (const turn of story) observe(turn);
  expect(counted).toEqual(['started', 'rung', 'rung', 'bell.gone', 'ended']);
  expect(await registry.metrics()).toContain('dwd_turns_total{event="rung"} 2');
});

test('9.1 9.5 it posts Kubernetes events', async () => {
  const seed = new FakeKubeClient(() => ({}));
  const events = postEvents<Three>(
    {
      client: seed,
      clock: new VirtualClock(),
      component: 'ringer',
      say: () => undefined,
      onDropped: () => undefined,
      onFault: (error) => expect.unreachable(String(error)),
    },
    {
      ...kindOccurrences,
      shoot: () => [],
      bell: (turn) =>
        turn.notes.map(() => ({
          namespace: 'shoot--sim--one',
          ref: { apiVersion: 'v1', kind: 'Bell', name: 'bell' },
          type: 'Normal',
          reason: 'Weeded',
          message: 'loud',
        })),
    },
  );
  for (const turn of rings) events.observe(turn);
  for (let round = 0; round < 20; round++) await settled();
  const posted = seed.asked.filter(({ path }) => path.endsWith('/events'));
  expect(posted.map(({ body }) => body)).toMatchObject([{ message: 'loud', involvedObject: { kind: 'Bell' } }]);
});

test('9.1 9.3 work that it owes is owed', async () => {
  const clock = new VirtualClock();
  const healthOf = (hanging: boolean) => {
    const health = watchTurns<Three>({ clock, longestSilence: 1_000 }, { ...owingStates, bell: { hanging } });
    for (const turn of rings.slice(0, 3)) health.observe(turn);
    return health;
  };
  const [owing, idle] = [healthOf(true), healthOf(false)];
  await clock.advanceBy(1_001);
  const statusOf = async (health: typeof owing) => (await health.routes['/healthz'](new URLSearchParams())).status;
  expect([await statusOf(owing), await statusOf(idle)]).toEqual([503, 200]);
  for (const turn of rings.slice(3)) owing.observe(turn);
  await clock.advanceBy(1_001);
  expect(await statusOf(owing)).toBe(200);
});

/** The whole story as the journal keeps it. */
function recorded(): string {
  const kept = journal<Turn | TurnOf<BellLanguage>>({
    clock: new VirtualClock(),
    program: { role: 'ringer', version: '0', processId: 1, configuration: {} },
    say: () => undefined,
    onDropped: () => expect.unreachable(),
    onWriteFailed: () => expect.unreachable(),
  });
  for (const turn of story) kept.observe(turn);
  return [...kept.chapters()].join('');
}

async function replayed(text: string, report: 'text' | 'json', only?: string) {
  const out: string[] = [];
  const summary = await replayJournals<Three>(
    [
      {
        name: 'journal',
        bytes: (async function* () {
          yield Buffer.from(text);
        })(),
      },
    ],
    kinds,
    { only, report: report === 'text' ? textReport(kinds, false) : jsonReport(kinds), out: (line) => out.push(line) },
  );
  return { summary, out };
}

test('9.1 9.6 L3 it is journaled and replayed beside the others', async () => {
  const { summary, out } = await replayed(recorded(), 'text');
  expect(summary).toMatchObject({ subjects: { shoot: 1, weeder: 1, bell: 1 }, differences: [], damaged: 0 });
  // Each machine's `ended` comes from the runtime.
  expect(summary.checked).toBe(story.length - 3);
  expect(out).toContain(
    `${story.length} events of 1 shoot and 1 service and 1 bell, ${story.length - 3} of them replayed`,
  );
  expect(out.filter((line) => line.includes('loud ring'))).toHaveLength(1);
  expect(out.slice(out.indexOf('1 peal:'))).toEqual(expect.arrayContaining(['  bell of shoot--sim--one, a peal']));

  const { out: lines } = await replayed(recorded(), 'json', 'shoot--sim--one');
  const values = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(values.find(({ event }) => (event as { type?: string } | undefined)?.type === 'rung')).toMatchObject({
    bell: 'bell of shoot--sim--one',
    says: ['the bell: rung', 'sound 1'],
  });
  expect(values.at(-1)).toMatchObject({
    summary: { shoots: 1, services: 1, bells: 1, peals: [{ bell: 'bell of shoot--sim--one' }] },
  });
});

test('9.1 9.6 L3 a turn of it that comes out otherwise is found, and a line that is none of its own is damaged', async () => {
  const other = await replayed(recorded().replace('"kind":"loud","rings":2', '"kind":"loud","rings":3'), 'text');
  expect(other.summary.differences).toHaveLength(1);
  expect(other.out.join('\n')).toContain('The later events of this bell are shown as recorded.');
  const strange = await replayed(recorded().replace('"type":"rung"', '"type":"probe.answered"'), 'text');
  expect(strange.summary.damaged).toBe(1);
});

test('9.1 nothing compiles until each table has an entry for it', () => {
  const counters = turnCounters(makeInstruments(() => new Registry()));
  const tables = [
    // @ts-expect-error Its machine is missing,
    pureMachines satisfies ReplayMachines<Three>,
    // @ts-expect-error its lines in the log,
    turnLogs satisfies TurnLogs<Three>,
    // @ts-expect-error how all of it stand,
    rolls satisfies Rolls<Three>,
    // @ts-expect-error its words,
    kindWords satisfies KindWords<Three>,
    // @ts-expect-error what counts its turns,
    counters satisfies TurnCounters<Three>,
    // @ts-expect-error its Kubernetes events,
    kindOccurrences satisfies KindOccurrences<Three>,
    // @ts-expect-error the states in which it owes a turn,
    owingStates satisfies OwingStates<Three>,
    // @ts-expect-error how its lines in the journal are read,
    journalKinds satisfies JournalKinds<Three>,
    // @ts-expect-error what a replay shows of it,
    kindInterests satisfies KindInterests<Three>,
    // @ts-expect-error and what it sums up.
    kindEpisodes satisfies KindEpisodes<Three>,
  ];
  for (const table of tables) expect(Object.keys(table).toSorted()).toEqual(['shoot', 'weeder']);
});
