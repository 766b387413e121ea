import { describe, expect, test } from 'vitest';
import { workloadNumbers } from '@dwd/simulator/store/resource-kind.ts';
import { drawsFrom } from './chance-of.ts';
import { cutOff, type Details, type Happening } from './happening.ts';
import { strike } from './happenings.ts';
import { lastRestores } from './happenings/aimed-restores.ts';
import { seesaws } from './happenings/outages.ts';
import type { Law } from './law.ts';
import { bounds } from './laws/bounds.ts';
import { handsOff, healedInTime } from './laws/healing.ts';
import { onlyLeadersWrite } from './laws/leases.ts';
import { machineLaws } from './laws/machines.ts';
import { noNodeMarked } from './laws/marks.ts';
import { askedAgain, trueOutages, trueReturns } from './laws/verdicts.ts';
import { weededInTime, weedingWindows } from './laws/weeding.ts';
import { waitedReturns } from './laws/returns.ts';
import { levelOrder } from './laws/writes.ts';
import { beginning, live } from './life.ts';
import { shoot } from './made-up.ts';
import { tellTo, type Ears } from './observation.ts';
import { quietPlan, type SeedPlan } from './seed-plan.ts';

/** Lives a quiet seed to which this happens, until its weather ends, with ears that hear it. No law may break; gives what the laws judged. */
async function lived(plan: Partial<SeedPlan>, laws: readonly Law[], ears: Ears): Promise<Record<string, number>> {
  const happenings = plan.happenings?.toSorted((one, other) => one.at - other.at) ?? [];
  const observe = tellTo.bind(undefined, ears);
  const { broken, judged } = await live(
    { ...quietPlan, ...plan, happenings },
    { laws, endsWithWeather: true, observe },
  );
  expect(broken).toBe(undefined);
  return judged;
}

/** The second of a life. */
const secondOf = (at: number): number => Math.round((at - beginning) / 1_000);

const widget = `  - ref: {apiVersion: example.org/v1, kind: Widget, name: widget}
    optional: false
    scaleUp: {level: 0}
    scaleDown: {level: 0}
`;

/** The faults that struck while a shoot was cut off and came back, and how much of what waited was taken back. */
async function outageWith(kind: string, at: number, of: Partial<Details>, more = '') {
  const faults: Record<string, number> = {};
  let takenBack = 0;
  const happenings = [...cutOff(shoot, 30_000, 200_000), { at, kind, shoot, of: { which: 1, ...of } }];
  const plan = { proberConfig: quietPlan.proberConfig + more, weather: 300_000, happenings };
  const judged = await lived(plan, [bounds], {
    fault: ({ name }) => void (faults[name] = (faults[name] ?? 0) + 1),
    turn({ turn }) {
      takenBack += turn.commands.filter(({ type }) => type === 'withdraw').length;
    },
  });
  expect(judged['bounds of writes and reads of the dependants of one machine']).toBeGreaterThan(20);
  return { faults, takenBack };
}

describe('reads that fail from one of our own writes on', () => {
  test.each([
    ['the object', 'down', { fails: 'object', as: 'refused' }, 30_001],
    ['the scale', 'up', { fails: 'scale', as: 'status' }, 199_999],
  ] as const)(
    '6.6 of two requests that read a kind, that for %s fails on the way %s, and the other one is cut',
    async (_, __, of, at) => {
      const { faults } = await outageWith('reads split', at, { ...of, length: 20_000 }, widget);
      // At least ten times as the one failed the other one was not answered: more than the seed may be asked at once.
      expect(faults[`seed: ${of.as}`]).toBeGreaterThan(10);
      expect(faults['seed: lost']).toBe(faults[`seed: ${of.as}`]);
    },
  );

  test('6.6 while the seed asks for patience, what was to be read is taken back as a way down reads it at once', async () => {
    const { faults, takenBack } = await outageWith('reads held', 30_001, { patience: 50, length: 70_000 });
    expect(faults['seed: server throttle']).toBeGreaterThan(50);
    // More than may wait for one shoot.
    expect(takenBack).toBeGreaterThan(12);
  });
});

describe('servers that refuse for a moment, and forget', () => {
  test.each(['API server ending', 'API server busy'])(
    '4.5 a shoot is protected in time, though at the crossing many connections meet an %s',
    async (kind) => {
      const happenings = [
        ...cutOff(shoot, 30_000, 150_000),
        { at: 55_000, kind, shoot, of: { which: 0xaaaa } },
        { at: 68_000, kind: 'API server well', shoot },
      ];
      const judged = await lived({ weather: 200_000, happenings }, [askedAgain, noNodeMarked], {});
      expect(judged).toMatchObject({ 'outages without a mark, something stood in the way': 1 });
      expect(judged['probes after a first 429']).toBeGreaterThan(0);
      expect(Object.keys(judged).filter((name) => name.startsWith('marked: '))).toEqual([]);
    },
  );

  test.each(['API server forgetful', 'seed forgetful'])(
    '4.7 6.6 a shoot is protected and comes back, though each next page has expired: %s',
    async (kind) => {
      const happenings = [
        { at: 10_000, kind, shoot, of: { count: 2 } },
        { at: 12_000, kind: 'watches expired', of: { tellsExpiredBy: 'event' } },
        ...cutOff(shoot, 60_000, 150_000),
      ];
      const judged = await lived({ weather: 250_000, happenings }, [noNodeMarked, healedInTime], {});
      expect(judged).toMatchObject({ 'dependants that came up again': 3 });
      expect(Object.keys(judged).filter((name) => name.startsWith('outages without a mark'))).toHaveLength(1);
    },
  );

  test('7.1 a slice that lingers hides no return of its service', async () => {
    const of = { group: 'kube-apiserver' };
    const happenings = [
      { at: 5_000, kind: 'control plane set up', shoot },
      { at: 20_000, kind: 'service with a slice that lingers', shoot, of },
      { at: 30_000, kind: 'service down', shoot, of },
      { at: 200_000, kind: 'service up', shoot, of },
    ];
    const replicas = { prober: 0, weeder: 1 };
    const judged = await lived({ replicas, weather: 400_000, happenings }, [weededInTime, weedingWindows], {});
    expect(judged['pods weeded within a window']).toBeGreaterThan(0);
  });
});

test('6.5 a shoot that goes to and fro over the threshold is raised again and again, and that not often', async () => {
  // Cut off for half a minute, and back for some seconds, forty times.
  const happenings = seesaws.draw({ ...drawsFrom(() => 0.999), shape: quietPlan, at: 30_000, shoot });
  expect(happenings).toHaveLength(80);
  let verdicts = 0;
  let raises = 0;
  const { ['returns that waited']: waited } = await lived(
    { weather: 1_900_000, happenings },
    [waitedReturns, healedInTime, noNodeMarked],
    {
      turn({ turn }) {
        raises += turn.commands.filter(
          ({ type, params }) => type === 'scale' && 'change' in params && (params.change.replicas ?? 0) > 0,
        ).length;
        verdicts += turn.notes.filter((note) => note.kind === 'verdict' && note.verdict === 'cutOff').length;
      },
    },
  );
  expect(waited).toBeGreaterThan(10);
  expect(verdicts).toBeGreaterThan(100);
  expect(raises).toBeGreaterThan(6);
  expect(raises).toBeLessThan(40);
});

function wayOf(drawn: readonly Happening[]): string {
  const kinds = new Set(drawn.map(({ kind }) => kind));
  if (kinds.has('all processes crashed')) return 'as processes begin';
  return kinds.has('etcd restored') ? 'missed by a server' : 'from under a way up';
}

async function restoresIn(happenings: readonly Happening[], more: Partial<SeedPlan> = {}) {
  const drawn = new Set(happenings.map(({ kind }) => kind));
  const restores: string[] = [];
  const judged = await lived({ weather: 300_000, happenings, ...more }, [healedInTime, onlyLeadersWrite], {
    happening({ happening: { kind } }) {
      if (!drawn.has(kind)) restores.push(kind);
    },
  });
  const taken = judged['Leases taken after they went back'];
  return [...restores, `${judged['dependants that came up again']} up, ${taken} taken`];
}

describe('restores that wait for their moment, and then are told by the name of what they do', () => {
  test('6.6 a backup of what goes up is restored once it is up, and it goes up again though the counter has overtaken what was seen', async () => {
    const of = { after: 2_000, length: 1_000, others: 500 };
    const backup = { at: 100_000, kind: 'etcd backed up as it goes up', shoot, of };
    const [restored, counted] = await restoresIn([...cutOff(shoot, 30_000, 100_000), backup]);
    expect(restored).toBe('etcd restored while away');
    // One of the three came up twice.
    expect(counted).toContain('4 up');
  });

  test('8 a Lease that was let go is restored once another process leads and a standby is there, and the leader goes on', async () => {
    const letGo = { at: 61_000, kind: 'Lease let go and backed up', of: { role: 'prober', after: 30_000 } };
    const electing = { replicas: { prober: 2, weeder: 0 }, election: true };
    expect(await restoresIn([letGo], electing)).toEqual(['etcd restored', '0 up, 0 taken']);
  });

  test('6.6 whatever is restored just before calm, all that it put down goes up again without an election', async () => {
    const ways = new Set<string>();
    for (let number = 1; number <= 16; number += 1) {
      const plan = { ...quietPlan, number, servers: 1 + (number % 2), restores: true, weather: 400_000 };
      const drawn = lastRestores.draw({ ...drawsFrom(() => 0.5), shape: plan, at: 0, shoot: '' });
      const happenings = drawn.toSorted((one, other) => one.at - other.at);
      const { broken } = await live({ ...plan, happenings }, { laws: [healedInTime] });
      const way = wayOf(drawn);
      ways.add(way);
      expect(broken, `number ${number}, ${way}`).toBe(undefined);
    }
    expect([...ways].toSorted()).toEqual(['as processes begin', 'from under a way up', 'missed by a server']);
  });

  test('6.6 processes are led to the server that missed a restore until it starts afresh', async () => {
    const led: unknown[] = [];
    await live(
      { ...quietPlan, servers: 2 },
      {
        laws: [],
        async conduct(scene, passTo) {
          strike(scene, { at: 0, kind: 'etcd backed up' });
          for (const age of [5_000, 14_000, 16_000]) {
            await passTo(age);
            const of = { unnoticed: 10_000, leads: true };
            if (age === 5_000) strike(scene, { at: age, kind: 'etcd restored', of });
            led.push(scene.slots.map(({ links }) => scene.servers().indexOf(links.seed.leadsTo!)));
          }
        },
      },
    );
    expect(led).toEqual([[1], [1], [-1]]);
  });
});

/** What another hand raised, what was late, and what we took to 0, in order; once where it came again and again. */
async function overtakenDeeds(proberConfig = quietPlan.proberConfig): Promise<readonly string[]> {
  const deeds: string[] = [];
  const done = (deed: string): void => void (deed !== deeds.at(-1) && deeds.push(deed));
  const overtaken = { which: 0, below: 0, length: 15_000 };
  const happenings = [
    { at: 30_000, kind: 'overtaken until it is late', shoot, of: overtaken },
    { at: 30_000, kind: 'nodes cut off', shoot, of: { fraction: 1 } },
  ];
  await lived({ proberConfig, weather: 200_000, happenings }, [machineLaws, levelOrder, handsOff, noNodeMarked], {
    shootTurn({ turn }) {
      for (const note of turn.notes) if (note.kind === 'stepTimedOut') done(`${note.key.split('/').at(-1)} late`);
    },
    dependant({ of, change: { revision, previous, writer } }) {
      const { desired } = workloadNumbers(of, revision.object);
      if (previous === undefined || desired === workloadNumbers(of, previous.object).desired) return;
      done(`${revision.object.metadata.name} ${writer === undefined ? 'raised' : `at ${desired}`}`);
    },
  });
  return deeds;
}

describe('somebody who overtakes our writes until they are late', () => {
  test('6.1 what is late on the way down is waited for no more, and waits only a moment for what was raised below it', async () => {
    const [mcm, raised] = ['machine-controller-manager raised', 'kube-controller-manager raised'];
    expect(await overtakenDeeds()).toEqual([
      'machine-controller-manager at 0',
      'cluster-autoscaler at 0',
      raised,
      'kube-controller-manager late',
      raised,
      mcm,
      raised,
      mcm,
      raised,
      mcm,
      'kube-controller-manager at 0',
      'machine-controller-manager at 0',
    ]);
  });

  test('6.1 where all dependants are of one level nobody overtakes a way down', async () => {
    const deeds = await overtakenDeeds(quietPlan.proberConfig.replaceAll(/level: \d/g, 'level: 0'));
    expect(deeds.toSorted()).toEqual([
      'cluster-autoscaler at 0',
      'kube-controller-manager at 0',
      'machine-controller-manager at 0',
    ]);
  });
});

/** When each process started, in seconds of the life, and what it ended by. */
async function startsAndEnds(...happenings: Happening[]): Promise<readonly string[]> {
  const deeds: string[] = [];
  await lived({ replicas: { prober: 2, weeder: 0 }, weather: 200_000, happenings }, [], {
    process: ({ at, process, did, why = did }) => void deeds.push(`${secondOf(at)} ${process} ${why}`),
  });
  return deeds.slice(2);
}

test('5.1 renewals that a slow gateway holds up are judged by what they say, before a node is marked', async () => {
  const happenings = [
    { at: 204_000, kind: 'gateway slowed', shoot, of: { by: 18_800 } },
    { at: 400_000, kind: 'gateway quick again', shoot },
  ];
  const laws = [noNodeMarked, trueOutages, healedInTime];
  const judged = await lived({ number: 13, nodes: 5, weather: 500_000, happenings }, laws, {});
  expect(judged['outages without a mark, nothing stood in the way']).toBe(1);
  expect(judged['dependants that came up again']).toBe(3);
});

test('5.1 API servers that disagree raise nothing in an outage, and take nothing down in calm', async () => {
  const happenings = [
    { at: 60_000, kind: 'servers disagree', shoot, of: { by: 30_000 } },
    ...cutOff(shoot, 1_200_000, 2_400_000),
  ];
  const laws = [noNodeMarked, trueOutages, trueReturns, healedInTime];
  const judged = await lived({ nodes: 5, weather: 2_600_000, happenings }, laws, {});
  expect(judged['verdicts in an outage of all nodes']).toBeGreaterThan(100);
});

test.each([0, 500])('5.1 the etcd of a shoot is away, and lists answer %i: it is not cut off', async (code) => {
  const happenings = [38, 45, 60].flatMap((length, index) => [
    { at: (index + 1) * 300_000, kind: 'its etcd away', shoot, of: { code } },
    { at: (index + 1) * 300_000 + length * 1_000, kind: 'API server well', shoot },
  ]);
  const told: string[] = [];
  await lived({ nodes: 5, weather: 1_300_000, happenings }, [noNodeMarked], {
    shootTurn: ({ turn: { notes } }) => notes.forEach((note) => note.kind === 'verdict' && told.push(note.verdict)),
  });
  expect(new Set(told)).toEqual(new Set(['connected']));
});

describe('ends of our own processes', () => {
  test('a crash loop is slowed by the back-off of the kubelet', async () => {
    const of = { slot: 'prober-1', length: 100_000, lives: 100 };
    const deeds = await startsAndEnds({ at: 1_000, kind: 'crash loop', of });
    const starts = deeds.filter((deed) => deed.endsWith('started')).map((deed) => Number(deed.split(' ')[0]));
    const pauses = starts.slice(1).map((start, index) => start - starts[index]!);
    expect(starts.length).toBeGreaterThan(3);
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    expect(pauses[1]).toBeGreaterThanOrEqual(20);
  });

  test('both replicas crash at once, and both come back', async () => {
    expect(await startsAndEnds({ at: 5_000, kind: 'all processes crashed', of: { length: 1_000 } })).toEqual([
      '5 prober-0#1 crashed',
      '5 prober-1#1 crashed',
      '6 prober-0#2 started',
      '6 prober-1#2 started',
    ]);
  });

  test('a wall clock that is set back ends its process, and one that is set forward does not', async () => {
    const back = { at: 5_000, kind: 'clock set', of: { slot: 'prober-0', by: -60_000 } };
    const forward = { at: 5_000, kind: 'clock set', of: { slot: 'prober-1', by: 60_000 } };
    expect(await startsAndEnds(back, forward)).toEqual([
      expect.stringMatching(/^\d prober-0#1 the clock was set back by/),
      expect.stringMatching(/^\d prober-0#2 started/),
    ]);
  });
});
