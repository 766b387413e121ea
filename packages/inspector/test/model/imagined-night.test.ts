import { expect, test } from 'vitest';
import type { JournalTurnOf } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { NodeLease } from 'dependency-watchdog/domain/prober/node-lease.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import { outagesBeside, recordedInTime } from '../../model/imagined/outage-beside.ts';
import type { OutageCourse } from '../../model/imagined/outage-courses.ts';
import { nightAnswer, nightWords } from '../../model/imagined/night-answer.ts';
import { playShoot, type PlayedTurn } from '../../model/imagined/play-shoot.ts';
import { recordedLeases } from '../../model/imagined/recorded-leases.ts';
import { recordedShoot, type RecordedShoot } from '../../model/imagined/recorded-shoot.ts';
import { whatIfShoot } from '../../model/imagined/what-if-shoot.ts';
import type { ImaginedConfig } from '../../model/questions/what-if-changes.ts';
import { replayTurns } from '../../model/replayed-turn.ts';
import { whatIfOutage } from '../../model/imagined/what-if-outage.ts';
import { pureMachines, type ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig, twoPathConfig } from '@dwd/testing/prober-configs.ts';

/** As a journal has them: `from` on, with a snapshot where it does not begin with the machine's first turn. */
function recorded(turns: readonly ShootTurn[], run = 'a-run', into = recordedShoot(turns[0]!.subject)): RecordedShoot {
  turns.forEach((turn, index) => {
    const { before, after: _, from: __, ...kept } = turn;
    const line = { ...kept, run, ...(index === 0 && before !== undefined ? { before } : {}) };
    into.take(JSON.parse(JSON.stringify(line)) as JournalTurnOf<ShootLanguage> & { run: string });
  });
  return into;
}

/** A calm time, an outage of 90 s with three of five nodes silent, and its healing. */
async function night(nodes = 5): Promise<readonly ShootTurn[]> {
  const guarded = new GuardedWorld(gardenerConfig, nodes);
  await guarded.pass(120_000);
  guarded.world.cutOff();
  await guarded.pass(90_000);
  guarded.world.heal();
  await guarded.pass(180_000);
  guarded.stop();
  return guarded.turns;
}

const story = await night();

const sentences = (config: Partial<ImaginedConfig>, of = recorded(story)): readonly string[] => {
  const answer = whatIfShoot(of, { config });
  return answer.ok ? answer.outages.map(({ sentence }) => sentence) : [answer.because];
};

/** The notes that tell an outage, each with its time. */
const told = ({ event, notes }: Pick<PlayedTurn, 'event' | 'notes'>) =>
  notes
    .filter(({ kind }) => kind === 'decided' || kind === 'shielded' || kind === 'restored')
    .map((note) => `${note.kind} ${event.at} ${JSON.stringify(note)}`);

test('9.12 a record that is played with the configuration that it had comes out as it was', async () => {
  for (const turns of [story, await meltdown(), story.slice(20)]) {
    const of = recorded(turns);
    const played: PlayedTurn[] = [];
    Array.from(playShoot(of, {}, { mostSteps: 10_000, endsAt: of.endsAt(), take: (turn) => played.push(turn) }));
    expect(played.flatMap(told)).toEqual(turns.flatMap(told));
    expect(played.flatMap(told).length).toBeGreaterThanOrEqual(3);
  }
});

test.each<[Partial<ImaginedConfig>, RegExp]>([
  [{ nodeLeaseFailureFraction: 0.6 }, /^scaled down at the same time, 6\.2 s before the first mark$/],
  [{ nodeLeaseFailureFraction: 0.7 }, /^scaled down 1\.7 s later, 4\.5 s before the first mark/],
  [{ nodeLeaseFailureFraction: 0.2 }, /^scaled down 3\.4 s sooner, 9\.6 s before the first mark/],
  [{ kcmNodeMonitorGraceDuration: 60_000 }, /^scaled down 15 s later, 11\.2 s before the first mark$/],
  [{ kcmNodeMonitorGraceDuration: 200_000 }, /^not scaled down at all; no node would have been marked$/],
  [{ failureThreshold: 3, probeInterval: 10_000 }, /^scaled down too late: the first mark came .* s before/],
  [{ failureThreshold: 30 }, /^not scaled down at all; 5 nodes would have been marked, the first at 00:19:11\.7$/],
])('9.12 the recorded leases that follow are judged with %j until the outage is over', (config, expected) => {
  const answer = sentences(config);
  expect(answer).toHaveLength(1);
  expect(answer[0]).toMatch(expected);
});

test('9.12 an outage that would have been one is told, where nothing was scaled down', async () => {
  const guarded = new GuardedWorld({ ...gardenerConfig, nodeLeaseFailureFraction: 1 }, 5);
  await guarded.pass(120_000);
  for (const node of guarded.world.nodes.slice(0, 3)) node.cutOffAt = guarded.clock.now();
  await guarded.pass(90_000);
  guarded.stop();
  expect(sentences({ nodeLeaseFailureFraction: 0.6 }, recorded(guarded.turns))[0]).toMatch(
    /^scaled down at 00:19:\d\d\.\d, where nothing was, .* s before the first mark$/,
  );
});

test('9.12 what somebody else does to a dependant meanwhile is done in the imagined night, too', async () => {
  const guarded = new GuardedWorld(gardenerConfig, 5);
  await guarded.pass(120_000);
  const before = guarded.turns.length;
  const key = gardenerConfig.dependants[2]!.key;
  guarded.world.edit(key, { replicas: 3 });
  await guarded.pass(20_000);
  expect(guarded.turns.length).toBeGreaterThan(before);
  guarded.world.cutOff();
  await guarded.pass(90_000);
  guarded.world.heal();
  await guarded.pass(180_000);
  guarded.stop();
  const written = (turns: readonly Pick<PlayedTurn, 'event'>[]) =>
    turns.flatMap(({ event }) =>
      event.type === 'scale.answered' && event.asked.key === key
        ? [`${event.asked.seen.replicas} → ${event.asked.change.replicas}`]
        : [],
    );
  const played: PlayedTurn[] = [];
  const of = recorded(guarded.turns);
  const changes = { config: { nodeLeaseFailureFraction: 0.7 } };
  Array.from(playShoot(of, changes, { mostSteps: 10_000, endsAt: of.endsAt(), take: (turn) => played.push(turn) }));
  expect(written(played)).toEqual(['3 → 0', '0 → 3', '3 → undefined']);
});

test('9.12 what cannot be played is said, and takes no longer than it may', () => {
  expect(sentences({ probeInterval: 1 })).toEqual([
    'it would take too many steps: the interval is too short to be played',
  ]);
  expect(sentences({ internalProbeFailureBackOffDuration: 1_000 })[0]).toMatch(/this shoot is judged by its leases/);
  expect(sentences({}, recordedShoot('shoot--a--nothing'))).toEqual(['nothing tells where its machine began']);
  expect(whatIfShoot(recorded(story), { config: {} }, { mostSteps: 50 })).toMatchObject({
    ok: false,
    steps: 51,
  });
});

test('9.12 a shoot of two paths is played, too', async () => {
  const guarded = new GuardedWorld(twoPathConfig, 5);
  await guarded.pass(60_000);
  guarded.stop();
  expect(whatIfShoot(recorded(guarded.turns), { config: { failureThreshold: 5 } })).toMatchObject({ ok: true });
});

test('9.12 two runs are played as two runs: what the first has scaled down the second finds', async () => {
  const guarded = new GuardedWorld(gardenerConfig, 5);
  await guarded.pass(120_000);
  guarded.world.cutOff();
  await guarded.pass(90_000);
  guarded.stop();
  const first = [...guarded.turns];
  await guarded.pass(16_000);
  guarded.start(true);
  await guarded.pass(30_000);
  guarded.world.heal();
  await guarded.pass(180_000);
  guarded.stop();
  const of = recorded(guarded.turns.slice(first.length), 'two', recorded(first, 'one'));
  expect(sentences({ nodeLeaseFailureFraction: 0.7 }, of)).toEqual([
    expect.stringMatching(/^scaled down 1\.7 s later, 4\.5 s before the first mark/),
  ]);
});

test('9.12 the night in a sentence', () => {
  const of = (config: Partial<ImaginedConfig>) => nightWords(nightAnswer([whatIfShoot(recorded(story), { config })]));
  expect(of({ nodeLeaseFailureFraction: 0.6 })).toBe('1 as it was; none too late');
  expect(of({ nodeLeaseFailureFraction: 0.7 })).toBe('1 later; none too late');
  expect(of({ failureThreshold: 30 })).toBe(
    '1 scale-down fewer, and nodes would have been marked in it; none too late',
  );
  expect(of({ failureThreshold: 3, probeInterval: 10_000 })).toBe('1 later; 1 too late');
  expect(nightWords(nightAnswer([]))).toBe('nothing was scaled down, and nothing would have been');
  const refused = nightAnswer([whatIfShoot(recorded(story), { config: { probeInterval: 1 } })]);
  expect([...refused.unsaid.values()]).toEqual([['shoot--sim--one']]);
});

test('9.12 the page says of a turn what becomes of its outage', () => {
  const turns = replayTurns<ShootLanguage>(
    pureMachines.shoot,
    story.map(({ from, kind, subject, seq, at, event, to, commands, notes }) => ({
      kind,
      subject,
      seq,
      at,
      event,
      to,
      commands,
      notes,
      run: 'a-run',
      ...(from === undefined ? {} : { from }),
    })),
  );
  const decided = story.findIndex(({ notes }) => notes.some(({ kind }) => kind === 'decided'));
  const down = story.findIndex(({ notes }) => notes.some(({ kind }) => kind === 'shielded'));
  for (const index of [decided, down]) {
    expect(whatIfOutage(turns, index, { nodeLeaseFailureFraction: 0.7 })).toMatch(
      /^With nodeLeaseFailureFraction 0\.7: scaled down 1\.7 s later, 4\.5 s before the first mark/,
    );
    expect(whatIfOutage(turns, index, { nodeLeaseFailureFraction: 0.2 })).toMatch(/: scaled down 3\.4 s sooner, /);
    expect(whatIfOutage(turns, index, { kcmNodeMonitorGraceDuration: 60_000 })).toMatch(
      /^With kcmNodeMonitorGraceDuration 60 s: scaled down 15 s later, /,
    );
  }
  expect(whatIfOutage(turns, decided)).toBeUndefined();
  expect(whatIfOutage(turns, decided, { probeInterval: 1 })).toMatch(/it would take too many steps/);
});

const lease = (renewedAt: number | null, node = 'a'): NodeLease => ({ node, renewedAt });

test('9.12 a lease between two probes is as old as its kubelet lets it become', () => {
  const leases = recordedLeases();
  leases.take(100_000, [lease(95_000), lease(null, 'b')], undefined);
  leases.take(130_000, [lease(125_000), lease(null, 'b')], undefined);
  leases.take(160_000, [lease(125_000)], undefined);
  const renewed = (at: number) => leases.at(at).find(({ node }) => node === 'a')?.renewedAt;
  // Before the first answer as it must have been then.
  expect([90_000, 100_000, 104_999, 105_000, 129_999].map(renewed)).toEqual([85_000, 95_000, 95_000, 105_000, 125_000]);
  // Nobody renewed it any more.
  expect([130_000, 159_000, 500_000].map(renewed)).toEqual([125_000, 125_000, 125_000]);
  expect(leases.at(150_000)).toContainEqual(lease(null, 'b'));
  expect(leases.at(160_000)).toEqual([lease(125_000)]);
  expect(leases.marks(40_000, 0, 200_000)).toEqual({ nodes: 0, firstAt: null });
  expect(leases.marks(30_000, 0, 200_000)).toEqual({ nodes: 1, firstAt: 155_000 });
});

test('9.12 behind the record, what was renewed goes on to be renewed', () => {
  const leases = recordedLeases();
  leases.take(100_000, [lease(95_000)], undefined);
  expect(leases.at(500_000)).toEqual([lease(495_000)]);
});

/** An outage of two minutes that began at this instant, was decided then, and was all down so long before the first mark. */
const course = (beganAt: number, { margin = 6_000, decidedAt = beganAt, lasts = 120_000 } = {}): OutageCourse => ({
  cutOffAt: beganAt,
  beganAt,
  decidedAt,
  downAt: decidedAt + 400,
  firstMarkAt: decidedAt + 400 + margin,
  connectedAt: beganAt + lasts,
  backAt: null,
  endedAt: beganAt + lasts,
  turn: { ...story[0]!, run: 'a-run' },
});

const besides = (did: readonly OutageCourse[], again: readonly OutageCourse[], would: readonly OutageCourse[]) => {
  const outages = outagesBeside('a', { did, again, would }, () => ({ nodes: 0, firstAt: null }));
  return [
    nightWords(nightAnswer([{ ok: true, shoot: 'a', steps: 1, outages }])),
    ...outages.map((one) => one.sentence),
  ];
};

test('9.12 an outage that falls to two pieces when it is played is one', () => {
  const did = [course(0)];
  expect(besides(did, did, [course(0, { lasts: 50_000 }), course(60_000, { lasts: 50_000 })])[0]).toBe(
    '1 as it was; none too late',
  );
  // Nor is it news what the record comes to when it is played with the values that it had.
  expect(besides([], did, did)).toEqual(['nothing was scaled down, and nothing would have been']);
});

test('9.12 what is known only roughly is compared with what is played, and counts as no change', () => {
  const [did, again] = [[course(0, { decidedAt: 9_000 })], [course(0, { decidedAt: 4_000 })]];
  expect(besides(did, again, again)).toEqual([
    '1 as it was; none too late',
    'scaled down at the same time, 6 s before the first mark (known only roughly: the record cannot be played to the instant)',
  ]);
  expect(besides(did, again, [course(0, { decidedAt: 6_000 })])).toEqual([
    '1 known only roughly, and not counted',
    expect.stringMatching(/^scaled down 2 s later, .* \(known only roughly/),
  ]);
});

test('9.12 one that was too late at the same time is not as good as it was', () => {
  const late = [course(0, { margin: -450 })];
  expect(besides(late, late, late)).toEqual([
    '1 as it was; 1 too late',
    'scaled down too late, as it was: the first mark came 0.45 s before',
  ]);
  expect(recordedInTime(late[0]!)).toBe(', 0.45 s too late');
});
