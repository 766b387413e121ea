import { expect, test } from 'vitest';
import { answerJson } from '@dwd/testing/scripted-server.ts';
import { afterVersion, leaseList, shootStage, startedAt } from '@dwd/testing/shoot-stage.ts';

/** What a probe comes to during which our clock is set to so much later, or earlier. */
async function probedWhileSet(by: number) {
  await using stage = await shootStage(
    afterVersion((_, response) => {
      stage.clock.now = () => startedAt + by;
      answerJson(response, leaseList(['a', 'b']));
    }),
  );
  return await stage.leases();
}

test('4.4 a probe during which our clock was set back is none: its leases would seem to have expired', async () => {
  expect(await probedWhileSet(-61_000)).toMatchObject({
    ok: false,
    failure: { stage: 'leases', reason: 'local', detail: "this machine's clock was set back meanwhile" },
  });
  expect(await probedWhileSet(0)).toMatchObject({ ok: true });
});
