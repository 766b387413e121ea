import { describe, expect, test } from 'vitest';
import { shootLanes } from '../../model/timeline/shoot-lanes.ts';
import { replayTurns, type ReplayedTurn } from '../../model/replayed-turn.ts';
import type { Lane, LaneSpan, Lanes } from '../../model/timeline/lanes.ts';
import { pureMachines, type ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { ShootCommands } from 'dependency-watchdog/machines/shoot-language.ts';
import { controllerManager, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { RecordedShoot } from '../support/recorded-turns.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { present, shielded } from '@dwd/testing/views.ts';

const config = { ...gardenerConfig, initialDelay: 0, dependants: [controllerManager] };
const { key } = controllerManager;
// A real instant: leases of the year 1970 tell nothing.
const start = Date.parse('2026-11-23T12:00:00Z');
const s = (seconds: number) => start + seconds * 1_000;

/** A shoot of three nodes, of which two stop to renew their leases 5 s after the start. Seconds are since then. */
class Story {
  readonly shoot = new RecordedShoot(config, start);
  #asked: number | undefined;

  constructor() {
    this.send({ type: 'cluster.watched', at: s(0), live: true });
    this.send({ type: 'dependant.watched', at: s(0), key, live: true });
    this.send({ type: 'dependant.changed', at: s(1), key, view: present() });
    this.send({ type: 'cluster.changed', at: s(1), reading: { readable: true, cluster: activeCluster } });
  }

  send(event: Parameters<RecordedShoot['send']>[0]) {
    const commands = this.shoot.send(event);
    const probe = commands.find(({ type }) => type === 'probe');
    if (probe?.type === 'probe') this.#asked = probe.params.number;
    return commands;
  }

  /** Asks at `at` and answers half a second later: the leases of a, b and c were renewed then, or cannot be read. */
  probe(at: number, ...renewed: readonly (number | null)[]) {
    this.send({ type: 'woken', at: s(at) });
    const leases = renewed.map((one, index) => ({ node: 'abc'[index]!, renewedAt: one === null ? null : s(one) }));
    return this.send({ type: 'probe.answered', at: s(at + 0.5), number: this.#asked!, askedAt: s(at), leases });
  }

  look(at: number, machines: string) {
    const nodes = ['a', 'b', 'c'].map((name) => ({
      name,
      pool: 'pool',
      unmanaged: false,
      trueConditions: ['Ready'],
      inPlaceUpdate: false,
    }));
    return this.send({
      type: 'candidates.answered',
      at: s(at),
      number: this.#asked!,
      nodes,
      machines: machines.split('').map((node) => ({ node, phase: 'Running' })),
    });
  }

  lanes(
    change: (turns: readonly ReplayedTurn<ShootLanguage>[]) => readonly ReplayedTurn<ShootLanguage>[] = (all) => all,
  ): Lanes {
    const builder = shootLanes();
    for (const one of change(replayTurns(pureMachines.shoot, this.shoot.turns))) builder.take(one);
    return builder.lanes();
  }
}

const seconds = (at: number) => (at - start) / 1_000;
const text = ({ tone, label, from, until }: LaneSpan) =>
  `${seconds(from)}–${until === null ? '' : seconds(until)} ${tone} ${label}`;
const laneOf = ({ first, many }: Lanes, id: string): Lane => [...first, ...many].find((lane) => lane.id === id)!;
const spans = (lanes: Lanes, id: string) => laneOf(lanes, id).spans.map(text);
const under = (lanes: Lanes, id: string) => {
  const lane = laneOf(lanes, id);
  return lane.shows === 'lease' ? [] : lane.under.map(text);
};
const ages = (lanes: Lanes, node: string) => {
  const lane = laneOf(lanes, `lease ${node}`);
  if (lane.shows !== 'lease') return [];
  return lane.ages.renewed.map((at, index) => `${seconds(at)}–${seconds(lane.ages.seen[index]!)}`);
};

function outage(): Story {
  const story = new Story();
  story.probe(2, -6, -5, 2);
  story.probe(33, 5, 5, 31);
  story.look(34, 'abc');
  const commands = story.probe(40, 5, 5, 38);
  const asked = commands.find(({ type }) => type === 'scale')!.params as ShootCommands['scale'];
  const view = shielded({ resourceVersion: '11' });
  story.send({ type: 'scale.answered', at: s(41.3), askedAt: s(41.1), asked, answer: { outcome: 'written', view } });
  return story;
}

describe('9.7 an outage in lanes', () => {
  const lanes = outage().lanes();

  test.each<[string, readonly string[]]>([
    ['state', ['0–1 quiet idle', '1–40.5 calm probing', '40.5–41.3 cutOff scaling down', '41.3– down scaled down']],
    [
      'probes',
      ['0–1 quiet off', '2–2.5 calm 0.5 s', '33–33.5 calm 0.5 s', '33.5–34 calm 0.5 s', '40–40.5 cutOff 0.5 s'],
    ],
    [`dependant ${key}`, ['1–41.3 calm 2 ready', '41.3– down at 0']],
    ['lease a', ['35– cutOff expired']],
    ['lease b', ['35– cutOff expired']],
    ['lease c', []],
  ])('%s', (id, expected) => {
    expect(spans(lanes, id)).toEqual(expected);
  });

  test('a write is on its way from the command to its answer', () => {
    expect(under(lanes, `dependant ${key}`)).toEqual(['40.5–41.3 busy written']);
  });

  test.each<[string, readonly string[]]>([
    ['a', ['-6–2', '5–40']],
    ['b', ['-5–2', '5–40']],
    ['c', ['2–2', '31–33', '38–40']],
  ])('the ages of lease %s are known from a renewal to the last probe that showed no younger one', (node, expected) => {
    expect(ages(lanes, node)).toEqual(expected);
  });

  test('6.9 what somebody else raises has a colour of its own until it is at 0 again', () => {
    const story = outage();
    const raised = present({ resourceVersion: '50', replicas: 1, readyReplicas: 0, marked: true, scaledBy: 'kubectl' });
    story.send({ type: 'dependant.changed', at: s(60), key, view: raised });
    story.send({
      type: 'dependant.changed',
      at: s(63),
      key,
      view: { ...raised, resourceVersion: '51', readyReplicas: 1 },
    });
    story.send({ type: 'dependant.changed', at: s(64), key, view: shielded({ resourceVersion: '52' }) });
    expect(spans(story.lanes(), `dependant ${key}`).slice(2)).toEqual([
      '60–63 refused 0 ready → 1 wanted, raised by kubectl',
      '63–64 refused 1 ready, raised by kubectl',
      '64– down at 0',
    ]);
  });

  test('a lease counts as expired at three quarters of the grace', () => {
    expect(lanes.limits).toEqual([{ at: s(0), limit: 30_000, grace: 40_000 }]);
  });

  test('the worst leases come first', () => {
    expect(lanes.many.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('the lanes reach from the first turn to the last', () => {
    expect([lanes.firstAt, lanes.lastAt]).toEqual([s(0), s(41.3)]);
  });
});

describe('9.7 the probes and leases of a shoot', () => {
  test('a lease that is renewed again is no longer expired from then on', () => {
    const story = new Story();
    story.probe(2, -6, 1, 2);
    story.probe(40, 5, 38, 38);
    story.look(40.7, 'abc');
    story.probe(80, 52, 78, 78);
    expect(spans(story.lanes(), 'lease a')).toEqual(['35–52 cutOff expired']);
  });

  test('a node that does not count is left out, with the reason, until a look finds it', () => {
    const story = new Story();
    story.probe(2, 0, 1, 2);
    story.probe(40, 5, 38, 38);
    story.look(40.7, 'bc');
    story.probe(80, 5, 78, 78);
    story.probe(700, 5, 698, 698);
    story.look(700.7, 'abc');
    const lanes = story.lanes();
    // It was expired for as long as nobody knew that it does not count.
    expect(spans(lanes, 'lease a')).toEqual([
      '35–40.7 cutOff expired',
      '40.7–700.7 quiet left out',
      '700.7– cutOff expired',
    ]);
    expect(laneOf(lanes, 'lease a').spans[1]!.words).toBe('left out: no Machine');
  });

  test('a lease that cannot be read is neither fresh nor expired', () => {
    const story = new Story();
    story.probe(2, 0, 1, null);
    story.probe(33, 31, 31, 31);
    expect(spans(story.lanes(), 'lease c')).toEqual(['2–31 unknown no renewTime']);
  });

  test('a node whose lease is gone is said to have none', () => {
    const story = new Story();
    story.probe(2, 0, 1, 2);
    story.probe(33, 31, 31);
    expect(spans(story.lanes(), 'lease c')).toEqual(['33– quiet no lease']);
  });

  test('a probe that fails shows the reason, and ends what was asked', () => {
    const story = new Story();
    const [wake] = story.send({ type: 'woken', at: s(2) }).filter(({ type }) => type === 'probe');
    const number = (wake!.params as ShootCommands['probe']).number;
    const failure = { stage: 'version', reason: 'timeout', detail: 'no answer' } as const;
    story.send({ type: 'probe.failed', at: s(12), number: number + 7, askedAt: s(2), failure });
    story.send({ type: 'probe.failed', at: s(32), number, askedAt: s(2), failure });
    expect(spans(story.lanes(), 'probes')).toEqual(['0–1 quiet off', '2–32 failed timeout']);
  });

  test('a pause ends what is known of the leases', () => {
    const story = new Story();
    story.probe(2, 0, 1, 2);
    story.probe(40, 5, 38, 38);
    story.send({ type: 'cluster.gone', at: s(50) });
    const lanes = story.lanes();
    expect(spans(lanes, 'lease a')).toEqual(['35–50 cutOff expired']);
    expect(spans(lanes, 'state').at(-1)).toBe('50– quiet idle');
    expect(spans(lanes, 'probes').at(-1)).toBe('50– quiet off');
  });
});

describe('9.7 where turns are missing nothing is said to be known', () => {
  test.each<[string, Partial<ReplayedTurn<ShootLanguage>>, string]>([
    ['turns are missing', { gap: true }, '2.5–33 unknown missing'],
    ['another run', {}, '2.5–33 unknown another run'],
  ])('%s', (_, change, expected) => {
    const story = new Story();
    story.probe(2, 0, 1, 2);
    story.probe(33, 5, 5, 31);
    const lanes = story.lanes((all) =>
      all.map((one) => {
        if (one.turn.at < s(33)) return one;
        const turn = expected.includes('run') ? { ...one.turn, run: 'other' } : one.turn;
        return { ...one, turn, ...(one.turn.at === s(33) ? change : {}) };
      }),
    );
    expect(spans(lanes, 'state')).toContain(expected);
    // Whatever stood before says nothing of the time between.
    expect(spans(lanes, `dependant ${key}`)[0]).toBe('1–2.5 calm 2 ready');
  });
});
