import { beforeAll, describe, expect, test } from 'vitest';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { Happening } from '../happening.ts';
import type { Law } from '../law.ts';
import { live } from '../life.ts';
import { begun, judged, prober, shoot, start, turn } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import type { Scene } from '../scene.ts';
import { quietPlan } from '../seed-plan.ts';
import { asBefore } from './healing.ts';
import { machineLaws, noBugs, noSpinning, oneIn, ownAnswers, replayAgrees, toldOnce, weederLaws } from './machines.ts';

// One life is lived, in which no law is broken. Each law then judges what was seen of it, with one thing changed.

const seen: Observation[] = [];
let scene: Scene;

function at(second: number, kind: string, of: Record<string, unknown> = {}): Happening {
  return { at: second * 1_000, kind, shoot, of };
}

beforeAll(async () => {
  await live(
    {
      ...quietPlan,
      replicas: { prober: 1, weeder: 1 },
      weather: 420_000,
      happenings: [
        at(5, 'control plane set up'),
        at(30, 'nodes cut off', { fraction: 1 }),
        at(40, 'service down', { group: 'etcd-main' }),
        at(100, 'nodes healed'),
        at(290, 'service up', { group: 'etcd-main' }),
      ],
    },
    {
      laws: [],
      endsWithWeather: true,
      observe: (one) => void seen.push(one),
      atEnd(ended) {
        scene = ended;
      },
    },
  );
});

/** Another turn in the place of this one; undefined leaves it. */
type Change = (turn: Turn) => object | undefined;

/** What a law says where the first turn that `change` has an answer for is changed so. */
function judge(law: Law, change: Change = () => undefined): string | undefined {
  const inForce = begun(law, scene);
  let isChanged = false;
  for (const one of seen) {
    const changed: object | undefined = one.kind === 'turn' && !isChanged ? change(one.turn) : undefined;
    isChanged ||= changed !== undefined;
    const why = inForce.hear(changed === undefined ? one : ({ ...one, turn: changed } as Observation));
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Changes the parameters of the first command of a type. */
function commanding(type: string, params: object): Change {
  const changed = (one: Turn['commands'][number]) =>
    one.type === type ? { type, params: { ...one.params, ...params } } : one;
  return (turn) =>
    turn.commands.some((command) => command.type === type)
      ? { ...turn, commands: turn.commands.map(changed) }
      : undefined;
}

const restingAsItScales: Change = (turn) =>
  turn.kind === 'shoot' && turn.commands.some(({ type }) => type === 'scale')
    ? { ...turn, after: { ...turn.after, value: { shield: 'idle', probe: 'off' } } }
    : undefined;

const ofAnotherShoot: Change = (turn) =>
  turn.event.type === 'probe.answered' ? { ...turn, subject: 'shoot--demo--02' } : undefined;

const deletingTwice: Change = (turn) => {
  const deletion = turn.commands.find(({ type }) => type === 'deletePod');
  return deletion && { ...turn, commands: [...turn.commands, deletion] };
};

describe('laws of the machines, seen to fail', () => {
  test('S3 S5 a scale-down without mark and record, in the wrong state, or by a machine that nobody started', () => {
    expect(judge(machineLaws)).toBe(undefined);
    expect(judge(machineLaws, commanding('scale', { change: { replicas: 0 } }))).toContain('S5 no 0 without a mark');
    expect(judge(machineLaws, restingAsItScales)).toContain('S3 nothing is written for a shoot that rests');
    expect(judge(machineLaws, ofAnotherShoot)).toContain('took a turn without a first one');
  });

  test('S8 a pod that is deleted a second time, or that does not crash-loop', () => {
    const another = { pod: { uid: 'another', name: 'another' } };
    expect(judge(weederLaws)).toBe(undefined);
    expect(judge(weederLaws, commanding('deletePod', another))).toContain('S8 a pod is deleted in CrashLoopBackOff');
    expect(judge(weederLaws, deletingTwice)).toContain('S8 an incarnation is deleted once');
  });

  test('L3 a turn that comes to something else when it is taken again', () => {
    expect(judge(replayAgrees)).toBe(undefined);
    let turns = 0;
    const changed = judge(replayAgrees, (turn) => {
      turns += 1;
      return turns % oneIn === 0 && turn.before !== undefined ? { ...turn, commands: [{ type: 'wake' }] } : undefined;
    });
    expect(changed).toContain('came to');
  });
});

const controllerManager = 'kube-controller-manager';

/** What the law says once a process of ours has done this. */
function settledAfter(does: () => void): string | undefined {
  const { store } = scene.seed.api.storage;
  const inForce = begun(asBefore, scene);
  const stop = store.of(kinds.deployment).onChange((change) => {
    inForce.hear({ at: 0, kind: 'change', of: kinds.deployment, change });
  });
  store.writer = { user: 'prober-0#1', sentAt: 0 };
  does();
  store.writer = undefined;
  stop();
  return inForce.settled();
}

function annotate(name: string, value: string | null): void {
  const annotations = { [`dependency-watchdog.gardener.cloud/${name}`]: value };
  scene.seed.shoot(shoot).dependants.annotate(controllerManager, annotations);
}

test('L1 all is as before, seen to fail: other replicas, a mark, a record; not what another hand did', () => {
  const { dependants } = scene.seed.shoot(shoot);
  const { desired = 0 } = dependants.get(controllerManager) ?? {};
  expect(settledAfter(() => undefined)).toBe(undefined);
  expect(settledAfter(() => annotate('meltdown-protection-active', ''))).toContain('a mark is left');
  annotate('meltdown-protection-active', null);
  expect(settledAfter(() => annotate('replicas', '2'))).toContain('a record is left');
  annotate('replicas', null);
  expect(settledAfter(() => dependants.scale(controllerManager, desired + 1))).toContain(`it had ${desired}`);
  const byHand = () => {
    scene.seed.api.storage.store.writer = undefined;
    dependants.scale(controllerManager, desired + 2);
  };
  expect(settledAfter(byHand)).toBe(undefined);
});

test('no bugs: one that a machine met, and the program survived, is seen', () => {
  const turn = { subject: 'shoot--demo--01', event: { type: 'ended', because: 'bug', error: 'oh' } };
  expect(judged(noBugs, [{ at: 1, kind: 'turn', process: prober, turn } as never])).toContain('oh');
});

test('1.2 4.6 a process that spins is seen', () => {
  const turn = { at: start, kind: 'turn', process: prober, turn: { subject: 'shoot--demo--01' } } as never;
  const taken = (turns: number, largeControlPlanes: boolean): string | undefined =>
    judged(
      noSpinning,
      Array.from({ length: turns }, () => turn),
      { plan: { largeControlPlanes } },
    );
  expect(taken(100, false)).toBe(undefined);
  expect(taken(101, false)).toContain('101 turns within a second');
  expect(taken(1_000, true)).toBe(undefined);
  expect(taken(1_001, true)).toContain('1001 turns within a second');
});

const key = 'Deployment/kube-controller-manager';
const scaling = (at: number, resourceVersion: string): Observation =>
  turn(at, { commands: [{ type: 'scale', params: { key, seen: { resourceVersion } } }] });
const answered = turn(2, {
  event: { type: 'scale.answered', asked: { key }, answer: { outcome: 'written', view: { resourceVersion: '7' } } },
});
const told = (event: object): Observation => turn(3, { event });

test('6.6 what a write was answered is not forgotten, unless a GET or the history of the seed says otherwise', () => {
  expect(judged(ownAnswers, [scaling(1, '5'), answered, scaling(4, '7')])).toBe(undefined);
  expect(judged(ownAnswers, [scaling(1, '5'), answered, scaling(4, '6')])).toContain('7 had been answered');
  const rewound = told({ type: 'dependant.changed', key, rewound: true });
  expect(judged(ownAnswers, [answered, rewound, scaling(4, '6')])).toBe(undefined);
  const read = told({ type: 'read.answered', asked: { key } });
  expect(judged(ownAnswers, [answered, read, scaling(4, '6')])).toBe(undefined);
});

const heard = (event: object): Observation => turn(0, { event });

describe('3.5 what did not change is not told', () => {
  const reading = { readable: true, cluster: { hibernated: false } };
  const [changed, live] = [
    { type: 'cluster.changed', reading },
    { type: 'cluster.watched', live: true },
  ];

  test('3.5 it is told as often as it comes while a GET of it is under way, and once after that', () => {
    const asks = turn(0, { event: { type: 'woken' }, commands: [{ type: 'readCluster', params: {} }] });
    const answered = heard({ type: 'cluster.answered' });
    const [is, again] = [heard(live), heard(changed)];
    expect(judged(toldOnce, [is, again, asks, again, again, answered, again])).toBe(undefined);
    expect(judged(toldOnce, [is, again, asks, again, answered, again, again])).toContain('did not change');
  });

  test('3.5 a Cluster is told twice where it is not the same, or where its stream was out', () => {
    const other = { ...changed, reading: { ...reading, cluster: { hibernated: true } } };
    expect(judged(toldOnce, [live, changed, other].map(heard))).toBe(undefined);
    expect(judged(toldOnce, [live, changed, { ...live, live: false }, changed, live].map(heard))).toBe(undefined);
    expect(judged(toldOnce, [live, changed, { type: 'started' }, live, changed].map(heard))).toBe(undefined);
    expect(judged(toldOnce, [live, changed, changed].map(heard))).toContain(
      'was told of a Cluster that did not change',
    );
  });
});
