import { expect, test } from 'vitest';
import type { ResourceKind } from '../../src/simulator/store/resource-kind.ts';
import { gardenerGrants } from '../support/gardener-grants.ts';
import { gardenerConfig, watchedSeed } from '../support/watched-seed.ts';
import { dependant } from '../support/prober-configs.ts';

const vaults: ResourceKind = {
  group: 'example.org',
  version: 'v1',
  kind: 'Vault',
  plural: 'vaults',
  namespaced: true,
  custom: true,
  countsGenerations: true,
  hasStatus: true,
  scale: { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'] },
};

test('6.8 every PATCH is answered 403: nothing is said to be down, each is tried on, and once they are taken all is protected', async () => {
  await using stage = await watchedSeed();
  await stage.pass(40_000);
  const permitAgain = stage.seed.api.permitOnly((asked) => asked.verb !== 'patch' && gardenerGrants(asked));
  stage.shoot().cutOff();
  await stage.untilState('scalingDown', 45_000);
  await stage.pass(180_000);
  expect(stage.state()).toBe('scalingDown');
  expect(stage.notesOf('shielded')).toEqual([]);
  stage.seed.api.requests.take();
  await stage.pass(60_000);
  const tries = stage.seed.api.requests.all.filter(({ verb }) => verb === 'patch');
  expect(tries.length, 'three, every 5 s').toBeGreaterThanOrEqual(30);
  expect(tries.length).toBeLessThanOrEqual(39);

  permitAgain();
  await stage.untilState('scaledDown', 7_000);
  expect(stage.notesOf('shielded')).toHaveLength(1);
});

test('6.8 a dependant that is not granted holds nothing up, and in calm it is hardly asked for', async () => {
  const config = await gardenerConfig();
  // Before kube-controller-manager on the way down, after it on the way up; with a timeout of 30 s.
  const vault = dependant('example.org/v1', 'Vault', 'vault', { down: 0, up: 3 });
  const dependants = [...config.dependants, vault];
  await using stage = await watchedSeed({ config: { ...config, initialDelay: 0, dependants }, moreKinds: [vaults] });
  await stage.pass(600_000);
  const asked = () => stage.seed.api.requests.all.filter(({ resource }) => resource.startsWith('vaults')).length;
  expect(asked()).toBeLessThanOrEqual(12);
  expect(stage.notesOf('dependantRefused')).toHaveLength(1);
  expect(stage.state()).toBe('probing');

  stage.shoot().cutOff();
  await stage.untilState('scalingDown', 45_000);
  await stage.untilState('scaledDown', 3_000);
  expect(stage.marks).toBe(0);
  expect(stage.notesOf('stepTimedOut')).toEqual([]);
});
