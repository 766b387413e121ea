import { expect, test } from 'vitest';
import { PlainDependants } from '../support/plain-dependants.ts';
import { roleStage } from '../support/role-stage.ts';

const namespace = 'shoot--a--one';

test('S8 7.2 9.4 a pod that two services have in common is deleted once; and the log says what is wrong with the watches on pods', async () => {
  await using stage = await roleStage({ shoots: 0 });
  const { api } = stage.seed;
  const plain = new PlainDependants(stage.seed, stage.clock);
  for (const service of ['etcd-main-client', 'kube-apiserver']) plain.slice(namespace, service, [false]);
  for (const name of ['kcm', 'mcm']) plain.add(namespace, name, { labels: { role: 'controller' } });
  const weeder = await stage.start('one', [], 'weeder');
  // Both ask before either is answered.
  api.latency = 50;
  for (const service of ['etcd-main-client', 'kube-apiserver']) plain.slice(namespace, service, [true]);
  const deletions = () => stage.asked.filter(({ verb, resource }) => verb === 'delete' && resource === 'pods');
  await stage.until(() => deletions().length >= 2, 10_000, 'both pods are deleted');
  await stage.pass(10_000);
  expect(
    deletions()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['kcm', 'mcm']);

  api.refuseWatches(['pods']);
  const told = () => weeder.find(/^cannot watch pods .* on https:.*: 403 Forbidden: grant "weeder:one" the verbs/);
  await stage.until(() => told() !== undefined, 60_000, 'it is told that the watch is refused');
});
