import { describe, expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { pureMachines } from '../../src/machines/kinds.ts';
import { shootMachine } from '../../src/machines/shoot.ts';
import { deployment, gardenerConfig, widget } from '../support/prober-configs.ts';
import { ShootDesk, writtenOn } from '../support/shoot-desk.ts';
import { present, shielded } from '../support/views.ts';

const kcm = deployment('kcm', { down: 1, up: 0 });
const mcm = deployment('mcm', { down: 0, up: 1, upDelay: 30_000 });
const config: ProberConfig = { ...gardenerConfig, dependants: [kcm, mcm], backoffJitterFactor: 0 };
const missing = { found: false } as const;

function probing(under = config): ShootDesk {
  const desk = new ShootDesk(under).allWell();
  desk.cluster();
  return desk;
}

/** Everything is down by our hand. */
function down(under = config): ShootDesk {
  const desk = probing(under);
  for (let count = 0; count < under.failureThreshold; count++) desk.wholeProbe('cutOff');
  desk.written(mcm);
  desk.follows(mcm);
  desk.written(kcm);
  desk.follows(kcm);
  expect(desk.state).toBe('scaledDown');
  return desk;
}

const writesOf = (words: readonly string[]) =>
  words.filter((word) => /^(down|up|mark|unmark|read|withdraw) /.test(word));

describe('6.3 the last verdict wins', () => {
  test('6.3 cut off again while the way up waits for its delay: nothing is raised', () => {
    const desk = down();
    desk.wholeProbe('connected');
    desk.written(kcm);
    desk.follows(kcm);
    expect(desk.context.flow?.steps[mcm.key]).toMatchObject({ is: 'delayed' });
    expect(writesOf(desk.wholeProbe('cutOff'))).toEqual(['down kcm']);
    expect(desk.state).toBe('scalingDown');
    expect(writesOf(desk.wait(60_000)), 'it is looked at again after a minute (6.6)').toEqual(['read mcm']);
  });

  test('6.3 cut off again while the raise waits to be sent: it is taken back, and nothing has to be done', () => {
    const desk = down();
    expect(writesOf(desk.wholeProbe('connected'))).toEqual(['up kcm']);
    expect(writesOf(desk.wholeProbe('cutOff'))).toEqual(['withdraw kcm']);
    expect(desk.state).toBe('scalingDown');
    expect(desk.answersWrite(kcm, { outcome: 'withdrawn' })).toEqual([]);
    expect(desk.state).toBe('scaledDown');
  });

  test('6.3 6.4 cut off again while the raise is on its way: what it raised goes down, to be raised to the same', () => {
    const desk = down();
    desk.wholeProbe('connected');
    desk.wholeProbe('cutOff');
    expect(desk.written(kcm)).toEqual(['down kcm', 'say decided']);
    expect(desk.writes.get(kcm.key)?.change).toEqual({ replicas: 0, mark: true, record: 2 });
    desk.written(kcm);
    desk.follows(kcm);
    expect(desk.state).toBe('scaledDown');
  });

  test('6.3 6.4 6.6 the same between the two writes of a kind that needs two: the old record still counts', () => {
    const two = { ...config, dependants: [widget] };
    const desk = probing(two);
    desk.wholeProbe('cutOff');
    expect(desk.answersRead(widget, { outcome: 'read', view: present({ replicas: 3 }) })).toEqual([
      'mark thing',
      'say decided',
    ]);
    expect(desk.written(widget)).toEqual(['down thing']);
    desk.written(widget);
    desk.follows(widget);
    expect(desk.state).toBe('scaledDown');
    desk.wakeProbe();
    desk.readsAgain(widget);
    desk.leases([1_000, 1_000]);
    expect(writesOf(desk.candidates())).toEqual(['up thing']);
    desk.wholeProbe('cutOff');
    expect(desk.written(widget)).toEqual(['down thing', 'say decided']);
    expect(desk.writes.get(widget.key)?.change).toEqual({ replicas: 0 });
  });

  test('6.3 connected again while the first scale-down waits to be sent: it is taken back, and all is as before', () => {
    const desk = probing();
    expect(writesOf(desk.wholeProbe('cutOff'))).toEqual(['down mcm']);
    expect(writesOf(desk.wholeProbe('connected'))).toEqual(['withdraw mcm']);
    expect(desk.state).toBe('scalingUp');
    expect(desk.answersWrite(mcm, { outcome: 'withdrawn' })).toEqual([]);
    expect(desk.state).toBe('probing');
  });

  test('6.3 6.2 connected again while it is on its way: raised after its delay', () => {
    const desk = probing();
    desk.wholeProbe('cutOff');
    desk.wholeProbe('connected');
    const at = desk.now;
    expect(desk.written(mcm)).toEqual([]);
    expect(desk.wait(29_999)).not.toContain('up mcm');
    expect(desk.wake(at + 30_000)).toContain('up mcm');
  });

  test('6.3 down, up, down while one write never gets its turn: each way knows that it waits', () => {
    const desk = probing();
    desk.wholeProbe('cutOff');
    desk.wholeProbe('connected');
    expect(writesOf(desk.wholeProbe('cutOff'))).toEqual(['withdraw mcm']);
    expect(desk.answersWrite(mcm, { outcome: 'withdrawn' })).toEqual(['down mcm', 'say decided']);
  });

  test('1.4 S6 a write of this way that may not be sent is tried again after a pause, not at once and without an end', () => {
    const desk = probing();
    desk.wholeProbe('cutOff');
    expect(desk.answersWrite(mcm, { outcome: 'withdrawn' })).toEqual([]);
    expect(desk.wait(249)).toEqual([]);
    expect(desk.wait(1)).toEqual(['down mcm']);
  });

  test('6.3 6.1 S4 a write of the way before that did what this way is for is awaited, like one of its own', () => {
    const desk = probing({ ...config, probeInterval: 10_000 });
    desk.wholeProbe('cutOff');
    desk.wholeProbe('connected');
    expect(writesOf(desk.wholeProbe('cutOff')), 'the first scale-down is under way still').toEqual(['withdraw mcm']);
    expect(desk.written(mcm), 'replicas have not followed').toEqual([]);
    expect(desk.follows(mcm)).toEqual(['down kcm', 'say decided']);

    const back = down({ ...config, probeInterval: 10_000 });
    back.wholeProbe('connected');
    back.wholeProbe('cutOff');
    back.wholeProbe('connected');
    back.written(kcm);
    back.wholeProbe('connected');
    expect(back.context.flow, 'the next level has not begun').toMatchObject({ level: 0 });
    back.follows(kcm);
    expect(back.context.flow).toMatchObject({ level: 1 });
  });

  test('6.3 a wish that was not heard in time is a late answer to nobody', () => {
    const desk = down();
    desk.wholeProbe('connected');
    const { number } = desk.writes.get(kcm.key)!;
    desk.written(kcm);
    expect(desk.answersWrite(kcm, { outcome: 'withdrawn' }, number)).toEqual([]);
    expect(desk.answersWrite(kcm, { outcome: 'conflict' }, number)).toEqual([]);
    expect(desk.context.known[kcm.key]).toMatchObject({ outdated: false, writing: null });
  });
});

describe('2 thresholds', () => {
  const patient = { ...config, failureThreshold: 3, successThreshold: 2 };

  test('2 so many verdicts in a row lead down; one of another kind begins the count anew', () => {
    const desk = probing(patient);
    const states = (
      ['cutOff', 'cutOff', 'connected', 'cutOff', 'cutOff', 'tooFew', 'cutOff', 'cutOff', 'cutOff'] as const
    ).map((weather) => {
      desk.wholeProbe(weather);
      return desk.state;
    });
    const [failed, down3] = ['leaseFailed', 'scalingDown'];
    expect(states).toEqual([failed, failed, 'probing', failed, failed, 'probing', failed, failed, down3]);
  });

  test('2 and so many lead up, from wherever it is', () => {
    const desk = down(patient);
    desk.wholeProbe('connected');
    expect(desk.state).toBe('scaledDown');
    desk.wholeProbe('cutOff');
    desk.wholeProbe('connected');
    expect(desk.state).toBe('scaledDown');
    // Both were believed to be at 0 for more than a minute (6.6).
    for (const one of [kcm, mcm]) desk.readsAgain(one);
    expect(writesOf(desk.wholeProbe('connected'))).toEqual(['up kcm']);
    const early = probing(patient);
    for (let count = 0; count < 3; count++) early.wholeProbe('cutOff');
    early.wholeProbe('connected');
    expect(early.state, 'what the last verdict began goes on').toBe('scalingDown');
    early.wholeProbe('connected');
    expect(early.state).toBe('scalingUp');
  });

  test('2 6.5 what stands at 0 in a connected shoot is raised after so many verdicts', () => {
    const desk = probing(patient);
    desk.sees(kcm, shielded({ resourceVersion: '11' }));
    expect(writesOf(desk.wholeProbe('connected'))).toEqual([]);
    expect(writesOf(desk.wholeProbe('connected'))).toEqual(['up kcm']);
  });

  test('2 6.3 on its way up, a shoot is taken down after so many verdicts', () => {
    const desk = down(patient);
    desk.wholeProbe('connected');
    desk.wholeProbe('connected');
    for (const state of ['scalingUp', 'scalingUp', 'scalingDown']) {
      desk.wholeProbe('cutOff');
      expect(desk.state).toBe(state);
    }
  });

  test('2 3.1 a stop begins the counts anew', () => {
    const desk = probing(patient);
    desk.wholeProbe('cutOff');
    desk.wholeProbe('cutOff');
    desk.cluster({ hibernationEnabled: true });
    desk.cluster();
    desk.wholeProbe('cutOff');
    expect(desk.state).toBe('leaseFailed');
  });
});

describe('S7 5.3 too few to tell', () => {
  test('S7 never begins a way down, and ends one', () => {
    const desk = probing({ ...config, probeInterval: 10_000 });
    for (let count = 0; count < 5; count++) expect(writesOf(desk.wholeProbe('tooFew'))).toEqual([]);
    expect(desk.state).toBe('probing');
    desk.wholeProbe('cutOff');
    desk.written(mcm);
    expect(desk.wholeProbe('tooFew')).not.toContain('down kcm');
    expect(desk.state).toBe('scalingUp');
    desk.follows(mcm);
    expect(writesOf(desk.wait(30_000))).toContain('up mcm');
  });

  test('5.3 raises what carries our mark, and leaves what others took down', () => {
    const desk = down();
    desk.sees(mcm, present({ replicas: 0, readyReplicas: 0, resourceVersion: '50' }));
    expect(writesOf(desk.wholeProbe('tooFew'))).toEqual(['up kcm']);
    desk.written(kcm);
    desk.follows(kcm);
    expect(desk.state).toBe('probing');
    expect(writesOf(desk.wholeProbe('tooFew'))).toEqual([]);
    desk.wholeProbe('connected');
    expect(writesOf(desk.wait(30_000))).toContain('up mcm');
  });

  test('5.3 a way up that was begun for all goes on for ours only', () => {
    const desk = down();
    desk.sees(mcm, present({ replicas: 0, readyReplicas: 0, resourceVersion: '50' }));
    desk.wholeProbe('connected');
    desk.written(kcm);
    desk.follows(kcm);
    desk.wholeProbe('tooFew');
    expect(desk.state).toBe('probing');
    expect(writesOf(desk.wait(30_000))).toEqual([]);
  });
});

const knownOf = (desk: ShootDesk) => desk.context.known[mcm.key]!;

describe('6.6 what is known, and which word counts', () => {
  test('6.6 an answer to our own write outranks what the watch said before it', () => {
    const desk = probing();
    desk.wholeProbe('cutOff');
    desk.written(mcm);
    const { view } = knownOf(desk);
    expect(view).toMatchObject({ resourceVersion: '11', replicas: 0 });
    desk.sees(mcm, present({ resourceVersion: '10' }));
    expect(knownOf(desk).view).toEqual(view);
    desk.follows(mcm);
    expect(knownOf(desk).view).toMatchObject({ resourceVersion: '12', readyReplicas: 0 });
  });

  test('6.6 a watch that was faster than the answer outranks the answer', () => {
    const desk = probing();
    desk.wholeProbe('cutOff');
    desk.sees(mcm, shielded({ resourceVersion: '12' }));
    expect(desk.written(mcm)).toEqual(['down kcm']);
    expect(knownOf(desk).view).toMatchObject({ resourceVersion: '12', readyReplicas: 0 });
  });

  test('6.6 so does what a read finds; and a read that was slower than the watch tells nothing', () => {
    const desk = probing();
    desk.watches(mcm, false);
    desk.wakeProbe();
    desk.sees(mcm, present({ resourceVersion: '15', replicas: 5 }));
    desk.answersRead(mcm, { outcome: 'read', view: present({ resourceVersion: '14' }) });
    expect(knownOf(desk).view).toMatchObject({ replicas: 5 });
    desk.probeFails();
    desk.wakeProbe();
    desk.answersRead(mcm, { outcome: 'read', view: present({ resourceVersion: '16', replicas: 6 }) });
    desk.sees(mcm, present({ resourceVersion: '15', replicas: 5 }));
    expect(knownOf(desk).view).toMatchObject({ replicas: 6 });
  });

  test('6.6 after a conflict nothing is written before something newer is seen, by a read or the watch', () => {
    const desk = probing();
    desk.wholeProbe('cutOff');
    expect(desk.answersWrite(mcm, { outcome: 'conflict' })).toEqual(['read mcm']);
    expect(desk.sees(mcm, present()), 'the very version that met the conflict').toEqual([]);
    expect(desk.sees(mcm, present({ resourceVersion: '11', replicas: 4 }))).toEqual(['down mcm']);
    expect(desk.writes.get(mcm.key)).toMatchObject({ seen: { resourceVersion: '11' }, change: { record: 4 } });
  });

  test('6.2 9.4 a read under way is no reason to begin a way up: what it finds is due with the next verdict', () => {
    const desk = probing();
    desk.watches(mcm, false);
    desk.wholeProbe('connected');
    expect(desk.state, 'nothing is known to be due').toBe('probing');
    desk.answersRead(mcm, { outcome: 'read', view: present({ resourceVersion: '11', replicas: 0 }) });
    expect(desk.state).toBe('probing');
    desk.wakeProbe();
    desk.readsAgain(mcm);
    expect(desk.leases([1_000, 1_000]), 'and only then it is known how many can tell (5.3, 5.4)').toEqual([
      'listCandidates',
    ]);
    desk.candidates();
    expect(desk.state).toBe('scalingUp');
  });

  test('6.6 6.10 L1 a seed restored from a backup is believed, though its versions are older', () => {
    const desk = probing();
    const at = desk.now;
    desk.take({ type: 'dependant.changed', at, key: mcm.key, view: shielded({ resourceVersion: '4' }), rewound: true });
    desk.wholeProbe('connected');
    desk.wait(30_000);
    expect(desk.writes.get(mcm.key)).toMatchObject({ seen: { resourceVersion: '4' }, change: { replicas: 2 } });
  });

  test('6.6 6.10 L2 so is what a read finds after a conflict, where no watch has told of it', () => {
    const desk = probing();
    desk.wholeProbe('cutOff');
    expect(desk.answersWrite(mcm, { outcome: 'conflict' })).toEqual(['read mcm']);
    const restored = present({ resourceVersion: '4', replicas: 3 });
    expect(desk.answersRead(mcm, { outcome: 'read', view: restored })).toEqual(['down mcm']);
    expect(desk.writes.get(mcm.key)).toMatchObject({ seen: { resourceVersion: '4' }, change: { record: 3 } });
  });

  test('6.6 6.10 a write that may have been done is looked at before the next one', () => {
    const desk = probing();
    desk.wholeProbe('cutOff');
    expect(desk.answersWrite(mcm, { outcome: 'failed', detail: 'no answer' })).toEqual([]);
    expect(desk.wait(250)).toEqual(['read mcm']);
    const done = shielded({ resourceVersion: '11', readyReplicas: 2 });
    expect(desk.answersRead(mcm, { outcome: 'read', view: done })).toEqual([]);
    desk.follows(mcm);
    expect(desk.context.known[kcm.key]?.writing, 'the next level').not.toBeNull();
  });

  test('6.6 where the read fails as well, what was seen before serves: a write by it cannot do harm', () => {
    const desk = probing();
    desk.wholeProbe('cutOff');
    desk.answersWrite(mcm, { outcome: 'failed', detail: 'no answer' });
    desk.wait(250);
    expect(desk.answersRead(mcm, { outcome: 'failed', detail: 'no' })).toEqual(['down mcm']);
    expect(desk.writes.get(mcm.key)?.seen.resourceVersion).toBe('10');
  });

  test('6.2 4.4 what failed outside of any flow is found out with the next verdict', () => {
    const desk = probing();
    desk.wholeProbe('cutOff');
    desk.cluster({ hibernationEnabled: true });
    desk.answersWrite(mcm, { outcome: 'failed', detail: 'no answer' });
    desk.cluster();
    expect(writesOf(desk.wholeProbe('connected'))).toEqual(['read mcm']);
    desk.readsAgain(mcm);
    expect(desk.state).toBe('probing');
  });

  test('6.6 a dependant that is not configured is none of ours, whatever is said of it', () => {
    const desk = probing();
    const stranger = { key: 'apps/v1/Deployment/stranger' };
    desk.sees(stranger, shielded());
    desk.watches(stranger, true);
    desk.answersWrite(stranger, { outcome: 'missing' }, 7);
    expect(Object.keys(desk.context.known)).toEqual([kcm.key, mcm.key]);
  });
});

describe('6.7 6.8 6.9 other hands', () => {
  test('6.9 what is raised while the shoot is cut off goes down with the next verdict, not before', () => {
    const desk = down();
    expect(desk.sees(kcm, present({ marked: true, record: '2', replicas: 4, resourceVersion: '50' }))).toEqual([]);
    expect(writesOf(desk.wholeProbe('cutOff'))).toEqual(['down kcm']);
    expect(desk.writes.get(kcm.key)?.change, 'the record under the mark is kept').toEqual({ replicas: 0 });
    expect(desk.state).toBe('scalingDown');
  });

  test('S2 6.7 what is ignored while its write waits is seen by the write’s version', () => {
    const desk = probing();
    desk.wholeProbe('cutOff');
    desk.sees(mcm, present({ ignored: true, resourceVersion: '11' }));
    expect(desk.answersWrite(mcm, { outcome: 'conflict' })).toEqual(['read mcm']);
    expect(desk.readsAgain(mcm)).toEqual(['down kcm']);
  });

  test('6.8 what is missing is said once, in the direction that misses it, and again after it was there', () => {
    const desk = down();
    desk.sees(mcm, missing);
    expect(desk.wholeProbe('cutOff')).toContain('say dependantMissing');
    expect(desk.outcome.notes).toContainEqual({ kind: 'dependantMissing', key: mcm.key, direction: 'down' });
    expect(desk.wholeProbe('cutOff')).not.toContain('say dependantMissing');
    desk.sees(mcm, shielded());
    expect(desk.wholeProbe('cutOff')).not.toContain('say dependantMissing');
    desk.sees(mcm, missing);
    expect(desk.wholeProbe('connected')).toContain('say dependantMissing');
    expect(desk.outcome.notes).toContainEqual({ kind: 'dependantMissing', key: mcm.key, direction: 'up' });
  });

  test('6.8 an optional one is missed by nobody', () => {
    const desk = probing({ ...config, dependants: [kcm, { ...mcm, optional: true }] });
    desk.sees(mcm, missing);
    expect(desk.wholeProbe('cutOff')).not.toContain('say dependantMissing');
    expect(desk.state).toBe('scalingDown');
    expect(desk.written(kcm)).toEqual([]);
    desk.follows(kcm);
    expect(desk.state).toBe('scaledDown');
  });

  test('6.8 up stays at the level of one that is missing, and probing goes on', () => {
    const desk = down();
    desk.sees(kcm, missing);
    desk.wholeProbe('connected');
    expect([desk.state, writesOf(desk.wait(200_000))]).toEqual(['scalingUp', []]);
    desk.probeFails();
    desk.sees(kcm, shielded({ resourceVersion: '60' }));
    expect(writesOf(desk.wholeProbe('connected'))).toEqual(['up kcm']);
  });
});

describe('9.1 9.2 what is said', () => {
  test('9.2 shielded: once for an outage, with the instants of its first verdict', () => {
    const desk = probing();
    desk.wakeProbe();
    desk.leases([38_000, 33_000]);
    desk.candidates();
    const crossedAt = desk.now - 3_000;
    const firstMarkAt = desk.now + 2_000;
    desk.written(mcm);
    desk.follows(mcm);
    desk.written(kcm);
    expect(desk.follows(kcm)).toEqual(['say shielded']);
    expect(desk.outcome.notes).toContainEqual({ kind: 'shielded', crossedAt, firstMarkAt });
    desk.sees(kcm, present({ resourceVersion: '50' }));
    desk.wholeProbe('cutOff');
    desk.written(kcm);
    expect(desk.follows(kcm), 'taken down again in the same outage').toEqual([]);
    expect(desk.state).toBe('scaledDown');
  });

  test('9.2 shielded is not said of what was down before', () => {
    const desk = new ShootDesk(config).allWell();
    for (const one of [kcm, mcm]) desk.sees(one, shielded());
    desk.cluster();
    expect(desk.wholeProbe('cutOff')).toEqual(['probe', 'listCandidates', 'say cutOff']);
    expect(desk.state).toBe('scaledDown');
  });

  test('6.1 a time-out is said with its direction', () => {
    const desk = probing();
    desk.wholeProbe('cutOff');
    desk.written(mcm);
    expect(desk.wait(30_000)).toEqual(expect.arrayContaining(['down kcm', 'say stepTimedOut']));
    expect(desk.outcome.notes).toContainEqual({
      kind: 'stepTimedOut',
      key: mcm.key,
      direction: 'down',
      timeout: 30_000,
    });
  });

  test('6.5 a record that cannot be read is said when it is done without', () => {
    const desk = down();
    desk.sees(kcm, shielded({ record: 'two', resourceVersion: '50' }));
    expect(desk.wholeProbe('connected')).toContain('say recordUnreadable');
    expect(desk.outcome.notes).toContainEqual({ kind: 'recordUnreadable', key: kcm.key, record: 'two' });
  });

  test('9.1 why a shoot rests is said when it begins to, and when the reason changes', () => {
    const desk = probing();
    expect(desk.cluster({ hibernationEnabled: true })).toEqual(['say paused']);
    expect(desk.outcome.notes).toEqual([{ kind: 'paused', reason: 'the shoot is hibernated' }]);
    expect(desk.cluster({ hibernationEnabled: true })).toEqual([]);
    expect(desk.cluster({ hibernationEnabled: true, deleting: true })).toEqual(['say paused']);
    expect(desk.gone()).toEqual(['say paused']);
  });
});

test('1.2 what leads down is urgent, what leads up is not', () => {
  const desk = probing();
  desk.wholeProbe('cutOff');
  expect(desk.writes.get(mcm.key)).toMatchObject({ urgent: true });
  desk.answersWrite(mcm, { outcome: 'conflict' });
  expect(desk.outcome.commands).toContainEqual(
    expect.objectContaining({ params: expect.objectContaining({ urgent: true }) }),
  );
  const back = down();
  back.wholeProbe('connected');
  expect(back.writes.get(kcm.key)).toMatchObject({ urgent: false });
});

const urgentReads = (desk: ShootDesk) =>
  desk.outcome.commands.flatMap(({ type, params }) => (type === 'read' && params.urgent ? [params.key] : []));

describe('1.2 6.6 a way down waits for no read of the slow bucket', () => {
  test('1.2 6.6 the watch is out, and the probe’s own read still waits: the way down asks for itself, once a second', () => {
    const desk = probing();
    desk.watches(mcm, false);
    expect(writesOf(desk.wholeProbe('cutOff'))).toEqual(['read mcm', 'down mcm']);
    desk.written(mcm);
    expect(desk.wait(1_000)).toEqual(['read mcm']);
    expect(urgentReads(desk)).toEqual([mcm.key]);
    const gone = shielded({ resourceVersion: '12' });
    expect(desk.answersRead(mcm, { outcome: 'read', view: gone })).toEqual(['down kcm']);
  });

  test('6.6 6.9 L2 but a slow read that nothing is asked beside is heard: someone may have raised what is down', () => {
    const desk = down();
    desk.watches(mcm, false);
    expect(writesOf(desk.wholeProbe('cutOff'))).toEqual(['read mcm']);
    expect(desk.state).toBe('scaledDown');
    const raised = present({ resourceVersion: '50', marked: true, record: '2' });
    desk.answersRead(mcm, { outcome: 'read', view: raised });
    expect(writesOf(desk.wholeProbe('cutOff'))).toContain('down mcm');
  });

  test('1.2 6.6 so it does for what nobody has told of yet', () => {
    const desk = probing({ ...config, dependants: [widget] });
    expect(writesOf(desk.wholeProbe('cutOff'))).toEqual(['read thing', 'read thing']);
    expect(urgentReads(desk)).toEqual([widget.key]);
  });
});

test('L3 a machine that is restored from its plain data goes on as it would have', () => {
  const desk = down();
  desk.wholeProbe('connected');
  const { value, context } = desk.outcome.snapshot;
  const restored = shootMachine.resolveState({ value, context: JSON.parse(JSON.stringify(context)) });
  desk.written(kcm);
  const { context: known } = desk.outcome.snapshot;
  const asked = desk.writes.get(kcm.key)!;
  const answer = { outcome: 'written', view: writtenOn(asked.seen, asked.change) } as const;
  const again = pureMachines.shoot.take(restored, {
    type: 'scale.answered',
    at: desk.now,
    askedAt: desk.now,
    asked,
    answer,
  });
  expect(again.snapshot.context).toEqual(known);
  expect(again.commands).toEqual(desk.outcome.commands);
});
