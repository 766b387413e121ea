import type { Observable } from 'rxjs';
import { expect, test } from 'vitest';
import type { ProbeFailure } from '../../src/domain/prober/probe-failure.ts';
import type { WriteAnswer } from '../../src/domain/prober/resource-view.ts';
import type { Answer, LeasesRead } from '../../src/effects/ports.ts';
import { ProbeTimetable } from '../../src/effects/probe-timetable.ts';
import { shootEffects, type ShootPorts } from '../../src/effects/guard-shoots.ts';
import type { ShootEvent } from '../../src/machines/shoot-language.ts';
import { controllerManager as kcm } from '@dwd/testing/prober-configs.ts';
import { present, shielded } from '@dwd/testing/views.ts';
import { VirtualClock, settled } from '@dwd/testing/virtual-clock.ts';

const deadlineAt = 30_000;
const scale = { number: 7, key: kcm.key, ref: kcm.ref, seen: present(), change: { replicas: 0 }, urgent: true };
const failure: ProbeFailure = { stage: 'machines', reason: 'refused', detail: 'no' };

const never = () => new Promise<never>(() => undefined);

const silent: ShootPorts['shoots'] = { listLeases: never, listNodes: never, askPath: never };

/** Ports that never answer, except the given ones. */
function stage(ports: Partial<ShootPorts> = {}) {
  const clock = new VirtualClock();
  const effects = shootEffects(
    'shoot--test--one',
    {
      clock,
      shoots: silent,
      machines: { listMachines: never },
      clusters: { readCluster: never },
      scaler: { write: never, read: never },
      ...ports,
    },
    new ProbeTimetable(),
  );
  const heard: (ShootEvent | string)[] = [];
  const listen = (events: Observable<ShootEvent>, name: string) =>
    events.subscribe({
      next: (event) => heard.push(event),
      complete: () => heard.push(`${name} is over`),
      error: (error: unknown) => heard.push(String(error)),
    });
  return { clock, effects, heard, listen };
}

test('9.1 a wake rings once, at its instant and not before', async () => {
  const { clock, effects, heard, listen } = stage();
  listen(effects.wake({ at: 500 }), 'wake');
  await clock.advanceBy(499);
  expect(heard).toEqual([]);
  await clock.advanceBy(1_000);
  expect(heard).toEqual([{ type: 'woken', at: 500 }, 'wake is over']);
});

test('9.1 a wake replaces the one before, which is over, so that a year of them leaves nothing behind', async () => {
  const { clock, effects, heard, listen } = stage();
  const wakes = [900, 100, 500].map((at) => listen(effects.wake({ at }), `wake at ${at}`));
  expect(heard).toEqual(['wake at 900 is over', 'wake at 100 is over']);
  expect(wakes.map(({ closed }) => closed)).toEqual([true, true, false]);
  expect(clock.sleeping).toBe(1);
  await clock.advanceBy(1_000);
  expect(heard.slice(2)).toEqual([{ type: 'woken', at: 500 }, 'wake at 500 is over']);
});

test('1.4 a wake does not ring after unsubscribing', async () => {
  const { clock, effects, heard, listen } = stage();
  listen(effects.wake({ at: 500 }), 'wake').unsubscribe();
  await clock.advanceBy(1_000);
  expect([heard, clock.sleeping]).toEqual([[], 0]);
});

test('5.1 leases are as old as the question for them', async () => {
  const answer = Promise.withResolvers<Answer<LeasesRead>>();
  const { clock, effects, heard, listen } = stage({
    shoots: { ...silent, listLeases: () => answer.promise },
  });
  await clock.advanceTo(100);
  listen(effects.probe({ number: 3, deadlineAt }), 'probe');
  await clock.advanceTo(150);
  answer.resolve({ ok: true, value: { leases: [] } });
  await settled();
  expect(heard).toEqual([{ type: 'probe.answered', at: 150, number: 3, askedAt: 100, leases: [] }, 'probe is over']);
});

test('4.4 a failed probe is an event, with its number', async () => {
  const { effects, heard, listen } = stage({
    shoots: { ...silent, listLeases: () => Promise.resolve({ ok: false, failure }) },
  });
  listen(effects.probe({ number: 3, deadlineAt }), 'probe');
  await settled();
  expect(heard).toEqual([{ type: 'probe.failed', at: 0, number: 3, askedAt: 0, failure }, 'probe is over']);
});

test('5.4 nodes and Machines are asked side by side, and either failure is the look’s', async () => {
  const asked: string[] = [];
  const says =
    <Value>(name: string, answer: Answer<Value>) =>
    () => {
      asked.push(name);
      return Promise.resolve(answer);
    };
  const good = { ok: true, value: [] } as const;
  const bad = { ok: false, failure } as const;
  for (const [nodes, machines] of [
    [good, good],
    [bad, good],
    [good, bad],
  ] as const) {
    const { effects, heard, listen } = stage({
      shoots: { ...silent, listNodes: says('nodes', nodes) },
      machines: { listMachines: says('Machines', machines) },
    });
    listen(effects.listCandidates({ number: 5, deadlineAt, cluster: false, urgent: true }), 'look');
    expect(asked.splice(0), 'neither waits for the other').toEqual(['nodes', 'Machines']);
    await settled();
    const seen = { type: 'candidates.answered', at: 0, number: 5, nodes: [], machines: [] };
    const missed = { type: 'candidates.failed', at: 0, number: 5, failure };
    expect(heard).toEqual([nodes.ok && machines.ok ? seen : missed, 'look is over']);
  }
});

/** A scaler whose writes wait until they are withdrawn, and say so. */
function waiting() {
  const signals: AbortSignal[] = [];
  const write: ShootPorts['scaler']['write'] = (_shoot, _ref, _seen, _change, { withdrawn }) => {
    signals.push(withdrawn);
    return new Promise<WriteAnswer>((resolve) => {
      withdrawn.addEventListener('abort', () => resolve({ outcome: 'withdrawn' }));
    });
  };
  return { signals, scaler: { write, read: never } };
}

test('6.3 a withdrawal takes back the write of its number, which answers; no other', async () => {
  const { signals, scaler } = waiting();
  const { effects, heard, listen } = stage({ scaler });
  listen(effects.scale(scale), 'scale');
  listen(effects.scale({ ...scale, number: 8 }), 'other');
  listen(effects.withdraw({ number: 9 }), 'withdrawal of nothing');
  listen(effects.withdraw({ number: 7 }), 'withdrawal');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  await settled();
  const answered = { type: 'scale.answered', at: 0, askedAt: 0, asked: scale, answer: { outcome: 'withdrawn' } };
  expect(heard).toEqual(['withdrawal of nothing is over', 'withdrawal is over', answered, 'scale is over']);
});

test('6.6 a withdrawal takes back a read as well, and so does the end of its machine', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const read: ShootPorts['scaler']['read'] = (_shoot, _ref, { withdrawn }) => {
    signals.push(withdrawn);
    return new Promise((resolve) =>
      withdrawn?.addEventListener('abort', () => resolve({ outcome: 'failed', detail: 'withdrawn' })),
    );
  };
  const { effects, heard, listen } = stage({ scaler: { write: never, read } });
  const asked = { number: 8, key: kcm.key, ref: kcm.ref, urgent: false };
  listen(effects.read(asked), 'read');
  listen(effects.read({ ...asked, number: 9 }), 'other').unsubscribe();
  listen(effects.withdraw({ number: 8 }), 'withdrawal');
  await settled();
  expect(signals.map((one) => one?.aborted)).toEqual([true, true]);
  expect(heard).toContain('read is over');
});

test('1.4 6.3 the end of a machine takes back what waits', () => {
  const { signals, scaler } = waiting();
  const { effects, listen } = stage({ scaler });
  listen(effects.scale(scale), 'scale').unsubscribe();
  expect(signals[0]?.aborted).toBe(true);
});

test('6.6 9.1 the answers to a write and a read carry what was asked, and since when', async () => {
  const written = Promise.withResolvers<WriteAnswer>();
  const { clock, effects, heard, listen } = stage({
    scaler: {
      write: () => written.promise,
      read: () => Promise.resolve({ outcome: 'failed', detail: 'no' }),
    },
  });
  const read = { number: 8, key: kcm.key, ref: kcm.ref, urgent: false };
  await clock.advanceTo(100);
  listen(effects.scale(scale), 'scale');
  await clock.advanceTo(150);
  listen(effects.read(read), 'read');
  listen(effects.withdraw({ number: 7 }), 'withdrawal of what was sent');
  await settled();
  await clock.advanceTo(200);
  written.resolve({ outcome: 'written', view: shielded() });
  await settled();
  expect(heard.filter((one) => typeof one !== 'string').toSorted((a, b) => b.type.localeCompare(a.type))).toEqual([
    { type: 'scale.answered', at: 200, askedAt: 100, asked: scale, answer: { outcome: 'written', view: shielded() } },
    { type: 'read.answered', at: 150, askedAt: 150, asked: read, answer: { outcome: 'failed', detail: 'no' } },
  ]);
});

test('1.4 4.7 unsubscribing cuts a probe', async () => {
  let cut: AbortSignal | undefined;
  const { effects, heard, listen } = stage({
    shoots: {
      ...silent,
      listLeases: (_shoot, _deadlineAt, signal) => {
        cut = signal;
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))));
      },
    },
  });
  listen(effects.probe({ number: 1, deadlineAt }), 'probe').unsubscribe();
  await settled();
  expect([cut?.aborted, heard]).toEqual([true, []]);
});
