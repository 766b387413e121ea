import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { settled } from '@dwd/testing/virtual-clock.ts';
import { fine, kubeconfigFor, shootStage, startedAt, type ShootStage } from '@dwd/testing/shoot-stage.ts';

const here: readonly LookupAddress[] = [{ address: '127.0.0.1', family: 4 }];
/** Nobody listens there. */
const nobody: readonly LookupAddress[] = [{ address: '127.0.0.2', family: 4 }];

/** A shoot whose name led to `first` in the probe before. `answer` answers the look-up of the present one. */
async function recalling(first: readonly LookupAddress[], test: (stage: ShootStage, answer: Answer) => Promise<void>) {
  const asked: ((error: NodeJS.ErrnoException | null, found: readonly LookupAddress[]) => void)[] = [];
  await using stage = await shootStage(fine, {
    lookup: (_name, _options, found) => void asked.push((error, addresses) => found(error, [...addresses])),
  });
  const url = stage.server.url.replace('127.0.0.1', 'localhost');
  stage.kubeconfig = kubeconfigFor({ url, ca: stage.server.ca });
  const before = stage.leases();
  await settled();
  asked.shift()?.(null, first);
  await before;
  await test(stage, (addresses, error) => asked.shift()?.(error ?? null, addresses));
}

type Answer = (addresses: readonly LookupAddress[], error?: NodeJS.ErrnoException) => void;
const resolverIsOut = Object.assign(new Error('try again'), { code: 'EAI_AGAIN' });

test('4.7 they are taken where a look-up takes longer than 250 ms, and not before', async () => {
  await recalling(here, async (stage) => {
    const answer = stage.leases();
    await stage.clock.advanceBy(249);
    await settled();
    expect(stage.server.connections).toBe(1);
    await stage.clock.advanceBy(1);
    expect((await answer).ok).toBe(true);
    expect(stage.clock.now() - startedAt).toBe(250);
  });
});

test('4.7 they are taken where the resolver gives no answer', async () => {
  await recalling(here, async (stage, told) => {
    const answer = stage.leases();
    await settled();
    told([], resolverIsOut);
    expect((await answer).ok).toBe(true);
  });
});

test('4.7 they are not taken where the name is no more, or is found in time', async () => {
  await recalling(nobody, async (stage, told) => {
    const found = stage.leases();
    await settled();
    told(here);
    expect((await found).ok).toBe(true);
    const lost = stage.leases();
    await settled();
    told([], Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    expect(await lost).toMatchObject({ ok: false, failure: { reason: 'unreachable' } });
  });
});

test.each(['before', 'after'])(
  '4.7 where nobody listens there, the probe goes where the name leads, as told %s',
  async (when) => {
    await recalling(nobody, async (stage, told) => {
      const answer = stage.leases();
      await settled();
      if (when === 'before') await stage.clock.advanceBy(250);
      else await stage.clock.advanceBy(400);
      told(here);
      expect((await answer).ok).toBe(true);
    });
  },
);

test('4.7 where they say nothing, the probe goes where the name leads as soon as that is told', async () => {
  const silent = createServer();
  await using stage = await shootStage(fine, {
    lookup: (_name, _options, found) => void asked.push((address) => found(null, [{ address, family: 4 }])),
  });
  const asked: ((address: string) => void)[] = [];
  const { port } = new URL(stage.server.url);
  await once(silent.listen(Number(port), '127.0.0.3'), 'listening');
  stage.kubeconfig = kubeconfigFor({ url: `https://localhost:${port}`, ca: stage.server.ca });
  const before = stage.leases();
  await settled();
  asked.shift()?.('127.0.0.3');
  expect(await stage.clock.until(before)).toMatchObject({ failure: { reason: 'timeout' } });
  const answer = stage.leases();
  const connected = once(silent, 'connection');
  await stage.clock.advanceBy(250);
  await connected;
  asked.shift()?.('127.0.0.1');
  expect((await answer).ok).toBe(true);
  silent.close();
});

test('4.7 4.4 where nobody listens there and the resolver is out, nothing is known of the shoot', async () => {
  await recalling(nobody, async (stage, told) => {
    const answer = stage.leases();
    await settled();
    told([], resolverIsOut);
    await settled();
    await settled();
    told([], resolverIsOut);
    expect(await answer).toMatchObject({ ok: false, failure: { reason: 'local' } });
  });
});
