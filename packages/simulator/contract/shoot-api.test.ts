import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { kubeShootApi } from 'dependency-watchdog/adapters/shoot/kube-shoot-api.ts';
import { issueCertificates } from '../api/certificates.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '../embedded-seed.ts';
import { kinds } from '../store/embedded-kinds.ts';
import type { EmbeddedShoot } from '../shoot/embedded-shoot.ts';
import { valueAt } from 'dependency-watchdog/domain/value-at.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { kubeconfigContract, type KubeconfigStage } from './shoot-api.contract.ts';

const name = 'shoot--contract--a';
const clock = new VirtualClock(Date.parse('2026-11-21T20:00:00Z'));
let seed: EmbeddedSeed | undefined;
afterAll(() => seed?.stop());

/** One seed with one shoot for all; time stands still but where a test moves it. */
async function start(): Promise<EmbeddedShoot> {
  seed ??= await startEmbeddedSeed({
    clock,
    chance: seededChance(1),
    config: gardenerConfig,
    shoots: [name],
    nodes: 3,
  });
  return seed.shoot(name);
}

async function open(): Promise<KubeconfigStage & { codes: string[] }> {
  const { nodes } = await start();
  let secret = '';
  const codes: string[] = [];
  const kubeconfig = kubeconfigInSecret();
  const setKubeconfig = (text = '') => void (secret = text);
  setKubeconfig(kubeconfig);
  return {
    api: kubeShootApi({
      kubeconfigOf: () => secret || undefined,
      config: gardenerConfig,
      clock,
      onRequest: ({ code }) => codes.push(code),
    }),
    shoot: name,
    clock,
    nodes,
    kubeconfig,
    setKubeconfig,
    otherAuthority: (await issueCertificates('other')).ca,
    codes,
  };
}

/** As a watch on the Secrets would decode it. */
function kubeconfigInSecret(): string {
  const secret = seed?.api.storage.store.of(kinds.secret).get(`${name}/${gardenerConfig.kubeConfigSecretName}`);
  return Buffer.from(String(valueAt(secret?.object, 'data', 'kubeconfig')), 'base64').toString();
}

kubeconfigContract('embedded', open);

describe('the faults of an embedded shoot', () => {
  const never = new AbortController().signal;
  let shoot: EmbeddedShoot;
  let stage: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    shoot = await start();
    stage = await open();
  });
  afterEach(() => shoot.up());

  const probe = () => stage.api.listLeases(name, clock.now() + 30_000, never);
  const outcome = async () => {
    const answer = await probe();
    return answer.ok ? 'ok' : `${answer.failure.stage} ${answer.failure.reason}`;
  };

  test('4.3 4.4 down is unreachable, and up again is fine', async () => {
    await shoot.unreachable();
    expect(await outcome()).toBe('version unreachable');
    await shoot.up();
    expect(await outcome()).toBe('ok');
  });

  test.each(['handshake', 'answer'] as const)('4.3 hanging at the %s lasts until the deadline', async (at) => {
    shoot.hang(at);
    const before = clock.now();
    const answer = await clock.until(probe(), before + 30_000);
    expect(answer).toMatchObject({ ok: false, failure: { stage: 'version', reason: 'timeout' } });
    expect(clock.now()).toBe(before + 30_000);
  });

  test('4.5 throttled says for how long', async () => {
    shoot.throttle(12);
    const throttled = await probe();
    expect(throttled).toMatchObject({ ok: false, failure: { reason: 'throttled', retryAfter: 12_000 } });
    expect(throttled).not.toHaveProperty('failure.closes');
    shoot.api.setFault({ kind: 'throttle', retryAfterSeconds: 5, closes: true });
    expect(await probe()).toMatchObject({ ok: false, failure: { retryAfter: 5_000, closes: true } });
    expect(stage.codes).toEqual(['429', '429']);
  });

  test.each(['text', 'bytes'] as const)('4.7 garbled %s', async (as) => {
    shoot.garble(as);
    expect(await outcome()).toBe('version garbled');
  });

  test('4.7 JSON that is no answer is garbled at the latest where leases should be', async () => {
    shoot.garble('json');
    expect(await outcome()).toBe('leases garbled');
  });

  test.each([
    ['items', 'leases tooLarge'],
    ['pages', 'leases garbled'],
  ] as const)('4.7 a flood of %s', async (as, expected) => {
    shoot.flood(as, ({ resource }) => resource === 'leases');
    expect(await outcome()).toBe(expected);
  });

  test('4.7 a redirect is refused, a cut answer is unreachable, and an error is refused', async () => {
    shoot.api.setFault({ kind: 'redirect', to: 'https://127.0.0.1:1/' });
    expect(await outcome()).toBe('version refused');
    shoot.api.setFault({ kind: 'cut' });
    expect(await outcome()).toBe('version unreachable');
    shoot.api.setFault({ kind: 'status', code: 500 }, ({ resource }) => resource === 'leases');
    expect(await outcome()).toBe('leases refused');
  });

  test('4.3 a shoot that closes after each answer gets a second connection', async () => {
    shoot.api.closesAfterAnswer = true;
    const before = shoot.api.connections;
    expect(await outcome()).toBe('ok');
    shoot.api.closesAfterAnswer = false;
    expect(shoot.api.connections - before).toBe(2);
  });

  test('4.3 4.8 a probe is one connection, a GET and a list; no watch', async () => {
    shoot.api.requests.take();
    const before = shoot.api.connections;
    expect(await outcome()).toBe('ok');
    expect(shoot.api.requests.take().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
      'get /version',
      'list leases',
    ]);
    expect(shoot.api.connections - before).toBe(1);
  });

  test('4.1 a rotated Secret is followed; its old token is refused', async () => {
    shoot.rotateSecret();
    expect(await outcome()).toBe('version unauthorized');
    stage.setKubeconfig(kubeconfigInSecret());
    expect(await outcome()).toBe('ok');
  });

  test('4.7 600 nodes come in two pages of leases', async () => {
    shoot.addNodes(600 - shoot.nodes.length);
    shoot.api.requests.take();
    const answer = await probe();
    expect(answer.ok && answer.value.leases.length).toBe(600);
    expect(shoot.api.requests.take().length).toBe(3);
  });
});
