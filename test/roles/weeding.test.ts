import { expect, test } from 'vitest';
import { PlainDependants } from '@dwd/testing/plain-dependants.ts';
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
  const told = () => weeder.find(/^cannot watch pods .* on https:.*: 403 Forbidden: grant "one" the verbs/);
  await stage.until(() => told() !== undefined, 60_000, 'it is told that the watch is refused');
});

test('7.6 9.2 9.4 under the grants of an older Gardener the weeder weeds by Endpoints: said once, no error, and metrics show which kind is watched', async () => {
  await using stage = await roleStage({ shoots: 0 });
  const plain = new PlainDependants(stage.seed, stage.clock);
  plain.endpoints(namespace, 'kube-apiserver', false);
  plain.add(namespace, 'kcm', { labels: { role: 'controller' } });
  const present = { endpointslices: false, endpoints: true } as const;
  stage.seed.api.permitOnly(({ resource }) => (present as Readonly<Record<string, boolean>>)[resource] ?? true);
  const weeder = await stage.start('one', [], 'weeder');
  plain.endpoints(namespace, 'kube-apiserver', true);
  await stage.until(() => weeder.find('pod deleted') !== undefined, 10_000, 'the pod is deleted');
  expect(plain.left).toEqual([]);
  await stage.pass(120_000);
  const said = weeder.lines.filter(({ line }) => line === 'watches another kind');
  expect(said).toMatchObject([{ level: 'info', by: 'endpoints', stream: 'endpointslices' }]);
  expect(said[0]?.msg).toMatch(/^watches endpoints instead of endpointslices: .* 403 Forbidden: .*cannot list/);
  expect(weeder.lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(await stage.metrics(weeder)).toMatchObject({
    'dwd_watch_out_seconds{resource="endpoints"}': 0,
    'dwd_watch_restarts_total{resource="endpointslices"}': 1,
  });
});
