import { expect, test } from 'vitest';
import { kubeMachineApi } from 'dependency-watchdog/adapters/seed/machine-api.ts';
import type { KubeError } from 'dependency-watchdog/adapters/kube/kube-error.ts';
import { readWatchLine } from 'dependency-watchdog/adapters/reflector/wire-format.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { atMostAtOnce } from '@dwd/inspector/serve/live-history.ts';
import type { ContractStage } from './contract-stage.ts';
import { allOf, followConfigMaps, sceneOf, wordsOf } from './followed-config-maps.ts';
import type { Loose } from './embedded-wire.ts';
import { SwitchedClient } from './switched-client.ts';

const never = new AbortController().signal;

/** What becomes of lists and watches when the history that they need is compacted away (410), and that nothing is lost by it. */
export function historyContract(open: () => Promise<ContractStage>): void {
  test('6.6 a watch from a version that is forgotten opens, says 410, and ends', async () => {
    const stage = await open();
    const scene = await sceneOf(stage);
    const { resourceVersion } = await scene.create('a', '1');
    // Of the very change at which etcd was compacted, it has forgotten what was before: the server answers 500 then.
    await scene.change('a', '2');
    await scene.change('a', '3');
    await stage.seed.compact();
    const query = { watch: 'true', resourceVersion, timeoutSeconds: '5' };
    const lines = await allOf(scene.client.lines({ method: 'GET', path: scene.path, query, inactivity: 9_000 }));
    expect(lines).toEqual([
      {
        type: 'ERROR',
        object: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: expect.stringMatching(/too old/),
          reason: 'Expired',
          code: 410,
        },
      },
    ]);
    expect(readWatchLine(lines[0])).toMatchObject({ type: 'error', code: 410, retryAfter: 0 });
  });

  test('6.6 an open watch loses nothing by it, and goes on from its last event', async () => {
    const stage = await open();
    const scene = await sceneOf(stage);
    await scene.create('a', '1');
    const { next, collected, notices, subscription } = followConfigMaps(scene);
    await next(({ type }) => type === 'live');
    await scene.change('a', '2');
    await next(({ type }) => type === 'applied');
    await stage.seed.compact();
    await scene.change('a', '3');
    await next(({ type }) => type === 'applied');
    expect(collected.map(wordsOf)).toEqual(['listed', 'live', 'a 1→2', 'a 2→3']);
    expect(notices.map(({ kind }) => kind)).toEqual(['opening', 'live']);
    subscription.unsubscribe();
  });

  test('7.4 6.6 a stream whose place is forgotten lists anew, and tells all that it missed', async () => {
    const stage = await open();
    const scene = await sceneOf(stage);
    for (const one of ['a', 'b', 'c']) await scene.create(one, '1');
    const { next, notices, subscription } = followConfigMaps(scene, { pageSize: 2 });
    await next(({ type }) => type === 'live');
    // Once it has told of something, it is open.
    await scene.create('z', '1');
    await next((item) => wordsOf(item) === 'z new 1');
    const reopen = scene.client.cut();
    await scene.change('a', '2');
    await scene.remove('b');
    await scene.create('d', '1');
    await scene.change('d', '2');
    await stage.seed.compact();
    reopen();
    const again = await next(({ type }) => type === 'listed');
    if (again.type !== 'listed') throw new Error(again.type);
    expect(again.applied.map((one) => wordsOf({ type: 'applied', ...one }))).toEqual(['a 1→2', 'd new 2']);
    expect(again.deleted).toMatchObject([{ name: 'b' }]);
    await scene.change('c', '2');
    expect(wordsOf(await next(({ type }) => type === 'applied'))).toBe('c 1→2');
    const why = notices.flatMap((one) => (one.kind === 'restarted' ? [one.why] : []));
    expect(why).toEqual(['failed', 'expired']);
    subscription.unsubscribe();
  });

  test('6.6 a page of a list that is forgotten is 410, with a word that leads on through what is there now', async () => {
    const stage = await open();
    const scene = await sceneOf(stage);
    for (const one of ['a', 'b', 'c', 'd']) await scene.create(one, '1');
    const list = (query: Record<string, string>): Promise<Loose> =>
      stage.admin.request({ method: 'GET', path: scene.path, query: { limit: '2', ...query } });
    const first = await list({});
    await scene.remove('c');
    await stage.seed.compact();
    const late = list({ continue: first.metadata.continue });
    await expect(late).rejects.toMatchObject({
      kind: 'status',
      status: 410,
      reason: 'Expired',
      retryAfter: undefined,
    });
    await expect(late).rejects.toThrow(
      'The provided continue parameter is too old to display a consistent list result.',
    );
    const { next } = await late.catch((error: unknown) => error as KubeError);
    const rest = await list({ continue: next! });
    expect(rest.items.map(({ metadata }: Loose) => metadata.name)).toEqual(['d']);
    const exact = { resourceVersion: first.metadata.resourceVersion, resourceVersionMatch: 'Exact' };
    await expect(list(exact)).rejects.toThrow('410 Expired: The resourceVersion for the provided list is too old.');
  });

  test('6.2 4.7 a list whose next page is forgotten each time is asked for in one, and comes whole', async () => {
    const stage = await open();
    const scene = await sceneOf(stage);
    for (const one of ['a', 'b', 'c', 'd']) await scene.create(one, '1');
    let times = 1;
    scene.client.before = async ({ query }) => {
      if (query?.['continue'] === undefined) return;
      times += 1;
      await scene.change('a', String(times));
      if (times === 2) await scene.remove('d');
      await stage.seed.compact();
    };
    const { next, notices, subscription } = followConfigMaps(scene, { pageSize: 2 });
    const listed = await next();
    if (listed.type !== 'listed') throw new Error(listed.type);
    expect(listed.applied.map((one) => wordsOf({ type: 'applied', ...one }))).toEqual([
      'a new 2',
      'b new 1',
      'c new 1',
    ]);
    expect(notices).toMatchObject([{ kind: 'opening' }, { kind: 'restarted', why: 'expired' }]);
    subscription.unsubscribe();
  });

  test('5.2 4.7 Machines whose next page is forgotten each time are all there', async () => {
    const stage = await open();
    const shoot = await stage.namespace();
    const path = `/apis/machine.sapcloud.io/v1alpha1/namespaces/${shoot}/machines`;
    const machine = { apiVersion: 'machine.sapcloud.io/v1alpha1', kind: 'Machine' };
    const create = (count: number) =>
      stage.admin.request({ method: 'POST', path, body: { ...machine, metadata: { name: `m-${count}` } } });
    // All at once, the last of them would run into its time-out where the machine is busy.
    const among = atMostAtOnce(20);
    await Promise.all(Array.from({ length: 1_001 }, (_, index) => among(() => create(index))));
    const client = new SwitchedClient(stage.admin);
    let created = 1_001;
    client.before = async ({ query = {} }) => {
      if (query['continue'] === undefined) return;
      created += 1;
      await create(created);
      await stage.seed.compact();
    };
    const answer = await kubeMachineApi(client, systemClock).listMachines(shoot, systemClock.now() + 30_000, never, {
      urgent: true,
    });
    expect(answer).toMatchObject({ ok: true });
    // Two pages follow, each of them asked for twice.
    expect(created).toBe(1_005);
  });
}
