import { describe, expect, test } from 'vitest';
import { FlowDesk } from '../support/flow-desk.ts';
import { dependant, deployment } from '../support/prober-configs.ts';
import { present, shielded } from '../support/views.ts';

const kcm = deployment('kcm', { down: 1, up: 0 });
const mcm = deployment('mcm', { down: 0, up: 1, upDelay: 30_000 });
const ca = deployment('ca', { down: 0, up: 2, optional: true });
const all = [kcm, mcm, ca];
/** Neither in one write, nor watched. */
const thing = dependant('example.org/v1', 'Thing', 'thing', { down: 0, up: 0 });

const goingDown = shielded({ readyReplicas: 2, observed: false });
const stillReady = shielded({ readyReplicas: 2 });
const comingUp = present({ readyReplicas: 0 });
const missing = { found: false } as const;

const down = (name: string, replicas = 2) => `write ${name} {"replicas":0,"mark":true,"record":${replicas}}`;
const up = (name: string, replicas = 2) => `write ${name} {"replicas":${replicas},"mark":false,"record":null}`;
const unmark = (name: string) => `write ${name} {"mark":false,"record":null}`;

describe('6.1 levels', () => {
  test('6.1 S4 down: a level together, the next one when all of it is at 0 ready replicas', () => {
    const desk = new FlowDesk('down', all, [present(), present(), present({ replicas: 1 })]);
    expect(desk.move()).toEqual([down('mcm'), down('ca', 1)]);
    expect(desk.written(mcm, goingDown)).toEqual([]);
    expect(desk.written(ca, goingDown)).toEqual([]);
    expect(desk.sees(mcm, stillReady)).toEqual([]);
    expect(desk.sees(mcm, shielded())).toEqual([]);
    expect(desk.sees(ca, shielded())).toEqual([down('kcm')]);
    expect(desk.written(kcm, goingDown)).toEqual([]);
    expect(desk.finished).toBe(false);
    expect(desk.sees(kcm, shielded())).toEqual([]);
    expect(desk.finished).toBe(true);
  });

  test('6.1 S4 up: by its own levels, the next one when all of this one has a ready replica', () => {
    const desk = new FlowDesk(
      'upAll',
      [kcm, { ...mcm, scaleUp: ca.scaleUp }, ca],
      [shielded(), shielded(), shielded()],
    );
    expect(desk.move()).toEqual([up('kcm')]);
    expect(desk.written(kcm, present({ readyReplicas: 0, observed: false }))).toEqual([]);
    expect(desk.sees(kcm, present({ readyReplicas: 1, observed: false }))).toEqual([]);
    expect(desk.sees(kcm, present({ readyReplicas: 1 }))).toEqual([up('mcm'), up('ca')]);
    desk.written(mcm, comingUp);
    desk.written(ca, comingUp);
    desk.sees(ca, present());
    expect(desk.finished).toBe(false);
    desk.sees(mcm, present());
    expect(desk.finished).toBe(true);
  });

  test('6.1 what needs no change is done at once, whatever its status', () => {
    const desk = new FlowDesk('down', all, [goingDown, shielded(), present({ replicas: 0, readyReplicas: 0 })]);
    expect(desk.move()).toEqual([]);
    expect(desk.finished).toBe(true);
    const running = new FlowDesk('upAll', all, [comingUp, present(), missing]);
    expect(running.move()).toEqual([]);
    expect(running.finished).toBe(true);
  });

  test('6.1 levels need be neither neighbours nor begin at 0', () => {
    const early = deployment('early', { down: 7, up: 7 });
    const late = deployment('late', { down: 90, up: 90 });
    const desk = new FlowDesk('down', [late, early], [present(), present()]);
    expect(desk.move()).toEqual([down('early')]);
    expect(desk.written(early, shielded())).toEqual([down('late')]);
  });
});

test('6.1 a write whose answer shows that the replicas are there is done with that answer', () => {
  const raisedAlready = present({ marked: true, record: '2' });
  const desk = new FlowDesk('upAll', [kcm, ca], [raisedAlready, shielded()]);
  expect(desk.move()).toEqual([unmark('kcm')]);
  // The watch tells first, and then nothing more.
  expect(desk.sees(kcm, present())).toEqual([]);
  expect(desk.written(kcm, present())).toEqual([up('ca')]);
});

describe('6.1 time-outs', () => {
  test('6.1 down: counted from the write, said once, and the next level goes on', () => {
    const slow = deployment('slow', { down: 0, up: 0, downDelay: 20_000 });
    const desk = new FlowDesk('down', [slow, kcm], [present(), present()]);
    desk.move();
    expect(desk.move(20_000)).toEqual([down('slow')]);
    desk.written(slow, goingDown);
    expect(desk.wakeAt).toBe(50_000);
    expect(desk.move(29_999)).toEqual([]);
    expect(desk.move(1)).toEqual(['slow not done in 30000', down('kcm')]);
    expect(desk.move(1)).toEqual([]);
  });

  test('6.1 up: said once, and the next level waits for the next connected verdict', () => {
    const desk = new FlowDesk('upAll', all, [shielded(), shielded(), missing]);
    desk.move();
    desk.written(kcm, comingUp);
    expect(desk.wakeAt).toBe(30_000);
    expect(desk.move(30_000)).toEqual(['kcm not done in 30000']);
    expect(desk.stepOf(kcm)).toBe('stuck');
    expect(desk.wakeAt).toBeUndefined();
    expect(desk.move(100_000)).toEqual([]);
    expect(desk.sees(kcm, present())).toEqual([]);
    expect(desk.renew('upAll')).toEqual([]);
    expect(desk.wakeAt, 'the delay of the next level').toBe(160_000);
    expect(desk.move(30_000)).toEqual([up('mcm')]);
  });

  test('6.1 one of a level that is late holds up its level only until its own time-out', () => {
    const quick = { ...mcm, scaleDown: { ...mcm.scaleDown, timeout: 5_000 } };
    const desk = new FlowDesk('down', [kcm, quick, ca], [present(), present(), present()]);
    desk.move();
    desk.written(quick, goingDown);
    desk.written(ca, goingDown);
    expect(desk.move(5_000)).toEqual(['mcm not done in 5000']);
    expect(desk.move(24_999)).toEqual([]);
    expect(desk.move(1)).toEqual(['ca not done in 30000', down('kcm')]);
  });
});

describe('6.2 first whether, then when', () => {
  test('6.2 no delay runs where nothing is due', () => {
    const desk = new FlowDesk('upAll', all, [shielded(), present(), missing]);
    desk.move();
    desk.written(kcm, present());
    expect(desk.finished).toBe(true);
    expect(desk.wakeAt).toBeUndefined();
  });

  test('6.2 6.1 the delay runs from the start of its level, once, through further verdicts', () => {
    const desk = new FlowDesk('upAll', all, [shielded(), shielded(), missing]);
    desk.move();
    desk.at = 5_000;
    expect(desk.written(kcm, present())).toEqual([]);
    expect(desk.wakeAt).toBe(35_000);
    expect(desk.move(20_000)).toEqual([]);
    expect(desk.renew('upAll')).toEqual([]);
    expect(desk.wakeAt).toBe(35_000);
    expect(desk.move(9_999)).toEqual([]);
    expect(desk.move(1)).toEqual([up('mcm')]);
  });

  test.each([
    ['raised by others', present()],
    ['ignored', shielded({ ignored: true, marked: false })],
    ['gone', missing],
  ])('6.2 6.1 what is %s while its delay runs holds up the next level no more', (_, view) => {
    const desk = new FlowDesk('upAll', [{ ...mcm, optional: true }, ca], [shielded(), shielded()]);
    desk.move();
    expect(desk.sees(mcm, shielded()), 'still due').toEqual([]);
    expect(desk.wakeAt).toBe(30_000);
    desk.at = 10_000;
    expect(desk.sees(mcm, view)).toEqual([up('ca')]);
  });

  test('6.2 a level that has to wait for a lower one again does not begin its delay anew', () => {
    const desk = new FlowDesk('upAll', all, [shielded(), shielded(), missing]);
    desk.move();
    desk.written(kcm, present());
    desk.at = 20_000;
    desk.sees(kcm, shielded());
    expect(desk.renew('upAll')).toEqual([up('kcm')]);
    desk.at = 25_000;
    desk.written(kcm, present());
    expect(desk.wakeAt).toBe(30_000);
  });

  test('6.2 a delay that is shorter than what the level waits for anyway costs nothing', () => {
    const later = deployment('later', { down: 0, up: 0, upDelay: 1_000 });
    const desk = new FlowDesk('upAll', [later], [null]);
    expect(desk.move()).toEqual(['read later']);
    desk.at = 2_000;
    expect(desk.read(later, shielded())).toEqual([up('later')]);
  });

  test('6.2 a conflict after the delay does not run it again', () => {
    const desk = new FlowDesk('upAll', [mcm], [shielded()]);
    desk.move();
    desk.move(30_000);
    expect(desk.fails(mcm, 'conflict')).toEqual(['read mcm']);
    expect(desk.read(mcm, shielded({ resourceVersion: '11' }))).toEqual([up('mcm')]);
  });
});

describe('6.4 6.5 6.6 two writes where one cannot do it', () => {
  test('6.4 6.6 down: the mark and the record, then the scale, then to be awaited', () => {
    const desk = new FlowDesk('down', [thing], [present()]);
    expect(desk.move()).toEqual(['write thing {"mark":true,"record":2}']);
    expect(desk.written(thing, present({ marked: true, record: '2' }))).toEqual(['write thing {"replicas":0}']);
    desk.written(thing, goingDown);
    expect(desk.stepOf(thing)).toBe('settling');
    desk.sees(thing, shielded());
    expect(desk.finished).toBe(true);
  });

  test('6.5 6.6 up: the scale, then mark and record, then to be awaited', () => {
    const desk = new FlowDesk('upAll', [thing], [shielded()]);
    expect(desk.move()).toEqual(['write thing {"replicas":2}']);
    expect(desk.written(thing, present({ marked: true, record: '2', readyReplicas: 0 }))).toEqual([unmark('thing')]);
    desk.written(thing, comingUp);
    expect(desk.stepOf(thing)).toBe('settling');
  });

  test('6.5 a record that cannot be read is said with the write that does without it, and not again', () => {
    const desk = new FlowDesk('upAll', [kcm], [shielded({ record: 'two' })]);
    expect(desk.move()).toEqual([up('kcm', 1), 'kcm has the record "two"']);
    const taken = new FlowDesk('down', [kcm], [present({ marked: true, record: 'two' })]);
    expect(taken.move()).toEqual([down('kcm')]);
    const unmarked = new FlowDesk('upAll', [kcm], [present({ marked: true, record: 'two' })]);
    expect(unmarked.move()).toEqual([unmark('kcm')]);
  });
});

describe('6.6 what fails is tried again', () => {
  test('6.6 the first three conflicts at once on fresh data, the next with a pause that grows', () => {
    const desk = new FlowDesk('down', [mcm], [present()]);
    desk.move();
    for (let count = 0; count < 3; count++) {
      expect(desk.fails(mcm, 'conflict')).toEqual(['read mcm']);
      expect(desk.read(mcm, present())).toEqual([down('mcm')]);
    }
    expect(desk.fails(mcm, 'conflict')).toEqual([]);
    expect(desk.wakeAt).toBe(2_000);
    expect(desk.move(2_000)).toEqual(['read mcm']);
    desk.read(mcm, present());
    expect(desk.fails(mcm, 'conflict')).toEqual([]);
    expect(desk.wakeAt).toBe(6_000);
  });

  test('6.6 6.8 a write that failed is looked at again after 250 ms, 500 ms, … 5 s, which at the time-out is said, and no level waits for it', () => {
    const desk = new FlowDesk('down', [mcm, kcm], [present(), present()]);
    desk.move();
    const pauses: number[] = [];
    let said = desk.fails(mcm, 'write');
    for (; said.length === 0 && pauses.length < 20; said = desk.fails(mcm, 'write')) {
      pauses.push(desk.wakeAt! - desk.at);
      expect(desk.move(desk.wakeAt! - desk.at)).toEqual(['read mcm']);
      expect(desk.read(mcm, present())).toEqual([down('mcm')]);
    }
    expect(said).toEqual(['mcm not done in 30000', down('kcm')]);
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000, 5_000]);
    for (let more = 0; more < 100; more++) {
      expect(desk.wakeAt! - desk.at).toBe(5_000);
      expect(desk.move(5_000)).toEqual(['read mcm']);
      expect(desk.read(mcm, present())).toEqual([down('mcm')]);
      expect(desk.fails(mcm, 'write'), 'said once').toEqual([]);
    }
  });

  test('6.8 6.1 up: what is late is tried on as well, and the next level waits for it', () => {
    const desk = new FlowDesk('upAll', [kcm, mcm], [shielded(), shielded()]);
    desk.move();
    desk.at = 30_000;
    expect(desk.fails(kcm, 'write')).toEqual(['kcm not done in 30000']);
    expect(desk.wakeAt).toBe(30_250);
    expect(desk.move(250)).toEqual(['read kcm']);
    expect(desk.read(kcm, shielded())).toEqual([up('kcm')]);
    expect(desk.fails(kcm, 'write')).toEqual([]);
  });

  test('6.6 a read that failed comes again after a second at the earliest', () => {
    const desk = new FlowDesk('down', [mcm], [null]);
    expect(desk.move()).toEqual(['read mcm']);
    const pauses: number[] = [];
    while (pauses.length < 5) {
      expect(desk.fails(mcm, 'read')).toEqual([]);
      pauses.push(desk.wakeAt! - desk.at);
      expect(desk.move(desk.wakeAt! - desk.at)).toEqual(['read mcm']);
    }
    expect(pauses).toEqual([1_000, 1_000, 1_000, 2_000, 4_000]);
  });

  test('6.6 6.1 a failure left from before its level was reached does not start its time-out', () => {
    const late = deployment('late', { down: 0, up: 1 });
    const desk = new FlowDesk('upAll', [kcm, late], [shielded(), shielded()]);
    desk.move();
    // A write of the flow before this one.
    desk.fails(late, 'conflict');
    desk.written(kcm, comingUp);
    desk.at = 29_000;
    expect(desk.sees(kcm, present())).toEqual(['read late']);
    expect(desk.read(late, shielded())).toEqual([up('late')]);
    desk.at = 31_000;
    expect(desk.fails(late, 'conflict')).toEqual(['read late']);
  });

  test('6.6 a failure of what the flow awaits no more changes nothing', () => {
    const desk = new FlowDesk('down', [mcm], [shielded()]);
    desk.move();
    expect(desk.fails(mcm, 'write')).toEqual([]);
    expect(desk.finished).toBe(true);
  });
});

describe('6.6 what no watch tells is read', () => {
  test('6.6 once a second while it is awaited, never two at a time', () => {
    const desk = new FlowDesk('down', [thing], [present({ marked: true, record: '2' })]);
    desk.move();
    desk.written(thing, stillReady);
    expect(desk.wakeAt).toBe(1_000);
    expect(desk.move(999)).toEqual([]);
    expect(desk.move(1)).toEqual(['read thing']);
    expect(desk.wakeAt, 'the read is awaited').toBe(30_000);
    expect(desk.move(5_000)).toEqual([]);
    expect(desk.read(thing, stillReady)).toEqual(['read thing']);
    expect(desk.read(thing, stillReady)).toEqual([]);
    expect(desk.wakeAt).toBe(7_000);
    expect(desk.move(1_000)).toEqual(['read thing']);
    desk.read(thing, shielded());
    expect(desk.finished).toBe(true);
  });

  test('6.6 and where a watch that tells goes out; not where it is in', () => {
    const desk = new FlowDesk('down', [mcm], [present()]);
    desk.move();
    desk.written(mcm, stillReady);
    expect(desk.move(10_000)).toEqual([]);
    desk.setLive(mcm, false);
    expect(desk.move()).toEqual(['read mcm']);
    desk.setLive(mcm, true);
    desk.read(mcm, stillReady);
    expect(desk.wakeAt).toBe(30_000);
    expect(desk.move(10_000)).toEqual([]);
  });

  test('6.6 down does not wait for a read where something is known: the write is guarded by its version', () => {
    const desk = new FlowDesk('down', [thing], [present()]);
    desk.reads(thing);
    expect(desk.move()).toEqual(['write thing {"mark":true,"record":2}']);
  });

  test('6.6 up waits for a read that is under way', () => {
    const desk = new FlowDesk('upAll', [thing], [shielded()]);
    desk.reads(thing);
    expect(desk.move()).toEqual([]);
    expect(desk.read(thing, present())).toEqual([]);
    expect(desk.finished).toBe(true);
  });
});

describe('6.7 hands off', () => {
  test('6.7 S2 an ignored resource is done, in both directions', () => {
    const goingBoth = [present({ ignored: true }), present({ ignored: true, replicas: 0 })];
    for (const aim of ['down', 'upAll', 'upOurs'] as const) {
      const desk = new FlowDesk(aim, [kcm, mcm], goingBoth);
      expect(desk.move()).toEqual([]);
      expect(desk.finished).toBe(true);
    }
  });

  test('6.7 a mark that was left is taken away without a delay, and nothing waits for it', () => {
    const desk = new FlowDesk(
      'upAll',
      [{ ...mcm, scaleUp: { ...mcm.scaleUp, level: 0 } }, ca],
      [shielded({ ignored: true }), shielded()],
    );
    expect(desk.move()).toEqual(['write mcm {"mark":false}', up('ca')]);
  });

  test('6.7 what is taken out of our hands while it is awaited is done', () => {
    const desk = new FlowDesk('down', [mcm, kcm], [present(), present()]);
    desk.move();
    desk.written(mcm, goingDown);
    expect(desk.sees(mcm, goingDown)).toEqual([]);
    expect(desk.sees(mcm, { ...goingDown, ignored: true })).toEqual([down('kcm')]);
  });
});

describe('6.8 missing', () => {
  test('6.8 down: done, optional or not', () => {
    const desk = new FlowDesk('down', all, [present(), missing, missing]);
    expect(desk.move()).toEqual([down('kcm')]);
  });

  test('6.8 up: an optional one is done, one that is not holds up the levels above it', () => {
    const desk = new FlowDesk('upAll', [kcm, { ...ca, scaleUp: kcm.scaleUp }, mcm], [missing, missing, shielded()]);
    expect(desk.move()).toEqual([]);
    expect(desk.stepOf(ca)).toBe('done');
    expect(desk.stepOf(kcm)).toBe('stuck');
    expect(desk.finished).toBe(false);
  });

  test('6.8 it is looked for again with every verdict, and goes on once it is there', () => {
    const desk = new FlowDesk('upAll', [kcm, ca], [missing, shielded()]);
    desk.move();
    expect(desk.renew('upAll')).toEqual([]);
    expect(desk.stepOf(kcm)).toBe('stuck');
    desk.sees(kcm, shielded({ replicas: 0 }));
    expect(desk.renew('upAll')).toEqual([up('kcm')]);
    expect(desk.written(kcm, present())).toEqual([up('ca')]);
  });

  test('6.8 one that goes while it is awaited is done on the way down, and not on the way up', () => {
    const taken = new FlowDesk('down', [mcm, kcm], [present(), present()]);
    taken.move();
    taken.written(mcm, goingDown);
    expect(taken.sees(mcm, missing)).toEqual([down('kcm')]);
    const raised = new FlowDesk('upAll', [kcm, ca], [shielded(), shielded()]);
    raised.move();
    expect(raised.written(kcm, missing)).toEqual([]);
    expect(raised.stepOf(kcm)).toBe('stuck');
  });
});

describe('6.9 undone by somebody else', () => {
  test('6.9 with the next verdict it goes down again, without a delay, and the levels above wait for it', () => {
    const slow = deployment('slow', { down: 0, up: 0, downDelay: 20_000 });
    const desk = new FlowDesk('down', [slow, kcm], [present(), present()]);
    desk.move();
    desk.move(20_000);
    desk.written(slow, shielded());
    expect(desk.sees(slow, present({ marked: true, record: '2', replicas: 3 }))).toEqual([]);
    expect(desk.stepOf(slow)).toBe('done');
    expect(desk.renew('down')).toEqual(['write slow {"replicas":0}']);
    expect(desk.written(kcm, present()), 'the next level waits').toEqual([]);
    expect(desk.written(slow, shielded())).toEqual([down('kcm')]);
  });

  test('6.9 6.1 what came down by another’s hand while it was to be written is awaited all the same', () => {
    const desk = new FlowDesk('down', [mcm], [present()]);
    desk.move();
    expect(desk.fails(mcm, 'conflict')).toEqual(['read mcm']);
    desk.read(mcm, present({ replicas: 0, readyReplicas: 2 }));
    expect(desk.stepOf(mcm)).toBe('settling');
  });
});

test('5.3 6.2 a connected verdict after one of too few gives what is not ours its delay', () => {
  const desk = new FlowDesk('upOurs', [kcm, mcm, ca], [shielded(), present({ replicas: 0 }), shielded()]);
  desk.move();
  expect(desk.written(kcm, present())).toEqual([up('ca')]);
  desk.at = 5_000;
  expect(desk.renew('upAll')).toEqual([]);
  expect(desk.wakeAt).toBe(35_000);
  expect(desk.move(30_000)).toEqual([up('mcm', 1)]);
});

test('5.3 6.3 a flow that may raise all is held to ours by a verdict of too few', () => {
  const delayed = deployment('delayed', { down: 0, up: 0, upDelay: 10_000 });
  const both = [delayed, { ...kcm, scaleUp: delayed.scaleUp }];
  const desk = new FlowDesk('upAll', both, [present({ replicas: 0 }), shielded()]);
  desk.move();
  desk.renew('upOurs');
  expect(desk.move(10_000)).toEqual([up('kcm')]);
  expect(desk.stepOf(delayed)).toBe('done');
});
