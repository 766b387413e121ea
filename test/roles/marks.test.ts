import { expect, test } from 'vitest';
import { markAnnotation, replicasAnnotation } from '../../src/domain/prober/resource-view.ts';
import type { SeenRequest } from '@dwd/simulator/api/request-log.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { createObject, replaceObject } from '@dwd/simulator/store/object-writes.ts';
import { electionFlag, roleStage, type RoleStage } from '../support/role-stage.ts';

const line = 'mark not configured';
const gauge = 'dwd_unconfigured_marks{shoot="shoot--a--1"}';

/** As a prober of an older configuration left it. */
function leftDown({ seed: { api } }: RoleStage, namespace: string, name = 'machines-of-old'): void {
  createObject(
    api.storage,
    kinds.deployment,
    {
      metadata: { name, annotations: { [markAnnotation]: '', [replicasAnnotation]: '3' } },
      spec: { replicas: 0 },
    },
    namespace,
  );
}

function raise({ seed: { api } }: RoleStage, namespace: string, name = 'machines-of-old'): void {
  const found = api.storage.store.of(kinds.deployment).get(`${namespace}/${name}`)!;
  const { annotations: _, ...metadata } = found.object.metadata;
  replaceObject(api.storage, kinds.deployment, found, { ...found.object, metadata, spec: { replicas: 3 } });
}

/** What one asked of all Deployments, and not of those of one name. */
const looksOf = ({ seed: { api } }: RoleStage, user: string) =>
  api.requests.all.filter((seen) => seen.user === user && isLook(seen));

const isLook = ({ verb, resource, query }: SeenRequest): boolean =>
  verb === 'list' && resource === 'deployments' && !query.includes('fieldSelector');

test('6.5 whoever leads tells once what carries the mark and is not in the configuration, raises nothing of it, and says when it is gone; a standby looks for nothing', async () => {
  await using stage = await roleStage({ shoots: ['shoot--a--1', 'shoot--a--2'] });
  leftDown(stage, 'shoot--a--1');
  // Nobody's shoot.
  leftDown(stage, 'garden');
  const one = await stage.start('one', [electionFlag]);
  const two = await stage.start('two', [electionFlag]);
  const told = () => one.lines.filter((said) => said.line === line);
  await stage.until(() => told().length > 0, 70_000, 'it is told');
  await stage.pass(120_000);
  expect(told()).toMatchObject([
    {
      level: 'warn',
      shoot: 'shoot--a--1',
      resource: 'apps/v1/Deployment/machines-of-old',
      msg: 'shoot--a--1: Deployment machines-of-old is at 0 replicas with the mark, and not in the configuration; no prober raises it, the command release does',
    },
  ]);
  expect(await stage.metrics(one)).toMatchObject({ [gauge]: 1 });
  expect([looksOf(stage, 'one').length, looksOf(stage, 'two').length]).toEqual([1, 0]);
  expect(two.find(line)).toBeUndefined();

  // The next leader tells it too.
  await stage.end(one);
  await stage.until(() => two.find(line, { shoot: 'shoot--a--1' }) !== undefined, 120_000, 'the next one tells it');
  raise(stage, 'shoot--a--1');
  await stage.until(() => two.find(/^nothing carries the mark any more/) !== undefined, 660_000, 'it is gone');
  expect(await stage.metrics(two)).not.toHaveProperty([gauge]);
  const { length } = looksOf(stage, 'two');
  await stage.pass(1_800_000);
  expect(looksOf(stage, 'two').length).toBe(length);
  expect(stage.writes()).toEqual([]);
});

test.each([
  [500, 'is asked again each minute, and told once', 4],
  [403, 'is told once, and asked no more', 1],
])('6.5 a seed that answers the look with %i %s', async (code, _, looks) => {
  await using stage = await roleStage({ shoots: ['shoot--a--1'] });
  leftDown(stage, 'shoot--a--1');
  stage.seed.api.setFault({ kind: 'status', code }, isLook);
  const one = await stage.start('one');
  await stage.pass(250_000);
  expect(one.lines.filter((said) => said.line === 'cannot look for marks')).toMatchObject([
    { kind: 'Deployment', msg: expect.stringContaining(String(code)) },
  ]);
  expect(looksOf(stage, 'one').length).toBe(looks);
  stage.seed.api.clearFault();
  await stage.pass(70_000);
  expect(one.find(line) !== undefined).toBe(code === 500);
});
