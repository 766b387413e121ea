import { describe, expect, test } from 'vitest';
import type { WriteAnswer } from '../../src/domain/prober/resource-view.ts';
import { pureMachines } from '../../src/machines/kinds.ts';
import { shootMachine } from '../../src/machines/shoot.ts';
import { kcm, leaseConfig as config, mcm, newShoot as probing, takeDown } from '../support/lease-shoots.ts';
import { widget } from '@dwd/testing/prober-configs.ts';
import { writtenOn, type ShootDriver } from '@dwd/testing/shoot-driver.ts';
import { present, shielded } from '@dwd/testing/views.ts';

const missing = { found: false } as const;

/** We have taken everything down. */
function down(under = config): ShootDriver {
  const driver = probing(under);
  for (let count = 0; count < under.failureThreshold; count++) driver.wholeProbe('cutOff');
  takeDown(driver);
  expect(driver.state).toBe('scaledDown');
  return driver;
}

const writesOf = (words: readonly string[]) =>
  words.filter((word) => /^(down|up|mark|unmark|read|withdraw) /.test(word));

describe('6.3 the last verdict wins', () => {
  test('6.3 cut off again while the way up waits for its delay: nothing is raised', () => {
    const driver = down();
    driver.wholeProbe('connected');
    driver.written(kcm);
    driver.follows(kcm);
    expect(driver.context.flow?.steps[mcm.key]).toMatchObject({ is: 'delayed' });
    expect(writesOf(driver.wholeProbe('cutOff'))).toEqual(['down kcm']);
    expect(driver.state).toBe('scalingDown');
    expect(writesOf(driver.wait(60_000)), 'it is looked at again after a minute (6.6)').toEqual(['read mcm']);
  });

  test('6.3 cut off again while the raise waits to be sent: it is taken back, and nothing has to be done', () => {
    const driver = down();
    expect(writesOf(driver.wholeProbe('connected'))).toEqual(['up kcm']);
    expect(writesOf(driver.wholeProbe('cutOff'))).toEqual(['withdraw kcm']);
    expect(driver.state).toBe('scalingDown');
    expect(driver.answersWrite(kcm, { outcome: 'withdrawn' })).toEqual([]);
    expect(driver.state).toBe('scaledDown');
  });

  test('6.3 6.4 cut off again while the raise is on its way: what it raised goes down, to be raised to the same', () => {
    const driver = down();
    driver.wholeProbe('connected');
    driver.wholeProbe('cutOff');
    expect(driver.written(kcm)).toEqual(['down kcm', 'say decided']);
    expect(driver.writes.get(kcm.key)?.change).toEqual({ replicas: 0, mark: true, record: 1 });
    driver.written(kcm);
    driver.follows(kcm);
    expect(driver.state).toBe('scaledDown');
  });

  test('6.3 6.4 6.6 the same between the two writes of a kind that needs two: the old record still counts', () => {
    const two = { ...config, dependants: [widget] };
    const driver = probing(two);
    driver.wholeProbe('cutOff');
    expect(driver.answersRead(widget, { outcome: 'read', view: present({ replicas: 3 }) })).toEqual([
      'mark thing',
      'say decided',
    ]);
    expect(driver.written(widget)).toEqual(['down thing']);
    driver.written(widget);
    driver.follows(widget);
    expect(driver.state).toBe('scaledDown');
    driver.wakeProbe();
    driver.readsAgain(widget);
    expect(writesOf(driver.leases([1_000, 1_000]))).toEqual(['up thing']);
    driver.wholeProbe('cutOff');
    expect(driver.written(widget)).toEqual(['down thing', 'say decided']);
    expect(driver.writes.get(widget.key)?.change).toEqual({ replicas: 0 });
  });

  test('6.3 6.2 connected again while it is on its way: raised after its delay', () => {
    const driver = probing();
    driver.wholeProbe('cutOff');
    driver.wholeProbe('connected');
    // No level waits longer than a few seconds, so it was on its way too.
    driver.answersWrite(kcm, { outcome: 'withdrawn' });
    const at = driver.now;
    expect(driver.written(mcm)).toEqual([]);
    expect(driver.wait(29_999)).not.toContain('up mcm');
    expect(driver.wake(at + 30_000)).toContain('up mcm');
  });

  test('6.3 down, up, down while one write never gets its turn: each way knows that it waits', () => {
    const driver = probing();
    driver.wholeProbe('cutOff');
    driver.wholeProbe('connected');
    expect(writesOf(driver.wholeProbe('cutOff'))).toEqual(['withdraw kcm', 'withdraw mcm']);
    expect(driver.answersWrite(mcm, { outcome: 'withdrawn' })).toEqual(['down mcm', 'say decided']);
  });

  test('1.4 S6 a write of this way that may not be sent is tried again after a pause, not at once and without an end', () => {
    const driver = probing();
    driver.wholeProbe('cutOff');
    expect(driver.answersWrite(mcm, { outcome: 'withdrawn' })).toEqual([]);
    expect(driver.wait(249)).toEqual([]);
    expect(driver.wait(1)).toEqual(['down mcm']);
  });

  test('6.3 6.1 S4 a write of the way before that did what this way is for is awaited, like one of its own', () => {
    const driver = probing({ ...config, probeInterval: 11_000 });
    driver.wholeProbe('cutOff');
    driver.wholeProbe('connected');
    const back = writesOf(driver.wholeProbe('cutOff'));
    expect(back, 'the first scale-downs are under way still').toEqual(['withdraw kcm', 'withdraw mcm']);
    driver.answersWrite(kcm, { outcome: 'withdrawn' });
    expect(driver.written(mcm), 'replicas have not followed').toEqual([]);
    expect(driver.follows(mcm)).toEqual(['down kcm', 'say decided']);

    const again = down({ ...config, probeInterval: 10_000 });
    again.wholeProbe('connected');
    again.wholeProbe('cutOff');
    again.wholeProbe('connected');
    again.written(kcm);
    again.wholeProbe('connected');
    expect(again.context.flow, 'the next level has not begun').toMatchObject({ level: 0 });
    again.follows(kcm);
    expect(again.context.flow).toMatchObject({ level: 1 });
  });

  test('6.3 a late second answer to a write changes nothing', () => {
    const driver = down();
    driver.wholeProbe('connected');
    const { number } = driver.writes.get(kcm.key)!;
    driver.written(kcm);
    expect(driver.answersWrite(kcm, { outcome: 'withdrawn' }, number)).toEqual([]);
    expect(driver.answersWrite(kcm, { outcome: 'conflict' }, number)).toEqual([]);
    expect(driver.context.known[kcm.key]).toMatchObject({ outdated: false, writing: null });
  });
});

describe('2 thresholds', () => {
  const patient = { ...config, failureThreshold: 3, successThreshold: 2 };

  test('2 so many verdicts in a row lead down; one of another kind begins the count anew', () => {
    const driver = probing(patient);
    const states = (
      ['cutOff', 'cutOff', 'connected', 'cutOff', 'cutOff', 'tooFew', 'cutOff', 'cutOff', 'cutOff'] as const
    ).map((outcome) => {
      driver.wholeProbe(outcome);
      return driver.state;
    });
    const [failed, down3] = ['leaseFailed', 'scalingDown'];
    expect(states).toEqual([failed, failed, 'probing', failed, failed, 'probing', failed, failed, down3]);
  });

  test('2 and so many lead up, from wherever it is', () => {
    const driver = down(patient);
    driver.wholeProbe('connected');
    expect(driver.state).toBe('scaledDown');
    driver.wholeProbe('cutOff');
    driver.wholeProbe('connected');
    expect(driver.state).toBe('scaledDown');
    // Both were believed to be at 0 for more than a minute (6.6).
    for (const one of [kcm, mcm]) driver.readsAgain(one);
    expect(writesOf(driver.wholeProbe('connected'))).toEqual(['up kcm']);
    const early = probing(patient);
    for (let count = 0; count < 3; count++) early.wholeProbe('cutOff');
    early.wholeProbe('connected');
    expect(early.state, 'what the last verdict began goes on').toBe('scalingDown');
    early.wholeProbe('connected');
    expect(early.state).toBe('scalingUp');
  });

  test('2 6.5 what stands at 0 in a connected shoot is raised after so many verdicts', () => {
    const driver = probing(patient);
    driver.sees(kcm, shielded({ resourceVersion: '11' }));
    // A first look is not sure that the leases are fresh (5.1).
    expect(driver.wholeProbe('connected')).toContain('say leasesInDoubt');
    expect(writesOf(driver.wholeProbe('connected'))).toEqual([]);
    expect(writesOf(driver.wholeProbe('connected'))).toEqual(['up kcm']);
  });

  test('2 6.3 on its way up, a shoot is taken down after so many verdicts', () => {
    const driver = down(patient);
    driver.wholeProbe('connected');
    driver.wholeProbe('connected');
    for (const state of ['scalingUp', 'scalingUp', 'scalingDown']) {
      driver.wholeProbe('cutOff');
      expect(driver.state).toBe(state);
    }
  });

  test('2 3.1 a stop begins the counts anew', () => {
    const driver = probing(patient);
    driver.wholeProbe('cutOff');
    driver.wholeProbe('cutOff');
    driver.cluster({ hibernationEnabled: true });
    driver.cluster();
    driver.wholeProbe('cutOff');
    expect(driver.state).toBe('leaseFailed');
  });
});

describe('S7 5.3 too few to tell', () => {
  test('5.3 raises what carries our mark, and leaves what others took down', () => {
    const driver = down();
    driver.sees(mcm, present({ replicas: 0, readyReplicas: 0, resourceVersion: '50' }));
    // The last look was less than a minute ago (5.4).
    expect(writesOf(driver.wholeProbe('tooFew'))).toEqual([]);
    driver.wait(60_000);
    for (const one of [kcm, mcm]) driver.readsAgain(one);
    expect(writesOf(driver.wholeProbe('tooFew'))).toEqual(['up kcm']);
    driver.written(kcm);
    driver.follows(kcm);
    expect(driver.state).toBe('probing');
    expect(writesOf(driver.wholeProbe('tooFew'))).toEqual([]);
    // Another node that counts is seen within a minute (5.4).
    driver.wait(60_000);
    driver.wholeProbe('connected');
    driver.wait(30_000);
    expect(writesOf(driver.wholeProbe('connected'))).toContain('up mcm');
  });
});

const knownOf = (driver: ShootDriver) => driver.context.known[mcm.key]!;

describe('6.6 what is known, and which word counts', () => {
  test('6.6 an answer to our own write outranks what the watch said before it', () => {
    const driver = probing();
    driver.wholeProbe('cutOff');
    driver.written(mcm);
    const { view } = knownOf(driver);
    expect(view).toMatchObject({ resourceVersion: '11', replicas: 0 });
    driver.sees(mcm, present({ resourceVersion: '10' }));
    expect(knownOf(driver).view).toEqual(view);
    driver.follows(mcm);
    expect(knownOf(driver).view).toMatchObject({ resourceVersion: '12', readyReplicas: 0 });
  });

  test('6.6 a watch that was faster than the answer outranks the answer', () => {
    const driver = probing();
    driver.wholeProbe('cutOff');
    driver.sees(mcm, shielded({ resourceVersion: '12' }));
    expect(driver.written(mcm)).toEqual(['down kcm']);
    expect(knownOf(driver).view).toMatchObject({ resourceVersion: '12', readyReplicas: 0 });
  });

  test('6.6 so does what a read finds; and a read that was slower than the watch tells nothing', () => {
    const driver = probing();
    driver.watches(mcm, false);
    driver.wakeProbe();
    driver.sees(mcm, present({ resourceVersion: '15', replicas: 5 }));
    driver.answersRead(mcm, { outcome: 'read', view: present({ resourceVersion: '14' }) });
    expect(knownOf(driver).view).toMatchObject({ replicas: 5 });
    driver.probeFails();
    driver.wakeProbe();
    driver.answersRead(mcm, { outcome: 'read', view: present({ resourceVersion: '16', replicas: 6 }) });
    driver.sees(mcm, present({ resourceVersion: '15', replicas: 5 }));
    expect(knownOf(driver).view).toMatchObject({ replicas: 6 });
  });

  test('6.6 after a conflict nothing is written before something newer is seen, by a read or the watch', () => {
    const driver = probing();
    driver.wholeProbe('cutOff');
    expect(driver.answersWrite(mcm, { outcome: 'conflict' })).toEqual(['read mcm']);
    expect(driver.sees(mcm, present()), 'the very version that met the conflict').toEqual([]);
    expect(driver.sees(mcm, present({ resourceVersion: '11', replicas: 4 }))).toEqual(['down mcm']);
    expect(driver.writes.get(mcm.key)).toMatchObject({ seen: { resourceVersion: '11' }, change: { record: 4 } });
  });

  test('6.2 9.4 a read under way is no reason to begin a way up: what it finds is due with the next verdict', () => {
    const driver = probing();
    driver.watches(mcm, false);
    driver.wholeProbe('connected');
    expect(driver.state, 'nothing is known to be due').toBe('probing');
    driver.answersRead(mcm, { outcome: 'read', view: present({ resourceVersion: '11', replicas: 0 }) });
    expect(driver.state).toBe('probing');
    driver.wakeProbe();
    driver.readsAgain(mcm);
    expect(driver.leases([1_000, 1_000]), 'and only then it is known how many can tell (5.3, 5.4)').toEqual([
      'listCandidates and the Cluster',
    ]);
    driver.candidates();
    expect(driver.state).toBe('scalingUp');
  });

  test('6.6 6.10 L1 a seed restored from a backup is believed, though its versions are older', () => {
    const driver = probing();
    const at = driver.now;
    driver.take({
      type: 'dependant.changed',
      at,
      key: mcm.key,
      view: shielded({ resourceVersion: '4' }),
      rewound: true,
    });
    // A first look is not sure that the leases are fresh (5.1).
    for (let look = 0; look < 2; look++) driver.wholeProbe('connected');
    driver.wait(30_000);
    expect(driver.writes.get(mcm.key)).toMatchObject({ seen: { resourceVersion: '4' }, change: { replicas: 2 } });
  });

  test('6.6 6.10 L2 so is the result of a read after a conflict, if no watch has shown it', () => {
    const driver = probing();
    driver.wholeProbe('cutOff');
    expect(driver.answersWrite(mcm, { outcome: 'conflict' })).toEqual(['read mcm']);
    const restored = present({ resourceVersion: '4', replicas: 3 });
    expect(driver.answersRead(mcm, { outcome: 'read', view: restored })).toEqual(['down mcm']);
    expect(driver.writes.get(mcm.key)).toMatchObject({ seen: { resourceVersion: '4' }, change: { record: 3 } });
  });

  test('6.2 4.4 what failed outside of any flow is found out with the next verdict', () => {
    const driver = probing();
    driver.wholeProbe('cutOff');
    driver.cluster({ hibernationEnabled: true });
    driver.answersWrite(mcm, { outcome: 'failed', detail: 'no answer' });
    driver.cluster();
    expect(writesOf(driver.wholeProbe('connected'))).toEqual(['read mcm']);
    driver.readsAgain(mcm);
    expect(driver.state).toBe('probing');
  });

  test('6.6 a dependant that is not configured is none of ours, whatever is said of it', () => {
    const driver = probing();
    const stranger = { key: 'apps/v1/Deployment/stranger' };
    driver.sees(stranger, shielded());
    driver.watches(stranger, true);
    driver.answersWrite(stranger, { outcome: 'missing' }, 7);
    expect(Object.keys(driver.context.known)).toEqual([kcm.key, mcm.key]);
  });
});

describe('6.7 6.8 6.9 other hands', () => {
  test('S2 6.7 if a dependant becomes ignored while its write waits, the write’s version shows it', () => {
    const driver = probing();
    driver.wholeProbe('cutOff');
    driver.sees(mcm, present({ ignored: true, resourceVersion: '11' }));
    expect(driver.answersWrite(mcm, { outcome: 'conflict' })).toEqual(['read mcm']);
    expect(driver.readsAgain(mcm)).toEqual(['down kcm']);
  });

  test.each<[string, WriteAnswer]>([
    ['a conflict', { outcome: 'conflict' }],
    ['a refusal', { outcome: 'failed', detail: 'no' }],
  ])(
    '6.8 L1 a write that nobody answered, and then %s: the 0 without a mark that a read shows may be ours',
    (_, second) => {
      const driver = probing();
      driver.wholeProbe('cutOff');
      driver.answersWrite(mcm, { outcome: 'failed', detail: 'no answer', perhapsWritten: true });
      driver.wait(250);
      // A way down goes on with the view that it has (6.6).
      expect(driver.answersRead(mcm, { outcome: 'failed', detail: 'no answer' })).toEqual(['down mcm']);
      driver.answersWrite(mcm, second);
      driver.wait(500);
      const bare = present({ replicas: 0, readyReplicas: 0, resourceVersion: '20' });
      driver.answersRead(mcm, { outcome: 'read', view: bare });
      driver.wait(5_000);
      expect(driver.writes.get(mcm.key)?.change).toEqual({ mark: true, record: 1 });
    },
  );

  test.each([
    ['before the answer', []],
    ['after the answer', []],
    ['never', ['read mcm']],
  ])('6.2 6.8 a write finds none, and the watch tells so %s: the next probe asks %j', (when, asks) => {
    const driver = probing();
    driver.wholeProbe('cutOff');
    const tells = () => driver.sees(mcm, { found: false, resourceVersion: '99' });
    if (when === 'before the answer') tells();
    driver.answersWrite(mcm, { outcome: 'missing' });
    if (when === 'after the answer') tells();
    expect(writesOf(driver.wakeProbe())).toEqual(asks);
  });

  test('6.8 a missing dependant is said once, in the direction that misses it, and again after it was there', () => {
    const driver = down();
    driver.sees(mcm, missing);
    expect(driver.wholeProbe('cutOff')).toContain('say dependantMissing');
    expect(driver.outcome.notes).toContainEqual({ kind: 'dependantMissing', key: mcm.key, direction: 'down' });
    expect(driver.wholeProbe('cutOff')).not.toContain('say dependantMissing');
    driver.sees(mcm, shielded());
    expect(driver.wholeProbe('cutOff')).not.toContain('say dependantMissing');
    driver.sees(mcm, missing);
    expect(driver.wholeProbe('connected')).toContain('say dependantMissing');
    expect(driver.outcome.notes).toContainEqual({ kind: 'dependantMissing', key: mcm.key, direction: 'up' });
  });

  test('6.8 nobody misses an optional one', () => {
    const driver = probing({ ...config, dependants: [kcm, { ...mcm, optional: true }] });
    driver.sees(mcm, missing);
    expect(driver.wholeProbe('cutOff')).not.toContain('say dependantMissing');
    expect(driver.state).toBe('scalingDown');
    expect(driver.written(kcm)).toEqual([]);
    driver.follows(kcm);
    expect(driver.state).toBe('scaledDown');
  });
});

describe('9.1 9.2 what is said', () => {
  test('9.2 shielded: once for an outage, with the instants of its first verdict', () => {
    const driver = probing();
    driver.wakeProbe();
    driver.leases([38_000, 33_000]);
    driver.candidates();
    const crossedAt = driver.now - 3_000;
    const firstMarkAt = driver.now + 2_000;
    driver.written(mcm);
    driver.follows(mcm);
    driver.written(kcm);
    expect(driver.follows(kcm)).toEqual(['say shielded']);
    expect(driver.outcome.notes).toContainEqual({ kind: 'shielded', crossedAt, firstMarkAt });
    driver.sees(kcm, present({ resourceVersion: '50' }));
    driver.wholeProbe('cutOff');
    driver.written(kcm);
    expect(driver.follows(kcm), 'taken down again in the same outage').toEqual(['say shielded']);
    expect(driver.state).toBe('scaledDown');
  });

  test('6.1 a time-out is said with its direction', () => {
    const driver = probing();
    driver.wholeProbe('cutOff');
    driver.written(mcm);
    expect(driver.wait(30_000)).toEqual(expect.arrayContaining(['down kcm', 'say stepTimedOut']));
    expect(driver.outcome.notes).toContainEqual({
      kind: 'stepTimedOut',
      key: mcm.key,
      direction: 'down',
      timeout: 30_000,
    });
  });

  test('6.5 an unreadable record is said when the scale-up does without it', () => {
    const driver = down();
    driver.sees(kcm, shielded({ record: 'two', resourceVersion: '50' }));
    expect(driver.wholeProbe('connected')).toContain('say recordUnreadable');
    expect(driver.outcome.notes).toContainEqual({ kind: 'recordUnreadable', key: kcm.key, record: 'two' });
  });
});

test('1.2 requests on the way down are urgent, requests on the way up are not', () => {
  const driver = probing();
  driver.wholeProbe('cutOff');
  expect(driver.writes.get(mcm.key)).toMatchObject({ urgent: true });
  driver.answersWrite(mcm, { outcome: 'conflict' });
  expect(driver.outcome.commands).toContainEqual(
    expect.objectContaining({ params: expect.objectContaining({ urgent: true }) }),
  );
  const back = down();
  back.wholeProbe('connected');
  expect(back.writes.get(kcm.key)).toMatchObject({ urgent: false });
});

const urgentReads = (driver: ShootDriver) =>
  driver.outcome.commands.flatMap(({ type, params }) => (type === 'read' && params.urgent ? [params.key] : []));

describe('1.2 6.6 a way down waits for no read of the slow bucket', () => {
  test('1.2 6.6 the watch is out, and the probe’s own read still waits: the way down asks for itself, once a second', () => {
    const driver = probing();
    driver.watches(mcm, false);
    expect(writesOf(driver.wholeProbe('cutOff'))).toEqual(['read mcm', 'down mcm']);
    driver.written(mcm);
    expect(driver.wait(1_000), 'so near to the mark no level is waited for longer').toEqual([
      'withdraw mcm',
      'read mcm',
      'down kcm',
    ]);
    expect(urgentReads(driver)).toEqual([mcm.key]);
    driver.answersRead(mcm, { outcome: 'read', view: shielded({ resourceVersion: '12' }) });
    driver.written(kcm);
    driver.follows(kcm);
    expect(driver.state).toBe('scaledDown');
  });

  test('6.6 6.9 L2 but a slow read counts if no other is asked beside it: somebody may have raised what is down', () => {
    const driver = down();
    driver.watches(mcm, false);
    expect(writesOf(driver.wholeProbe('cutOff'))).toEqual(['read mcm']);
    expect(driver.state).toBe('scaledDown');
    const raised = present({ resourceVersion: '50', marked: true, record: '2' });
    driver.answersRead(mcm, { outcome: 'read', view: raised });
    expect(writesOf(driver.wholeProbe('cutOff'))).toContain('down mcm');
  });

  test('1.2 6.6 so it does for a dependant of which there was no news yet', () => {
    const driver = probing({ ...config, dependants: [widget] });
    expect(writesOf(driver.wholeProbe('cutOff'))).toEqual(['read thing', 'withdraw thing', 'read thing']);
    expect(urgentReads(driver)).toEqual([widget.key]);
  });
});

const raisedTo = (replicas: number, scaledBy?: string) =>
  present({
    marked: true,
    record: '2',
    replicas,
    resourceVersion: '50',
    ...(scaledBy === undefined ? {} : { scaledBy }),
  });

describe('6.9 raised by somebody else', () => {
  test('6.9 9.2 it is said at once, with who it was, and the margin counts anew from when it is down again', () => {
    const driver = down();
    driver.now += 120_000;
    driver.sees(kcm, raisedTo(1, 'kubectl'));
    const raisedAt = driver.now;
    expect(driver.outcome.notes).toEqual([{ kind: 'raised', key: kcm.key, to: 1, by: 'kubectl' }]);
    driver.now += 2_000;
    driver.wholeProbe('cutOff');
    driver.written(kcm);
    driver.follows(kcm);
    expect(driver.state).toBe('scaledDown');
    const grace = config.kcmNodeMonitorGraceDuration;
    expect(driver.outcome.notes).toEqual([
      { kind: 'shielded', again: true, crossedAt: raisedAt, firstMarkAt: raisedAt + grace },
    ]);
  });

  test('6.9 each time, and the seed need not remember who', () => {
    const driver = down();
    for (const version of ['50', '60']) {
      driver.sees(kcm, { ...raisedTo(3), resourceVersion: version });
      expect(driver.outcome.notes).toEqual([{ kind: 'raised', key: kcm.key, to: 3 }]);
      driver.wholeProbe('cutOff');
      driver.written(kcm);
      driver.follows(kcm);
      expect(driver.outcome.notes).toMatchObject([{ kind: 'shielded', again: true }]);
    }
  });

  test('6.9 what a read shows counts as well', () => {
    const driver = down();
    driver.watches(mcm, false);
    driver.wholeProbe('cutOff');
    driver.answersRead(mcm, { outcome: 'read', view: raisedTo(2, 'gardenlet') });
    expect(driver.outcome.notes).toEqual([{ kind: 'raised', key: mcm.key, to: 2, by: 'gardenlet' }]);
  });

  test('6.9 while not everything is scaled down yet, nothing counts anew', () => {
    const driver = probing();
    driver.wholeProbe('cutOff');
    driver.written(mcm);
    driver.sees(mcm, raisedTo(1));
    expect(driver.outcome.notes).toMatchObject([{ kind: 'raised' }]);
    driver.wholeProbe('cutOff');
    takeDown(driver);
    expect(driver.outcome.notes).toMatchObject([{ kind: 'shielded' }]);
    expect(driver.outcome.notes[0]).not.toHaveProperty('again');
  });

  test.each<[string, (driver: ShootDriver) => void]>([
    [
      'what we raised, seen before the answer to our write',
      (driver) => {
        driver.wholeProbe('cutOff');
        driver.sees(kcm, raisedTo(2));
      },
    ],
    [
      'what we may have raised: the answer was lost',
      (driver) => {
        driver.wholeProbe('cutOff');
        driver.answersWrite(kcm, { outcome: 'failed', detail: 'no answer' });
        driver.sees(kcm, raisedTo(2));
      },
    ],
    [
      'what is to be ignored from now on',
      (driver) => {
        driver.wholeProbe('cutOff');
        driver.sees(mcm, { ...raisedTo(2), ignored: true });
      },
    ],
    ['what is raised after the outage', (driver) => driver.sees(mcm, raisedTo(2))],
  ])('6.9 nothing is said of %s', (_, raise) => {
    const driver = down();
    driver.wholeProbe('connected');
    raise(driver);
    expect(driver.outcome.notes).not.toContainEqual(expect.objectContaining({ kind: 'raised' }));
  });
});

test('L3 a machine that is restored from its plain data goes on as it would have', () => {
  const driver = down();
  driver.wholeProbe('connected');
  const { value, context } = driver.outcome.snapshot;
  const restored = shootMachine.resolveState({ value, context: JSON.parse(JSON.stringify(context)) });
  driver.written(kcm);
  const { context: known } = driver.outcome.snapshot;
  const asked = driver.writes.get(kcm.key)!;
  const answer = { outcome: 'written', view: writtenOn(asked.seen, asked.change) } as const;
  const again = pureMachines.shoot.take(restored, {
    type: 'scale.answered',
    at: driver.now,
    askedAt: driver.now,
    asked,
    answer,
  });
  expect(again.snapshot.context).toEqual(known);
  expect(again.commands).toEqual(driver.outcome.commands);
});
