import { expect, test } from 'vitest';
import { answerJson } from '../support/scripted-server.ts';
import { afterVersion, fine, shootStage } from './shoot-stage.ts';

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

test('4.7 5.4 a look that goes on over the probe’s connection has limits of its own, whatever the leases took', async () => {
  let spent = 0;
  // Two pieces of the first part, one of the last: together beyond what the first may cost.
  await using stage = await shootStage(fine, { cpuTime: () => (spent += 140) });
  expect(await stage.leases()).toMatchObject({ ok: true });
  expect(await stage.nodes()).toMatchObject({ ok: true });
  expect(stage.server.connections).toBe(1);
});
