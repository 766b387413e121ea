import { expect, test } from 'vitest';
import { list, stage } from './memory-stage.ts';

const watching = (after: number): string => `${list}?watch=true&resourceVersion=${after}`;

test('a server that is behind shows in its watches what was, in order, and reads what is', async () => {
  const ways = await stage();
  const twin = ways.network.twin(ways.api);
  await twin.up();
  twin.lag = 20_000;
  const { resourceVersion } = ways.api.storage.store;
  await ways.send({ url: watching(resourceVersion), server: twin });
  ways.write('a');
  twin.lag = 0;
  ways.write('b');
  await ways.pass(10);
  expect(ways.told.splice(0)).toEqual([200]);
  await ways.send({ url: `${list}/b`, server: twin });
  expect(ways.told.splice(0)).toEqual([200, 'data', 'end']);
  await ways.pass(20_000);
  expect(ways.told).toEqual([`ADDED a ${resourceVersion + 1}`, `ADDED b ${resourceVersion + 2}`]);
});

test('each server has its own faults, and both have the same users and objects', async () => {
  const ways = await stage();
  const twin = ways.network.twin(ways.api);
  await twin.up();
  await ways.api.down();
  await ways.send({ method: 'POST', body: '{"metadata":{"name":"a"}}', server: twin });
  expect(ways.told).toEqual([201, 'data', 'end']);
  expect(ways.names()).toEqual(['garden/a']);
});

test('after a restore the same versions come again, for other things; no watch tells of both histories', async () => {
  const ways = await stage();
  const { store } = ways.api.storage;
  ways.write('kept');
  const backup = store.backup();
  ways.write('gone');
  await ways.send({ url: watching(store.resourceVersion) });
  ways.api.abandonWatches();
  store.restore(backup);
  expect(ways.names()).toEqual(['garden/kept']);
  ways.write('other');
  expect(store.resourceVersion).toBe(backup.resourceVersion + 1);
  ways.write('third');
  await ways.pass(5_000);
  expect(ways.told.splice(0)).toEqual([200]);
  // Whoever saw only what was in the backup goes on; an older version is forgotten; one that is not reached again is silent.
  await ways.send({ url: watching(backup.resourceVersion) });
  expect(ways.told.splice(0)).toEqual([
    200,
    `ADDED other ${backup.resourceVersion + 1}`,
    `ADDED third ${backup.resourceVersion + 2}`,
  ]);
  await ways.send({ url: watching(backup.resourceVersion - 1) });
  expect(ways.told.splice(0)).toEqual([200, 'ERROR 410', 'end']);
  await ways.send({ url: watching(backup.resourceVersion + 5) });
  expect(ways.told.splice(0)).toEqual([200]);
});
