import { describe, expect, test } from 'vitest';
import type { ClusterView } from '../../src/domain/prober/cluster-view.ts';
import { strayDependant, type Dependant } from '../../src/domain/prober/dependant.ts';
import {
  type FieldWrites,
  downSince,
  isAtOdds,
  judgeStanding,
  shootStates,
  whileNobodyLeads,
  worstFirst,
  type Oddity,
  type SeenDependant,
  type ShootStanding,
  type StandingState,
} from '../../src/domain/prober/standing.ts';
import type { ResourceView } from '../../src/domain/prober/resource-view.ts';
import { autoscaler, controllerManager, machineController } from '@dwd/testing/prober-configs.ts';
import { present, shielded } from '@dwd/testing/views.ts';

const running: ClusterView = {
  deleting: false,
  hibernationEnabled: false,
  hibernated: false,
  lastOperation: { type: 'Reconcile', state: 'Succeeded' },
  workers: [{ name: 'pool' }],
};
const asleep: ClusterView = { ...running, hibernationEnabled: true };
const waking: ClusterView = { ...running, hibernated: true };
const missing = { found: false } as const;
const zero = present({ replicas: 0, readyReplicas: 0 });

const dependants = [controllerManager, machineController, autoscaler] as const;

type Seen = ResourceView | SeenDependant;

/** The three dependants in the order of `dependants`; what is not given is up. */
function standing(views: readonly Seen[], cluster: ClusterView | string | null = running): ShootStanding {
  return judgeStanding({
    shoot: 'shoot--a--b',
    cluster:
      cluster === null
        ? undefined
        : typeof cluster === 'string'
          ? { readable: false, problem: cluster }
          : { readable: true, cluster },
    dependants: dependants.map((one, index): readonly [Dependant, SeenDependant] => {
      const seen = views[index] ?? present();
      return [one, 'read' in seen ? seen : { read: true, view: seen, writes: {} }];
    }),
  });
}

function written(view: ResourceView, writes: FieldWrites): SeenDependant {
  return { read: true, view, writes };
}

const mark = (at?: number) => ({ mark: { by: 'dependency-watchdog-prober', ...(at === undefined ? {} : { at }) } });
const raised = (at: number, by = 'dependency-watchdog-prober') => ({ replicas: { by, at } });

describe('9.8 the state of a shoot', () => {
  test.each<[string, readonly Seen[], ClusterView | string | null, StandingState]>([
    ['all up', [], running, 'watched'],
    ['all up, the optional one missing', [present(), present(), missing], running, 'watched'],
    ['all up, one ignored at 0', [present(), { ...zero, ignored: true }], running, 'watched'],
    ['all down', [shielded(), shielded(), shielded()], running, 'scaledDown'],
    ['all down but one that is ignored', [shielded(), shielded(), present({ ignored: true })], running, 'scaledDown'],
    ['all down but one that is missing', [shielded(), shielded(), missing], running, 'scaledDown'],
    ['down while it wakes up', [shielded(), shielded(), shielded()], waking, 'scaledDown'],
    ['some down, nobody knows since when', [present(), shielded(), shielded()], running, 'partlyScaledDown'],
    [
      'some down, and the others raised before',
      [written(present(), raised(1)), written(shielded(), mark(5))],
      running,
      'scalingDown',
    ],
    ['some down, and nobody raised the others', [present(), written(shielded(), mark(5))], running, 'scalingDown'],
    [
      'some down, and the others raised after',
      [written(present(), raised(9)), written(shielded(), mark(5))],
      running,
      'scalingUp',
    ],
    [
      'some down, and the others raised by somebody else',
      [written(present(), raised(9, 'kubectl-scale')), written(shielded(), mark(5))],
      running,
      'scalingDown',
    ],
    ['at 0 by others', [zero], running, 'scaledDownByOthers'],
    ['at 0 by others while another is down by us', [zero, shielded(), shielded()], running, 'scaledDown'],
    ['hibernated', [zero, zero, zero], asleep, 'leftAlone'],
    ['hibernated, and marked', [shielded(), shielded(), shielded()], asleep, 'leftAlone'],
    ['waking up', [zero, present(), missing], waking, 'waiting'],
    ['without its Cluster', [], null, 'leftAlone'],
    ['one not read', [{ read: false, problem: 'forbidden' }], running, 'unreadable'],
    [
      'one not read, and others down',
      [{ read: false, problem: 'forbidden' }, shielded(), shielded()],
      running,
      'scaledDown',
    ],
    ['with a Cluster that cannot be read', [], 'spec.shoot is missing', 'unreadable'],
  ])('9.8 %s', (_, views, cluster, state) => {
    expect(standing(views, cluster).state).toBe(state);
  });

  test('9.8 the reason why a shoot is left alone, waits, or cannot be read', () => {
    expect(standing([], asleep).reason).toBe('the shoot is hibernated');
    expect(standing([], waking).reason).toBe('the shoot is still waking up from hibernation');
    expect(standing([], 'spec.shoot is missing').reason).toBe('spec.shoot is missing');
    expect(standing([], null).reason).toBe('its Cluster is gone');
    expect(standing([])).not.toHaveProperty('reason');
  });
});

test('9.8 while nobody leads, no shoot is watched, and that is at odds; all else stays as it is', () => {
  const because = 'nobody leads';
  const calm = whileNobodyLeads(standing([]), because);
  expect(calm).toMatchObject({ state: 'unprotected', reason: because });
  expect([isAtOdds(calm), isAtOdds(standing([]))]).toEqual([true, false]);
  expect(whileNobodyLeads(standing([shielded(), shielded(), shielded()]), because)).not.toHaveProperty('reason');
});

describe('9.8 what is at odds', () => {
  const unread: SeenDependant = { read: false, problem: 'forbidden' };
  test.each<[string, Seen, ClusterView, readonly Oddity[]]>([
    ['up', present(), running, []],
    ['down by us', shielded(), running, []],
    ['a mark left behind', present({ marked: true, record: '2' }), running, ['markLeftBehind']],
    ['a mark left behind on what is ignored', shielded({ ignored: true }), running, ['markLeftBehind']],
    ['a mark in a hibernated shoot', shielded(), asleep, ['markOnLeftAlone']],
    ['a mark in a hibernated shoot, and replicas', present({ marked: true }), asleep, ['markOnLeftAlone']],
    ['a record without a mark', present({ record: '2' }), running, ['recordWithoutMark']],
    ['0 without a mark', zero, running, ['zeroWithoutMark']],
    [
      '0 without a mark, but with a record',
      { ...zero, record: '2' },
      running,
      ['recordWithoutMark', 'zeroWithoutMark'],
    ],
    ['0 without a mark, and ignored', { ...zero, ignored: true }, running, []],
    ['0 in a hibernated shoot', zero, asleep, []],
    ['0 in a shoot that wakes up', zero, waking, []],
    ['down without a record', present({ replicas: 0, marked: true }), running, ['recordUnreadable']],
    ['down with a record of 0', shielded({ record: '0' }), running, ['recordUnreadable']],
    ['missing', missing, running, ['missing']],
    ['missing in a shoot that is left alone', missing, asleep, []],
    ['not read', unread, running, ['unread']],
  ])('9.8 %s', (_, seen, cluster, odd) => {
    const judged = standing([seen], cluster);
    expect(judged.dependants.map((one) => one.odd)).toEqual([odd, [], []]);
    // The Go watchdog leaves one on whatever it brought back: that is no fault of tonight.
    expect(isAtOdds(judged)).toBe(odd.join() !== '' && odd.join() !== 'recordWithoutMark');
  });

  test.each<[string, SeenDependant, ClusterView, readonly Oddity[]]>([
    ['at 0', written(shielded(), {}), running, ['notConfigured']],
    ['with replicas', written(present({ marked: true }), {}), running, ['notConfigured']],
    ['at 0 without a record', written(shielded({ record: 'two' }), {}), running, ['notConfigured', 'recordUnreadable']],
    ['in a hibernated shoot', written(shielded(), {}), asleep, ['notConfigured', 'markOnLeftAlone']],
    ['that cannot be read', unread, running, ['unread']],
  ])(
    '6.5 9.8 what carries the mark and is not in the configuration, %s, is at odds, and says nothing of whether its shoot is watched',
    (_, seen, cluster, odd) => {
      const one = strayDependant({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'of-old' });
      const { shoot, dependants: own } = standing([], cluster);
      const judged = judgeStanding({
        shoot,
        cluster: { readable: true, cluster },
        dependants: own.map(({ dependant }) => [dependant, written(present(), {})]),
        strays: [[one, seen]],
      });
      expect(judged.state).toBe(standing([], cluster).state);
      expect(judged.dependants.map((each) => each.odd)).toEqual([[], [], [], odd]);
      expect(isAtOdds(judged)).toBe(true);
    },
  );

  test('9.8 a Cluster that cannot be read is at odds, an optional dependant that is missing is not', () => {
    expect(isAtOdds(standing([], 'spec.shoot is missing'))).toBe(true);
    expect(isAtOdds(standing([present(), present(), missing]))).toBe(false);
  });
});

describe('9.8 down since when, and by whom', () => {
  test('9.8 since the first of those that are down, if all of them tell', () => {
    const all = [7, 5, 9].map((at) => written(shielded(), mark(at)));
    expect(downSince(standing(all))).toEqual({ by: 'dependency-watchdog-prober', at: 5 });
    const untold = [written(shielded(), mark(7)), shielded(), written(shielded(), mark(9))];
    expect(downSince(standing(untold))).toEqual({ by: 'dependency-watchdog-prober' });
    expect(downSince(standing([shielded(), shielded(), shielded()]))).toEqual({ by: '' });
  });

  test('9.8 nothing where nothing is down by the watchdog; who brought the others to 0 stands with them', () => {
    const judged = standing([written(zero, raised(4, 'kubectl-scale'))]);
    expect(downSince(judged)).toBeUndefined();
    expect(judged.dependants[0]?.downBy).toEqual({ by: 'kubectl-scale', at: 4 });
  });
});

function of(shoot: string, views: readonly Seen[], cluster = running): ShootStanding {
  return { ...standing(views, cluster), shoot };
}

test('9.8 those at odds come first, then the worst states, then the names', () => {
  const all = [
    of('d', []),
    of('c', []),
    { ...of('y', []), reason: 'zone a is cut off' },
    of('e', [], asleep),
    of('b', [shielded(), shielded(), shielded()]),
    of('z', [present({ marked: true })]),
  ];
  expect(all.toSorted(worstFirst).map(({ shoot }) => shoot)).toEqual(['z', 'b', 'y', 'e', 'c', 'd']);
  expect(new Set(shootStates).size).toBe(shootStates.length);
});
