import { expect, test } from 'vitest';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { KubeError } from 'dependency-watchdog/adapters/kube/kube-error.ts';
import { kubeMachineApi } from 'dependency-watchdog/adapters/seed/machine-api.ts';
import { kubeScaler } from 'dependency-watchdog/adapters/seed/scaler.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { podRemover } from 'dependency-watchdog/adapters/weeder-seed/pod-remover.ts';
import { assembleWeeder } from 'dependency-watchdog/commands/role/assemble-weeder.ts';
import { of } from 'rxjs';
import { request } from 'undici';
import { crashLoopingContainer, podObject } from '../workloads/pod-status.ts';
import { sliceObject } from '../workloads/service-slices.ts';
import type { ContractStage } from './contract-stage.ts';
import { collector } from './collector.ts';
import { followConfigMaps, sceneOf, wordsOf } from './followed-config-maps.ts';
import { Wire } from './embedded-wire.ts';

const never = new AbortController().signal;

/** What becomes of us where the seed has too much to do: 429 and Retry-After, as priority and fairness answer (SPEC 4.5, 7.3, 7.4). */
export function throttlingContract(open: () => Promise<ContractStage>): void {
  test('7.3 is no Status but a text, with Retry-After', async () => {
    const { seed } = await open();
    const release = await seed.throttle();
    const wire = new Wire({ ...seed, token: '' });
    for (const path of ['/version', '/api/v1/pods?limit=1', '/api/v1/pods?watch=true']) {
      const { statusCode, headers, body } = await request(seed.url + path, {
        dispatcher: wire.agent,
        headers: { ...seed.headers.busy, accept: 'application/json' },
      });
      const text = await body.text();
      expect({ path, statusCode, text }).toEqual({
        path,
        statusCode: 429,
        text: 'Too many requests, please try again later.\n',
      });
      expect(headers).toMatchObject({
        'retry-after': expect.stringMatching(/^[1-8]$/),
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'content-length': '43',
      });
    }
    await release();
    await wire.close();
  });

  test('7.3 5.2 6.6 reaches the caller, with how long to wait, and is counted', async () => {
    const stage = await open();
    const namespace = await stage.namespace();
    let throttled = 0;
    const codes: string[] = [];
    const client = stage.client('busy', {
      onRequestThrottled: () => void throttled++,
      onRequest: ({ verb, code }) => codes.push(`${verb} ${code}`),
    });
    const release = await stage.seed.throttle();
    const error: unknown = await client.request({ method: 'GET', path: '/version' }).catch((one: unknown) => one);
    if (!(error instanceof KubeError)) throw new Error('it was not refused', { cause: error });
    expect(error).toMatchObject({ kind: 'status', status: 429, reason: '', retryAfter: expect.any(Number) });
    expect(error.retryAfter).toBeGreaterThanOrEqual(1_000);
    expect(error.message).toContain('was answered 429: Too many requests, please try again later.');
    const pod = { name: 'p', uid: 'u' };
    expect(await podRemover(client).remove(namespace, pod, never)).toMatchObject({
      outcome: 'throttled',
      retryAfter: expect.any(Number),
    });
    const deadline = systemClock.now() + 10_000;
    expect(
      await kubeMachineApi(client, systemClock).listMachines(namespace, deadline, never, { urgent: true }),
    ).toMatchObject({
      ok: false,
      failure: { reason: 'throttled', retryAfter: expect.any(Number) },
    });
    const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
    expect(await kubeScaler({ client, clock: systemClock }).read(namespace, ref, { urgent: true })).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('was answered 429'),
    });
    await release();
    expect(throttled).toBe(4);
    expect(codes).toEqual(['get 429', 'delete 429', 'list 429', 'get 429']);
    expect(await podRemover(client).remove(namespace, pod, never)).toEqual({ outcome: 'gone' });
  });

  test('7.4 6.6 an open stream goes on; one that is cut meanwhile waits, says so, and loses nothing', async () => {
    const scene = await sceneOf(await open(), 'busy');
    const { seed } = await open();
    await scene.create('a', '1');
    const { next, collected, notices, subscription } = followConfigMaps(scene);
    await next(({ type }) => type === 'live');
    // Once it has told of something, it is open.
    await scene.change('a', '2');
    await next((item) => wordsOf(item) === 'a 1→2');
    const release = await seed.throttle();
    await scene.change('a', '3');
    await next((item) => wordsOf(item) === 'a 2→3');
    scene.client.cut()();
    await next(({ type }) => type === 'out');
    await scene.change('a', '4');
    await scene.create('b', '1');
    await release();
    await next((item) => wordsOf(item) === 'b new 1');
    expect(collected.map(wordsOf).filter((one) => one !== 'advanced')).toEqual([
      'listed',
      'live',
      'a 1→2',
      'a 2→3',
      'out',
      'live',
      'a 3→4',
      'b new 1',
    ]);
    const problems = notices.flatMap((one) => (one.kind === 'out' ? [one.problem] : []));
    expect(problems).toEqual([expect.stringContaining('was answered 429: Too many requests')]);
    subscription.unsubscribe();
  });

  test('7.3 the weeder deletes later, and each pod once', async () => {
    const stage = await open();
    const { admin } = stage;
    const namespace = await stage.namespace();
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const service = `contract-${namespace}`;
    const config = { watchDuration: 60_000, services: [{ name: service, podSelectors: ['role=controller'] }] };
    let throttled = 0;
    const opened = Promise.withResolvers<void>();
    const client = stage.client('busy', {
      onRequestThrottled: () => void throttled++,
      onRequest: ({ verb, resource, code }) => {
        if (`${verb} ${resource} ${code}` === 'watch pods 200') opened.resolve();
      },
    });
    const hooks = { onStreamNotice: () => undefined };
    const weeder = assembleWeeder({ clock: systemClock, chance: seededChance(9), config, client, hooks });
    const { next, collected, subscription } = collector(weeder.turns(of(true)));
    const slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
    const endpoints = [{ address: '100.64.0.1', ready: true }];
    const slice = sliceObject({ name: 'one', namespace, service, endpoints });
    await admin.request({ method: 'POST', path: slices, body: slice });
    await next(({ to }) => to === 'recovering');
    await opened.promise;

    const now = systemClock.now();
    const release = await stage.seed.throttle();
    const pod = podObject({
      name: 'p',
      namespace,
      now,
      labels: { role: 'controller' },
      nodeName: '',
      containers: [crashLoopingContainer('p', now)],
    });
    const { status, ...draft } = pod;
    await admin.request({ method: 'POST', path: pods, body: draft });
    const contentType = 'application/merge-patch+json';
    await admin.request({ method: 'PATCH', path: `${pods}/p/status`, body: { status }, contentType });
    await next(({ event }) => event.type === 'deletion.answered' && event.answer.outcome === 'throttled');
    await release();
    const deleted = await next(({ event }) => event.type === 'deletion.answered' && event.answer.outcome === 'deleted');
    expect(deleted.subject).toBe(`${namespace}/${service}`);
    expect(throttled).toBeGreaterThan(0);
    const answers = collected.flatMap(({ event }) =>
      event.type === 'deletion.answered' ? [event.answer.outcome] : [],
    );
    expect(answers.filter((one) => one === 'deleted')).toHaveLength(1);
    subscription.unsubscribe();
  });
}
