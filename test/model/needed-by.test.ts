import { expect, test } from 'vitest';
import { ProbeTimetable } from '../../src/effects/probe-timetable.ts';
import type { Answer, LeasesRead } from '../../src/effects/ports.ts';
import { shootEffects } from '../../src/effects/guard-shoots.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { deployment, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { ShootDriver } from '@dwd/testing/shoot-driver.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { present } from '@dwd/testing/views.ts';

/** What waits on the way down says by when it is needed: when the controller-manager would mark the first node. */

const kcm = deployment('kcm', { down: 0, up: 0 });
const config: ProberConfig = { ...gardenerConfig, dependants: [kcm], backoffJitterFactor: 0 };
const grace = config.kcmNodeMonitorGraceDuration;

/** The `by` of each command of the last turn that could say one. */
const neededBy = (driver: ShootDriver) =>
  Object.fromEntries(
    driver.outcome.commands.flatMap(({ type, params }) =>
      type === 'probe' || type === 'listCandidates' || type === 'scale' || type === 'read' ? [[type, params.by]] : [],
    ),
  );

const probed = (ages: readonly (number | null)[]) => {
  const driver = new ShootDriver(config).allWell();
  driver.cluster();
  driver.wakeProbe();
  driver.leases(ages);
  return driver;
};

test('1.2 the first probe says nothing, the next ones go by the oldest lease', () => {
  const driver = new ShootDriver(config).allWell();
  driver.cluster();
  driver.wakeProbe();
  expect(neededBy(driver)).toEqual({ probe: undefined });
  const askedAt = driver.now;
  driver.leases([3_000, 9_000, null]);
  driver.wakeProbe();
  expect(neededBy(driver)).toEqual({ probe: askedAt - 9_000 + grace });
});

test('1.2 a look goes by the leases that were just read, a scale-down and its reads by the first mark', () => {
  const driver = probed([1_000, 1_000]);
  driver.wakeProbe();
  const firstMarkAt = driver.now - 31_000 + grace;
  driver.leases([31_000, 30_500]);
  expect(neededBy(driver)).toEqual({ listCandidates: firstMarkAt });
  driver.candidates();
  expect(neededBy(driver)).toEqual({ scale: firstMarkAt });
  driver.answersWrite(kcm, { outcome: 'conflict' });
  expect(neededBy(driver)).toEqual({ read: firstMarkAt });
});

test('1.2 a lease that tells nothing hurries nobody', () => {
  const driver = probed([31_000, 2_000]);
  const { now } = driver;
  driver.candidates([{ node: 'b', phase: 'Running' }]);
  driver.wakeProbe();
  expect(neededBy(driver)).toEqual({ probe: now - 2_000 + grace });
});

test('1.2 where all is down already, or coming back, nothing hurries', () => {
  const driver = probed([1_000, 1_000]);
  driver.wholeProbe('cutOff');
  driver.written(kcm);
  driver.follows(kcm);
  driver.wakeProbe();
  expect(neededBy(driver)).toEqual({ probe: undefined });
  driver.leases([grace, grace]);
  driver.candidates();
  driver.wholeProbe('connected');
  expect(neededBy(driver)).toEqual({ scale: undefined });
});

test('1.2 the effects pass it on to whatever may wait', async () => {
  const seen: unknown[] = [];
  const read: Answer<LeasesRead> = { ok: true, value: { leases: [] } };
  const good = { ok: true, value: [] } as const;
  const failed = { outcome: 'failed', detail: '' } as const;
  const tell = <Value>(value: Value, by: unknown): Promise<Value> => {
    seen.push(by);
    return Promise.resolve(value);
  };
  const effects = shootEffects(
    'shoot--a--b',
    {
      clock: new VirtualClock(),
      shoots: {
        listLeases: (_shoot, _deadlineAt, _signal, by) => tell(read, by),
        listNodes: () => Promise.resolve(good),
        askPath: (_shoot, _path, _deadlineAt, _signal, by) => tell(undefined, by),
      },
      machines: { listMachines: (_shoot, _deadlineAt, _signal, { by }) => tell(good, by) },
      clusters: { readCluster: (_shoot, _deadlineAt, _signal, by) => tell(failed, by) },
      scaler: {
        write: (_shoot, _ref, _seen, _change, { by }) => tell(failed, by),
        read: (_shoot, _ref, { by }) => tell(failed, by),
      },
    },
    new ProbeTimetable(),
  );
  const { key, ref } = kcm;
  effects.probe({ number: 1, deadlineAt: 9, by: 1 }).subscribe();
  effects.listCandidates({ number: 2, deadlineAt: 9, cluster: true, urgent: true, by: 2 }).subscribe();
  const change = { replicas: 0 };
  effects.scale({ number: 3, key, ref, seen: present(), change, urgent: true, by: 3 }).subscribe();
  effects.read({ number: 4, key, ref, urgent: true, by: 4 }).subscribe();
  effects.askPath({ number: 5, path: 'external', deadlineAt: 9, by: 5 }).subscribe();
  effects.readCluster({ number: 6, deadlineAt: 9, by: 6 }).subscribe();
  await settled();
  expect(seen).toEqual([1, 2, 2, 3, 4, 5, 6]);
});
