import { expect, test } from 'vitest';
import type { SeenRequest } from '@dwd/simulator/api/request-log.ts';
import { leaseObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { createObject } from '@dwd/simulator/store/object-writes.ts';
import { watchedSeed } from '../support/watched-seed.ts';

/** A minute after the start all is listed and watched anew (6.6), and marks are looked for once (6.5). */
const afterAMinute = {
  'list clusters': 1,
  'watch clusters': 1,
  'list secrets': 1,
  'watch secrets': 1,
  'list deployments': 3 + 1,
  'watch deployments': 3,
};

const said = ({ verb, resource }: SeenRequest): string => `${verb} ${resource}`;

function counted(requests: readonly SeenRequest[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(requests, said);
  return Object.fromEntries([...groups].map(([what, all]) => [what, all.length]));
}

test('4.3 5.8 6.2 a healthy shoot costs itself one connection and two requests a probe, and the seed nothing but one look for marks after each change of the lead, and one at the shoot in an hour', async () => {
  await using stage = await watchedSeed({ shoots: 3 });
  await stage.until(() => stage.shootCodes.length === 6, 5_000);
  await stage.pass(1_000);
  const { api } = stage.seed;
  api.requests.take();
  await stage.pass(100_000);
  const { 'list machines': _, ...early } = counted(api.requests.all);
  expect(early).toEqual(afterAMinute);
  // Four minutes later all is listed and watched for the last time (6.6).
  await stage.pass(210_000);
  api.requests.take();
  for (const { api: shoot } of stage.seed.shoots) shoot.requests.take();
  const before = [api.connections, ...stage.seed.shoots.map(({ api: shoot }) => shoot.connections)];

  // Less than a watch lasts, which the seed ends after five minutes at the earliest.
  await stage.pass(240_000);
  // Of each shoot once within the first ten minutes (5.8).
  const { 'list machines': machines = 0, ...asked } = counted(api.requests.all);
  expect(asked).toEqual({});
  expect(machines).toBeLessThanOrEqual(3);
  let looks = 0;
  expect(api.connections).toBe(before[0]);
  for (const [index, { api: shoot }] of stage.seed.shoots.entries()) {
    const probes = shoot.connections - before[index + 1]!;
    expect(probes).toBeGreaterThanOrEqual(6);
    const requests = shoot.requests.all.map((request) => `${request.connection - before[index + 1]!} ${said(request)}`);
    const ofProbes = requests.filter((request) => !request.endsWith('list nodes'));
    looks += requests.length - ofProbes.length;
    expect(ofProbes).toEqual(
      Array.from({ length: probes }, (_, probe) => [`${probe + 1} get /version`, `${probe + 1} list leases`]).flat(),
    );
  }
  expect(looks).toBe(machines);
});

test('4.3 5.4 with one dead node nodes and Machines are asked for with each probe, over its one connection, and still nothing is written', async () => {
  await using stage = await watchedSeed();
  const shoot = stage.shoot();
  await stage.pass(30_000);
  shoot.cutOff(['node-002']);
  await stage.pass(60_000);
  stage.seed.api.requests.take();
  shoot.api.requests.take();
  const [probes, connections] = [stage.probes(), shoot.api.connections];

  await stage.pass(120_000);
  const more = stage.probes() - probes;
  expect(more).toBeGreaterThanOrEqual(3);
  expect(shoot.api.requests.all.map(said)).toEqual(
    Array.from({ length: more }, () => ['get /version', 'list leases', 'list nodes']).flat(),
  );
  expect(stage.seed.api.requests.all.map(said)).toEqual(Array.from({ length: more }, () => 'list machines'));
  expect(shoot.api.connections - connections).toBe(more);
  expect(stage.changes.all).toEqual([]);
});

test('5.4 while something is scaled down nodes and Machines are asked for, and afterwards no more', async () => {
  await using stage = await watchedSeed();
  const shoot = stage.shoot();
  await stage.pass(30_000);
  stage.changes.byHand(() => shoot.dependants.scale('cluster-autoscaler', 0));
  shoot.api.requests.take();
  await stage.untilState('scalingUp', 60_000);
  expect(shoot.api.requests.all.map(said)).toEqual(['get /version', 'list leases', 'list nodes']);

  await stage.untilState('probing', 10_000);
  expect(stage.changes.scalings()).toEqual(['cluster-autoscaler 0→1']);
  shoot.api.requests.take();
  stage.seed.api.requests.take();
  await stage.pass(100_000);
  expect(new Set(shoot.api.requests.all.map(said))).toEqual(new Set(['get /version', 'list leases']));
  const { 'create events': told = 0, ...asked } = counted(stage.seed.api.requests.all);
  expect(asked).toEqual(afterAMinute);
  expect(told).toBeLessThanOrEqual(1);
});

test('6.2 an outage and its healing cost the seed two writes for each dependant, and one list of Machines for each look', async () => {
  await using stage = await watchedSeed();
  const shoot = stage.shoot();
  await stage.pass(30_000);
  stage.seed.api.requests.take();
  shoot.cutOff();
  await stage.untilState('scaledDown', 45_000);
  await stage.pass(60_000);
  shoot.heal();
  await stage.untilState('scalingUp', 45_000);
  await stage.untilState('probing', 60_000);
  const { 'list machines': machines, 'get deployments': gets = 0, ...asked } = counted(stage.seed.api.requests.all);
  // That it may not tell of it, it learns from the first event (9.5).
  expect(asked).toEqual({ ...afterAMinute, 'patch deployments': 6, 'create events': 1 });
  expect(machines).toBe(stage.notesOf('verdict').filter((one) => one.external === undefined && one.looked).length);
  // Nothing was told for a minute of what stood at 0 (6.6).
  expect(gets).toBeLessThanOrEqual(3);
});

test('5.4 leases of nodes that are gone end no calm; one that is new, or that expires, is looked at', async () => {
  await using stage = await watchedSeed();
  const shoot = stage.shoot();
  const machines = (): number =>
    stage.seed.api.requests.take().filter(({ resource }) => resource === 'machines').length;
  const leak = (node: string, age: number): void => {
    const now = stage.clock.now();
    createObject(shoot.api.storage, kinds.lease, leaseObject(node, now - age));
  };
  await stage.pass(60_000);
  for (const node of ['gone-1', 'gone-2', 'gone-3']) leak(node, 86_400_000);
  await stage.pass(60_000);
  machines();
  await stage.pass(1_200_000);
  expect(machines()).toBeLessThanOrEqual(2);

  leak('gone-4', 86_400_000);
  await stage.pass(40_000);
  expect(machines()).toBe(1);
  shoot.cutOff(['node-002']);
  await stage.pass(45_000);
  expect(machines()).toBeGreaterThan(0);
  shoot.heal();
  await stage.pass(60_000);
  shoot.cutOff();
  await stage.untilState('scaledDown', 45_000);
  // The one that was off before.
  expect(stage.marks).toBe(1);
});
