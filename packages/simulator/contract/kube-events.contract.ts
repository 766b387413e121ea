import { expect, test } from 'vitest';
import { eventObject, type Occurrence } from 'dependency-watchdog/adapters/record/events/event-object.ts';
import type { ContractStage } from './contract-stage.ts';
import type { Loose } from './embedded-wire.ts';

const at = Date.parse('2026-11-21T20:07:57.123Z');
const told = { component: 'dependency-watchdog-prober', at, count: 1 };

async function enter(open: () => Promise<ContractStage>) {
  const stage = await open();
  const namespace = await stage.namespace();
  const path = `/api/v1/namespaces/${namespace}/events`;
  const occurrence: Occurrence = {
    namespace,
    ref: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'kube-controller-manager' },
    type: 'Normal',
    reason: 'ScaledDown',
    message: 'scaled from 2 to 0',
  };
  const post = (one: Occurrence, as = { ...told }, to = path): Promise<Loose> =>
    stage.admin.request({ method: 'POST', path: to, body: eventObject(one, as) });
  return { stage, namespace, path, occurrence, post };
}

/** Whether what is told of an object is taken as a Kubernetes event (SPEC 9.5), and found by its object. */
export function kubeEventsContract(open: () => Promise<ContractStage>): void {
  test('9.5 is taken as it is, and found by the object that it tells of', async () => {
    const { stage, namespace, path, occurrence, post } = await enter(open);
    const of = { ...occurrence, uid: '0b7e3c2e-0000-4000-8000-000000000000' };
    const taken = await post(of);
    await post({ ...occurrence, ref: { ...occurrence.ref, name: 'cluster-autoscaler' } });
    const fieldSelector = 'involvedObject.kind=Deployment,involvedObject.name=kube-controller-manager';
    const { items } = (await stage.admin.request({ method: 'GET', path, query: { fieldSelector } })) as Loose;
    expect(items.map(({ metadata }: Loose) => metadata.uid)).toEqual([taken.metadata.uid]);
    expect(items[0]).toMatchObject({
      involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'kube-controller-manager', namespace },
      reason: 'ScaledDown',
      message: 'scaled from 2 to 0',
      type: 'Normal',
      source: { component: 'dependency-watchdog-prober' },
      firstTimestamp: '2026-11-21T20:07:57Z',
      lastTimestamp: '2026-11-21T20:07:57Z',
      count: 1,
    });
  });

  test('9.5 is taken of the longest name, with the longest message, and without a uid', async () => {
    const { occurrence, post } = await enter(open);
    const longest = `${'n'.repeat(63)}.`.repeat(4).slice(0, 253);
    const long = { ...occurrence, ref: { ...occurrence.ref, name: longest }, message: 'ü'.repeat(2_000) };
    const taken = await post(long, { ...told, count: 2 ** 31 });
    expect(taken.involvedObject).toMatchObject({ name: longest });
    expect(taken.involvedObject.uid).toBeUndefined();
  });

  test('9.5 is stored twice under two names, and not twice under one', async () => {
    const { occurrence, post } = await enter(open);
    const first = await post(occurrence);
    expect((await post(occurrence, { ...told, count: 2 })).metadata.name).not.toBe(first.metadata.name);
    await expect(post(occurrence)).rejects.toMatchObject({ status: 409, reason: 'AlreadyExists' });
  });

  test('9.5 is refused in a namespace that is not its own', async () => {
    const { stage, occurrence, post } = await enter(open);
    const elsewhere = `/api/v1/namespaces/${await stage.namespace()}/events`;
    await expect(post(occurrence, told, elsewhere)).rejects.toMatchObject({ status: 400, reason: 'BadRequest' });
  });
}
