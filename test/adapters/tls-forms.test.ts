import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/clock/wall-clock.ts';
import { kubeconfigCredentials } from '../../src/adapters/credentials/kubeconfig-credentials.ts';
import { RateLimit } from '../../src/adapters/seed-client/rate-limit.ts';
import { SeedConnection } from '../../src/adapters/seed-client/seed-connection.ts';
import { UndiciKubeClient } from '../../src/adapters/seed-client/undici-kube-client.ts';
import { errorWords } from '../../src/adapters/words/plain-words.ts';
import { tlsForms, servingAs } from '@dwd/testing/tls-forms.ts';
import { fine, shootStage } from '@dwd/testing/shoot-stage.ts';

const directory = mkdtempSync(join(tmpdir(), 'dwd-tls-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Outcome = Readonly<{ trusted: boolean; says: string }>;

async function asProbe(text: string): Promise<Outcome> {
  await using stage = await shootStage(fine);
  stage.kubeconfig = text;
  const answer = await stage.leases();
  return { trusted: answer.ok, says: answer.ok ? '' : answer.failure.detail };
}

async function asSeed(file: string): Promise<Outcome> {
  const connection = new SeedConnection(kubeconfigCredentials([file]), systemClock);
  const limit = new RateLimit(systemClock, 'unlimited');
  const client = new UndiciKubeClient({ connection, clock: systemClock, limit, userAgent: 'test' });
  try {
    await client.request({ method: 'GET', path: '/version' });
    return { trusted: true, says: '' };
  } catch (error) {
    return { trusted: false, says: errorWords(error) };
  } finally {
    await connection.close();
  }
}

// What kubectl says of each form stands in packages/lab/test/apiserver.
test.each(await tlsForms())('1.5 4.2 the probe and the seed’s client trust what Go trusts: $name', async (form) => {
  await using served = await servingAs(form, directory);
  const [probe, seed] = [await asProbe(served.text), await asSeed(served.file)];
  expect([probe, seed]).toMatchObject([{ trusted: form.trusted }, { trusted: form.trusted }]);
  expect(`${probe.says} ${seed.says}`).not.toMatch(/UNSPECIFIED|undefined/);
});
