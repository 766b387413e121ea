import { describe, expect, test } from 'vitest';
import { FlowDriver } from '../support/flow-driver.ts';
import { dependant, deployment } from '@dwd/testing/prober-configs.ts';
import { present as presentAs, shielded as shieldedAs } from '@dwd/testing/views.ts';

const kcm = deployment('kcm', { down: 1, up: 0 });
const mcm = deployment('mcm', { down: 0, up: 1, upDelay: 30_000 });
const ca = deployment('ca', { down: 0, up: 2, optional: true });
const all = [kcm, mcm, ca];
/** Neither in one write, nor watched. */
const thing = dependant('example.org/v1', 'Thing', 'thing', { down: 0, up: 0 });

// With a record of 1 one write raises and takes the annotations away (6.5).
const present: typeof presentAs = (change) => presentAs({ replicas: 1, readyReplicas: 1, ...change });
const shielded: typeof shieldedAs = (change) => shieldedAs({ record: '1', ...change });

const goingDown = shielded({ readyReplicas: 1, observed: false });
const stillReady = shielded({ readyReplicas: 1 });
const comingUp = present({ readyReplicas: 0 });
const missing = { found: false } as const;

const down = (name: string, replicas = 1) => `write ${name} {"replicas":0,"mark":true,"record":${replicas}}`;
const up = (name: string, replicas = 1) => `write ${name} {"replicas":${replicas},"mark":false,"record":null}`;
const unmark = (name: string) => `write ${name} {"mark":false,"record":null}`;

describe('6.1 levels', () => {
  test('6.1 S4 down: a level together, the next one when all of it is at 0 ready replicas', () => {
    const driver = new FlowDriver('down', all, [present(), present(), present()]);
    expect(driver.move()).toEqual([down('mcm'), down('ca', 1)]);
    expect(driver.written(mcm, goingDown)).toEqual([]);
    expect(driver.written(ca, goingDown)).toEqual([]);
    expect(driver.sees(mcm, stillReady)).toEqual([]);
    expect(driver.sees(mcm, shielded())).toEqual([]);
    expect(driver.sees(ca, shielded())).toEqual([down('kcm')]);
    expect(driver.written(kcm, goingDown)).toEqual([]);
    expect(driver.finished).toBe(false);
    expect(driver.sees(kcm, shielded())).toEqual([]);
    expect(driver.finished).toBe(true);
  });

  test('6.1 down: what is not ready any more and still ends lets the next level begin, and all is down once it has ended', () => {
    const driver = new FlowDriver('down', all, [present(), present(), present()]);
    driver.move();
    for (const one of [mcm, ca]) driver.written(one, goingDown);
    driver.sees(mcm, shielded());
    expect(driver.sees(ca, { ...shielded(), ending: 1 })).toEqual([down('kcm')]);
    driver.written(kcm, goingDown);
    driver.sees(kcm, { ...shielded(), ending: 1 });
    expect(driver.finished).toBe(false);
    driver.sees(ca, shielded());
    expect(driver.finished).toBe(false);
    driver.sees(kcm, shielded());
    expect(driver.finished).toBe(true);
  });

  test('6.1 S4 up: by its own levels, the next one when all of this one has a ready replica', () => {
    const driver = new FlowDriver(
      'upAll',
      [kcm, { ...mcm, scaleUp: ca.scaleUp }, ca],
      [shielded(), shielded(), shielded()],
    );
    expect(driver.move()).toEqual([up('kcm')]);
    expect(driver.written(kcm, present({ readyReplicas: 0, observed: false }))).toEqual([]);
    expect(driver.sees(kcm, present({ readyReplicas: 1, observed: false }))).toEqual([]);
    expect(driver.sees(kcm, present({ readyReplicas: 1 }))).toEqual([up('mcm'), up('ca')]);
    driver.written(mcm, comingUp);
    driver.written(ca, comingUp);
    driver.sees(ca, present());
    expect(driver.finished).toBe(false);
    driver.sees(mcm, present());
    expect(driver.finished).toBe(true);
  });

  test('6.1 what needs no change is done at once, whatever its status', () => {
    const driver = new FlowDriver('down', all, [goingDown, shielded(), present({ replicas: 0, readyReplicas: 0 })]);
    expect(driver.move()).toEqual([]);
    expect(driver.finished).toBe(true);
    const running = new FlowDriver('upAll', all, [comingUp, present(), missing]);
    expect(running.move()).toEqual([]);
    expect(running.finished).toBe(true);
  });

  test('6.1 levels need be neither neighbours nor begin at 0', () => {
    const early = deployment('early', { down: 7, up: 7 });
    const late = deployment('late', { down: 90, up: 90 });
    const driver = new FlowDriver('down', [late, early], [present(), present()]);
    expect(driver.move()).toEqual([down('early')]);
    expect(driver.written(early, shielded())).toEqual([down('late')]);
  });
});

test('6.1 a write whose answer shows that the replicas are there is done with that answer', () => {
  const raisedAlready = present({ marked: true, record: '1' });
  const driver = new FlowDriver('upAll', [kcm, ca], [raisedAlready, shielded()]);
  expect(driver.move()).toEqual([unmark('kcm')]);
  // The watch tells first, and then nothing more.
  expect(driver.sees(kcm, present())).toEqual([]);
  expect(driver.written(kcm, present())).toEqual([up('ca')]);
});

describe('6.1 time-outs', () => {
  test('6.1 down: counted from the write, said once, and the next level goes on', () => {
    const slow = deployment('slow', { down: 0, up: 0, downDelay: 20_000 });
    const driver = new FlowDriver('down', [slow, kcm], [present(), present()]);
    driver.move();
    expect(driver.move(20_000)).toEqual([down('slow')]);
    driver.written(slow, goingDown);
    expect(driver.wakeAt).toBe(25_000);
    expect(driver.move(4_999)).toEqual([]);
    expect(driver.move(1), 'no level is waited for longer').toEqual([down('kcm')]);
    driver.written(kcm, shielded());
    expect(driver.wakeAt).toBe(50_000);
    expect(driver.move(25_000)).toEqual(['slow not done in 30000']);
    expect(driver.move(1)).toEqual([]);
  });

  const third = deployment('third', { down: 2, up: 0 });
  test.for<[string, number | undefined, number]>([
    ['where nothing is known of a mark', undefined, 5_000],
    ['where the mark is far', 30_000, 5_000],
    ['where the two levels after it have five seconds each', 12_500, 2_500],
    ['where there is less time than they need', 8_000, 1_000],
    ['where the mark is over', -60_000, 1_000],
  ])('6.1 9.2 down: a level is waited for no longer than leaves those after it their time: %s', ([, markAt, waits]) => {
    const driver = new FlowDriver('down', [mcm, kcm, third], [present(), present(), present()]);
    driver.firstMarkAt = markAt;
    driver.move();
    driver.written(mcm, goingDown);
    expect(driver.wakeAt).toBe(waits);
    expect(driver.move(waits - 1)).toEqual([]);
    expect(driver.move(1)).toEqual([down('kcm')]);
  });

  test('6.1 9.2 down: levels at which nothing runs need no time', () => {
    const driver = new FlowDriver('down', [mcm, kcm, third], [present(), present(), shielded()]);
    driver.firstMarkAt = 8_000;
    driver.move();
    expect(driver.wakeAt).toBe(3_000);
  });

  test.for<[string, (driver: FlowDriver) => unknown]>([
    ['a write', () => undefined],
    ['a back-off', (driver) => driver.fails(mcm, 'write')],
    ['a read', (driver) => [driver.fails(mcm, 'conflict')]],
    [
      'the hand of another, who raises it each time',
      (driver) => {
        for (let raised = 0; raised < 5; raised++) {
          driver.written(mcm, goingDown);
          driver.sees(mcm, present({ marked: true, record: '1' }));
          driver.at += 900;
          driver.renew('down');
        }
      },
    ],
  ])('6.1 6.8 6.9 down: the next level begins when the time is over, whatever is under way: %s', ([, happens]) => {
    const driver = new FlowDriver(
      'down',
      [{ ...mcm, scaleDown: { ...mcm.scaleDown, timeout: 4_600 } }, kcm],
      [present(), present()],
    );
    driver.move();
    happens(driver);
    driver.move(4_599 - driver.at);
    expect(driver.wakeAt).toBe(4_600);
    expect(driver.move(1)).toEqual(expect.arrayContaining(['mcm not done in 4600', down('kcm')]));
  });

  test('6.1 6.6 where no time is left for its level, a dependant is asked for once all the same', () => {
    const driver = new FlowDriver(
      'down',
      [{ ...mcm, scaleDown: { ...mcm.scaleDown, timeout: 0 } }, kcm],
      [present(), present()],
    );
    expect(driver.move().toSorted()).toEqual(['mcm not done in 0', down('kcm'), down('mcm')]);
  });

  test('6.1 up: said once, and the next level waits for the next connected verdict', () => {
    const driver = new FlowDriver('upAll', all, [shielded(), shielded(), missing]);
    driver.move();
    driver.written(kcm, comingUp);
    expect(driver.wakeAt).toBe(30_000);
    expect(driver.move(30_000)).toEqual(['kcm not done in 30000']);
    expect(driver.stepOf(kcm)).toBe('stuck');
    expect(driver.wakeAt).toBeUndefined();
    expect(driver.move(100_000)).toEqual([]);
    expect(driver.sees(kcm, present())).toEqual([]);
    expect(driver.renew('upAll')).toEqual([]);
    expect(driver.wakeAt, 'the delay of the next level').toBe(160_000);
    expect(driver.move(30_000)).toEqual([up('mcm')]);
  });

  test('6.1 up: what timed out and needs no write is done with the next verdict, though nothing is ready; what needs one is written', () => {
    const driver = new FlowDriver('upAll', [kcm, ca], [shielded(), shielded()]);
    driver.move();
    driver.written(kcm, comingUp);
    expect(driver.move(30_000)).toEqual(['kcm not done in 30000']);
    driver.sees(kcm, shielded());
    expect(driver.renew('upAll')).toEqual([up('kcm')]);
    driver.written(kcm, comingUp);
    expect(driver.move(30_000)).toEqual(['kcm not done in 30000']);
    expect(driver.renew('upAll')).toEqual([up('ca')]);
  });

  test('6.1 6.2 a read before the delay does not count: the time-out runs from the first try after it', () => {
    const slow = deployment('slow', { down: 0, up: 0, downDelay: 20_000, upDelay: 40_000 });
    const driver = new FlowDriver('down', [slow, kcm], [null, present()]);
    expect(driver.move()).toEqual(['read slow']);
    driver.at = 1_000;
    expect(driver.read(slow, present())).toEqual([]);
    expect(driver.wakeAt).toBe(20_000);
    expect(driver.move(19_000)).toEqual([down('slow')]);
    expect(driver.written(slow, goingDown)).toEqual([]);
    expect(driver.wakeAt).toBe(25_000);
    const raised = new FlowDriver('upAll', [slow], [null]);
    raised.move();
    raised.read(slow, shielded());
    expect(raised.move(39_999), 'nothing is late').toEqual([]);
    expect(raised.move(1)).toEqual([up('slow')]);
  });

  test('6.1 one of a level that is late holds up its level only until its own time-out', () => {
    const quick = { ...mcm, scaleDown: { ...mcm.scaleDown, timeout: 2_000 } };
    const driver = new FlowDriver('down', [kcm, quick, ca], [present(), present(), present()]);
    driver.move();
    driver.written(quick, goingDown);
    driver.written(ca, goingDown);
    expect(driver.move(2_000)).toEqual(['mcm not done in 2000']);
    expect(driver.move(2_999)).toEqual([]);
    expect(driver.move(1)).toEqual([down('kcm')]);
    expect(driver.move(25_000)).toEqual(['ca not done in 30000']);
  });
});

describe('6.2 first whether, then when', () => {
  test('6.2 no delay runs where nothing is due', () => {
    const driver = new FlowDriver('upAll', all, [shielded(), present(), missing]);
    driver.move();
    driver.written(kcm, present());
    expect(driver.finished).toBe(true);
    expect(driver.wakeAt).toBeUndefined();
  });

  test('6.2 6.1 the delay runs from the start of its level, once, through further verdicts', () => {
    const driver = new FlowDriver('upAll', all, [shielded(), shielded(), missing]);
    driver.move();
    driver.at = 5_000;
    expect(driver.written(kcm, present())).toEqual([]);
    expect(driver.wakeAt).toBe(35_000);
    expect(driver.move(20_000)).toEqual([]);
    expect(driver.renew('upAll')).toEqual([]);
    expect(driver.wakeAt).toBe(35_000);
    expect(driver.move(9_999)).toEqual([]);
    expect(driver.move(1)).toEqual([up('mcm')]);
  });

  test.each([
    ['raised by others', present()],
    ['ignored', shielded({ ignored: true, marked: false })],
    ['gone', missing],
  ])('6.2 6.1 what is %s while its delay runs holds up the next level no more', (_, view) => {
    const driver = new FlowDriver('upAll', [{ ...mcm, optional: true }, ca], [shielded(), shielded()]);
    driver.move();
    expect(driver.sees(mcm, shielded()), 'still due').toEqual([]);
    expect(driver.wakeAt).toBe(30_000);
    driver.at = 10_000;
    expect(driver.sees(mcm, view)).toEqual([up('ca')]);
  });

  test('6.2 a level that has to wait for a lower one again does not begin its delay anew', () => {
    const driver = new FlowDriver('upAll', all, [shielded(), shielded(), missing]);
    driver.move();
    driver.written(kcm, present());
    driver.at = 20_000;
    driver.sees(kcm, shielded());
    expect(driver.renew('upAll')).toEqual([up('kcm')]);
    driver.at = 25_000;
    driver.written(kcm, present());
    expect(driver.wakeAt).toBe(30_000);
  });

  test('6.2 a delay that is shorter than what the level waits for anyway costs nothing', () => {
    const later = deployment('later', { down: 0, up: 0, upDelay: 1_000 });
    const driver = new FlowDriver('upAll', [later], [null]);
    expect(driver.move()).toEqual(['read later']);
    driver.at = 2_000;
    expect(driver.read(later, shielded())).toEqual([up('later')]);
  });

  test('6.2 a conflict after the delay does not run it again', () => {
    const driver = new FlowDriver('upAll', [mcm], [shielded()]);
    driver.move();
    driver.move(30_000);
    expect(driver.fails(mcm, 'conflict')).toEqual(['read mcm']);
    expect(driver.read(mcm, shielded({ resourceVersion: '11' }))).toEqual([up('mcm')]);
  });
});

describe('6.4 6.5 6.6 two writes where one cannot do it', () => {
  test('6.4 6.6 down: the mark and the record, then the scale, then to be awaited', () => {
    const driver = new FlowDriver('down', [thing], [present()]);
    expect(driver.move()).toEqual(['write thing {"mark":true,"record":1}']);
    expect(driver.written(thing, present({ marked: true, record: '1' }))).toEqual(['write thing {"replicas":0}']);
    driver.written(thing, goingDown);
    expect(driver.stepOf(thing)).toBe('settling');
    driver.sees(thing, shielded());
    expect(driver.finished).toBe(true);
  });

  test('6.5 6.6 up: the scale, then mark and record, then to be awaited', () => {
    const driver = new FlowDriver('upAll', [thing], [shielded()]);
    expect(driver.move()).toEqual(['write thing {"replicas":1}']);
    expect(driver.written(thing, present({ marked: true, record: '1', readyReplicas: 0 }))).toEqual([unmark('thing')]);
    driver.written(thing, comingUp);
    expect(driver.stepOf(thing)).toBe('settling');
  });

  test('6.5 a record that cannot be read is said with the write that does without it, and not again', () => {
    const driver = new FlowDriver('upAll', [kcm], [shielded({ record: 'two' })]);
    expect(driver.move()).toEqual([up('kcm', 1), 'kcm has the record "two"']);
    const taken = new FlowDriver('down', [kcm], [present({ marked: true, record: 'two' })]);
    expect(taken.move()).toEqual([down('kcm')]);
    const unmarked = new FlowDriver('upAll', [kcm], [present({ marked: true, record: 'two' })]);
    expect(unmarked.move()).toEqual([unmark('kcm')]);
  });
});

describe('6.6 what fails is tried again', () => {
  test('6.6 the first three conflicts at once on fresh data, the next with a pause that grows', () => {
    const driver = new FlowDriver('down', [mcm], [present()]);
    driver.move();
    for (let count = 0; count < 3; count++) {
      expect(driver.fails(mcm, 'conflict')).toEqual(['read mcm']);
      expect(driver.read(mcm, present())).toEqual([down('mcm')]);
    }
    expect(driver.fails(mcm, 'conflict')).toEqual([]);
    expect(driver.wakeAt).toBe(250);
    expect(driver.move(250)).toEqual(['read mcm']);
    driver.read(mcm, present());
    expect(driver.fails(mcm, 'conflict')).toEqual([]);
    expect(driver.move(499)).toEqual([]);
    expect(driver.wakeAt).toBe(750);
  });

  test('6.6 6.8 a write that failed is looked at again after 250 ms, 500 ms, … 5 s, which at the time-out is said, and no level waits for it', () => {
    const driver = new FlowDriver('down', [mcm, kcm], [present(), shielded()]);
    const wait = (): number => {
      const { until } = driver.flow.steps[mcm.key] as { until: number };
      return until - driver.at;
    };
    driver.move();
    const pauses: number[] = [];
    const said: unknown[] = driver.fails(mcm, 'write').slice();
    for (let tries = 0; tries < 12; tries++) {
      pauses.push(wait());
      said.push(...driver.move(wait()).filter((words) => words !== 'read mcm'));
      expect(driver.read(mcm, present())).toEqual([down('mcm')]);
      driver.fails(mcm, 'write');
    }
    expect(said).toEqual(['mcm not done in 30000']);
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, ...Array.from({ length: 7 }, () => 5_000)]);
    for (let more = 0; more < 100; more++) {
      expect(driver.wakeAt! - driver.at).toBe(5_000);
      expect(driver.move(5_000)).toEqual(['read mcm']);
      expect(driver.read(mcm, present())).toEqual([down('mcm')]);
      expect(driver.fails(mcm, 'write'), 'said once').toEqual([]);
    }
  });

  test('6.8 6.1 up: what is late is tried on as well, and the next level waits for it', () => {
    const driver = new FlowDriver('upAll', [kcm, mcm], [shielded(), shielded()]);
    driver.move();
    driver.at = 30_000;
    expect(driver.fails(kcm, 'write')).toEqual(['kcm not done in 30000']);
    expect(driver.wakeAt).toBe(30_250);
    expect(driver.move(250)).toEqual(['read kcm']);
    expect(driver.read(kcm, shielded())).toEqual([up('kcm')]);
    expect(driver.fails(kcm, 'write')).toEqual([]);
  });

  test('6.6 a read that failed comes again after a second at the earliest', () => {
    const driver = new FlowDriver('down', [mcm], [null]);
    expect(driver.move()).toEqual(['read mcm']);
    const pauses: number[] = [];
    while (pauses.length < 5) {
      expect(driver.fails(mcm, 'read')).toEqual([]);
      pauses.push(driver.wakeAt! - driver.at);
      expect(driver.move(driver.wakeAt! - driver.at)).toEqual(['read mcm']);
    }
    expect(pauses).toEqual([1_000, 1_000, 1_000, 2_000, 4_000]);
  });

  test('6.6 6.1 a failure left from before its level was reached does not start its time-out', () => {
    const late = deployment('late', { down: 0, up: 1 });
    const driver = new FlowDriver('upAll', [kcm, late], [shielded(), shielded()]);
    driver.move();
    // A write of the flow before this one.
    driver.fails(late, 'conflict');
    driver.written(kcm, comingUp);
    driver.at = 29_000;
    expect(driver.sees(kcm, present())).toEqual(['read late']);
    expect(driver.read(late, shielded())).toEqual([up('late')]);
    driver.at = 31_000;
    expect(driver.fails(late, 'conflict')).toEqual(['read late']);
  });

  test('6.6 a failure of what the flow awaits no more changes nothing', () => {
    const driver = new FlowDriver('down', [mcm], [shielded()]);
    driver.move();
    expect(driver.fails(mcm, 'write')).toEqual([]);
    expect(driver.finished).toBe(true);
  });
});

describe('6.6 what no watch tells is read', () => {
  test('6.6 once a second while it is awaited, never two at a time', () => {
    const driver = new FlowDriver('down', [thing], [present({ marked: true, record: '1' })]);
    driver.move();
    driver.written(thing, stillReady);
    expect(driver.wakeAt).toBe(1_000);
    expect(driver.move(999)).toEqual([]);
    expect(driver.move(1)).toEqual(['read thing']);
    expect(driver.wakeAt, 'the read is awaited').toBe(30_000);
    expect(driver.move(5_000)).toEqual([]);
    expect(driver.read(thing, stillReady)).toEqual(['read thing']);
    expect(driver.read(thing, stillReady)).toEqual([]);
    expect(driver.wakeAt).toBe(7_000);
    expect(driver.move(1_000)).toEqual(['read thing']);
    driver.read(thing, shielded());
    expect(driver.finished).toBe(true);
  });

  test('6.6 and where a watch that tells goes out; not where it is in', () => {
    const driver = new FlowDriver('down', [mcm], [present()]);
    driver.move();
    driver.written(mcm, stillReady);
    expect(driver.move(10_000)).toEqual([]);
    driver.setLive(mcm, false);
    expect(driver.move()).toEqual(['read mcm']);
    driver.setLive(mcm, true);
    driver.read(mcm, stillReady);
    expect(driver.wakeAt).toBe(30_000);
    expect(driver.move(10_000)).toEqual([]);
  });

  test('6.6 down does not wait for a read where something is known: the write is guarded by its version', () => {
    const driver = new FlowDriver('down', [thing], [present()]);
    driver.reads(thing);
    expect(driver.move()).toEqual(['write thing {"mark":true,"record":1}']);
  });

  test('6.6 up waits for a read that is under way', () => {
    const driver = new FlowDriver('upAll', [thing], [shielded()]);
    driver.reads(thing);
    expect(driver.move()).toEqual([]);
    expect(driver.read(thing, present())).toEqual([]);
    expect(driver.finished).toBe(true);
  });
});

describe('6.7 hands off', () => {
  test('6.7 S2 an ignored resource is done, in both directions', () => {
    const goingBoth = [present({ ignored: true }), present({ ignored: true, replicas: 0 })];
    for (const aim of ['down', 'upAll', 'upOurs'] as const) {
      const driver = new FlowDriver(aim, [kcm, mcm], goingBoth);
      expect(driver.move()).toEqual([]);
      expect(driver.finished).toBe(true);
    }
  });

  test('6.7 a mark that was left is taken away without a delay, and nothing waits for it', () => {
    const driver = new FlowDriver(
      'upAll',
      [{ ...mcm, scaleUp: { ...mcm.scaleUp, level: 0 } }, ca],
      [shielded({ ignored: true }), shielded()],
    );
    expect(driver.move()).toEqual(['write mcm {"mark":false}', up('ca')]);
  });

  test('6.7 what is taken out of our hands while it is awaited is done', () => {
    const driver = new FlowDriver('down', [mcm, kcm], [present(), present()]);
    driver.move();
    driver.written(mcm, goingDown);
    expect(driver.sees(mcm, goingDown)).toEqual([]);
    expect(driver.sees(mcm, { ...goingDown, ignored: true })).toEqual([down('kcm')]);
  });
});

describe('6.8 missing', () => {
  test('6.8 down: done, optional or not', () => {
    const driver = new FlowDriver('down', all, [present(), missing, missing]);
    expect(driver.move()).toEqual([down('kcm')]);
  });

  test('6.8 up: an optional one is done, one that is not holds up the levels above it', () => {
    const driver = new FlowDriver('upAll', [kcm, { ...ca, scaleUp: kcm.scaleUp }, mcm], [missing, missing, shielded()]);
    expect(driver.move()).toEqual([]);
    expect(driver.stepOf(ca)).toBe('done');
    expect(driver.stepOf(kcm)).toBe('stuck');
    expect(driver.finished).toBe(false);
  });

  test('6.8 it is looked for again with every verdict, and goes on once it is there', () => {
    const driver = new FlowDriver('upAll', [kcm, ca], [missing, shielded()]);
    driver.move();
    expect(driver.renew('upAll')).toEqual([]);
    expect(driver.stepOf(kcm)).toBe('stuck');
    driver.sees(kcm, shielded({ replicas: 0 }));
    expect(driver.renew('upAll')).toEqual([up('kcm')]);
    expect(driver.written(kcm, present())).toEqual([up('ca')]);
  });

  test('6.8 one that goes while it is awaited is done on the way down, and not on the way up', () => {
    const taken = new FlowDriver('down', [mcm, kcm], [present(), present()]);
    taken.move();
    taken.written(mcm, goingDown);
    expect(taken.sees(mcm, missing)).toEqual([down('kcm')]);
    const raised = new FlowDriver('upAll', [kcm, ca], [shielded(), shielded()]);
    raised.move();
    expect(raised.written(kcm, missing)).toEqual([]);
    expect(raised.stepOf(kcm)).toBe('stuck');
  });
});

describe('6.9 undone by somebody else', () => {
  test('6.9 with the next verdict it goes down again, without a delay, and the levels above wait for it', () => {
    const slow = deployment('slow', { down: 0, up: 0, downDelay: 20_000 });
    const driver = new FlowDriver('down', [slow, kcm], [present(), present()]);
    driver.move();
    driver.move(20_000);
    driver.written(slow, shielded());
    driver.written(kcm, shielded());
    const raised = present({ marked: true, record: '1', replicas: 3 });
    expect(driver.sees(slow, raised)).toEqual([]);
    expect(driver.stepOf(slow)).toBe('done');
    driver.sees(kcm, raised);
    expect(driver.renew('down')).toEqual(['write slow {"replicas":0}']);
    expect(driver.written(slow, shielded())).toEqual(['write kcm {"replicas":0}']);
  });

  test('6.9 6.1 S4 one that is late waits for the levels below it that somebody raised, and is tried again after them', () => {
    const driver = new FlowDriver('down', [ca, kcm], [present(), present()]);
    driver.move();
    driver.written(ca, shielded());
    driver.written(kcm, stillReady);
    expect(driver.move(30_000)).toEqual(['kcm not done in 30000']);
    driver.sees(ca, present());
    driver.sees(kcm, present());
    expect(driver.renew('down')).toEqual([down('ca')]);
    expect(driver.written(ca, goingDown)).toEqual([]);
    expect(driver.sees(ca, shielded())).toEqual([down('kcm')]);
    driver.written(kcm, shielded());
    expect(driver.finished).toBe(true);
  });

  test('6.9 6.1 what came down by another’s hand while it was to be written is awaited all the same', () => {
    const driver = new FlowDriver('down', [mcm], [present()]);
    driver.move();
    expect(driver.fails(mcm, 'conflict')).toEqual(['read mcm']);
    driver.read(mcm, present({ replicas: 0, readyReplicas: 1 }));
    expect(driver.stepOf(mcm)).toBe('settling');
  });
});

test('5.3 6.2 a connected verdict after one of too few gives what is not ours its delay', () => {
  const driver = new FlowDriver('upOurs', [kcm, mcm, ca], [shielded(), present({ replicas: 0 }), shielded()]);
  driver.move();
  expect(driver.written(kcm, present())).toEqual([up('ca')]);
  driver.at = 5_000;
  expect(driver.renew('upAll')).toEqual([]);
  expect(driver.wakeAt).toBe(35_000);
  expect(driver.move(30_000)).toEqual(['write mcm {"replicas":1}']);
});

test('5.3 6.3 a flow that may raise all is held to ours by a verdict of too few', () => {
  const delayed = deployment('delayed', { down: 0, up: 0, upDelay: 10_000 });
  const both = [delayed, { ...kcm, scaleUp: delayed.scaleUp }];
  const driver = new FlowDriver('upAll', both, [present({ replicas: 0 }), shielded()]);
  driver.move();
  driver.renew('upOurs');
  expect(driver.move(10_000)).toEqual([up('kcm')]);
  expect(driver.stepOf(delayed)).toBe('done');
});

describe('6.8 an answer that shows otherwise', () => {
  const held = present({ marked: true, record: '1' });

  test('6.8 down: it is a failed try, and the next level begins in time', () => {
    const driver = new FlowDriver('down', [mcm, kcm], [present(), present()]);
    const writesAt: number[] = [];
    const begunAt: number[] = [];
    let asked = driver.move();
    while (driver.at < 40_000) {
      if (asked.some((words) => words.startsWith('write mcm'))) {
        writesAt.push(driver.at);
        asked = driver.written(mcm, held);
      } else asked = driver.move(Math.max(1, driver.wakeAt! - driver.at));
      if (asked.includes(down('kcm'))) begunAt.push(driver.at);
    }
    expect(begunAt).toEqual([5_000]);
    expect(writesAt.slice(1).map((at, index) => at - writesAt[index]!)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000,
    ]);
  });

  test('6.8 6.4 S5 down: a mark that does not take is set by the next try, with the replicas that only we know', () => {
    const driver = new FlowDriver('down', [mcm], [present({ replicas: 3 })]);
    driver.move();
    driver.written(mcm, present({ replicas: 0 }));
    expect(driver.move(250)).toEqual(['write mcm {"mark":true,"record":3}']);
  });

  test('6.5 6.8 L1 up: record and mark go once the replicas are there, and where they went too soon both are written again', () => {
    const driver = new FlowDriver('upAll', [kcm], [shielded()]);
    expect(driver.move()).toEqual([up('kcm')]);
    driver.written(kcm, present({ replicas: 0 }));
    expect(driver.move(250)).toEqual(['write kcm {"replicas":1,"mark":true,"record":1}']);
    driver.written(kcm, shielded());
    expect(driver.move(500)).toEqual(['write kcm {"replicas":1}']);
    expect(driver.written(kcm, held)).toEqual([unmark('kcm')]);
    driver.written(kcm, present());
    expect(driver.finished).toBe(true);
  });

  test('6.5 6.8 6.1 up: with fewer replicas than recorded both stay, and what runs holds up no level', () => {
    const driver = new FlowDriver('upAll', [kcm, ca], [shielded({ record: '3' }), shielded()]);
    expect(driver.move()).toEqual(['write kcm {"replicas":3}']);
    const capped = present({ marked: true, record: '3', readyReplicas: 0 });
    expect(driver.written(kcm, capped)).toEqual([]);
    expect(driver.sees(kcm, { ...capped, readyReplicas: 1 })).toEqual([up('ca')]);
    expect(driver.move(250)).toEqual(['write kcm {"replicas":3}']);
    driver.written(kcm, { ...capped, readyReplicas: 1 });
    expect(driver.finished).toBe(false);
  });

  test('6.7 6.8 a mark that comes back on what is ignored is taken away no sooner than the back-off allows', () => {
    const driver = new FlowDriver('upAll', [kcm], [held]);
    const ignored = { ...held, ignored: true };
    expect(driver.sees(kcm, ignored)).toEqual(['write kcm {"mark":false}']);
    driver.written(kcm, ignored);
    expect(driver.renew('upAll')).toEqual([]);
    driver.move(250);
    expect(driver.renew('upAll')).toEqual(['write kcm {"mark":false}']);
  });
});
