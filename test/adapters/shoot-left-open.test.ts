import { expect, test } from 'vitest';
import { answerJson } from '@dwd/testing/scripted-server.ts';
import { afterVersion, list, nodesPath, shootStage } from '@dwd/testing/shoot-stage.ts';

test.each([
  ['a list', []],
  ['a number', 7],
  ['nothing', null],
])('4.3 an answer to /version that is %s is none, and its connection is cut with the probe', async (_, answer) => {
  await using stage = await shootStage((_request, response) => answerJson(response, answer));
  expect(await stage.leases()).toMatchObject({ ok: false, failure: { stage: 'version', reason: 'garbled' } });
  await stage.server.hasOpen(0);
});

test('4.7 S1 items that are no objects make no list of leases, however many there are, and the connection is cut', async () => {
  const items = [7, { metadata: { name: 'a' }, spec: {} }];
  await using stage = await shootStage(
    afterVersion((_request, response) => answerJson(response, { kind: 'LeaseList', metadata: {}, items })),
  );
  expect(await stage.leases()).toMatchObject({ ok: false, failure: { stage: 'leases', reason: 'garbled' } });
  await stage.server.hasOpen(0);
});

/** Two of them are beyond the 16 MiB that leases may have. */
const long = (kind: string) => list(kind, [{ metadata: { name: 'a' }, large: { text: 'x'.repeat(9_000_000) } }]);

test('4.7 5.4 a look that goes on over the probe’s connection has limits of its own, whatever the leases took', async () => {
  await using stage = await shootStage(
    afterVersion(({ url }, response) =>
      answerJson(response, long(url.startsWith(nodesPath) ? 'NodeList' : 'LeaseList')),
    ),
  );
  expect(await stage.leases()).toMatchObject({ ok: true });
  expect(await stage.nodes()).toMatchObject({ ok: true });
  expect(stage.server.connections).toBe(1);
});
