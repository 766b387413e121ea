import { expect, test } from 'vitest';
import type { KubeClient } from '../../src/adapters/kube/kube-client.ts';
import type { DependantRef } from '../../src/domain/prober/dependant.ts';
import type { ResourceChange, WriteAnswer } from '../../src/domain/prober/resource-change.ts';
import type { PresentResource } from '../../src/domain/prober/resource-view.ts';
import type { ShootNamespace } from '../../src/domain/shoot-namespace.ts';
import type { Scaler } from '../../src/effects/ports.ts';

export type ScalerStage = Readonly<{
  scaler: Scaler;
  /** Of an administrator, to set the scene. */
  admin: KubeClient;
  /** An empty namespace of its own, in which nobody else lives. */
  shoot: ShootNamespace;
  /** A custom kind with a scale subresource at spec.size and status.size, and one without any; both are served in namespaces. */
  sized: Readonly<{ apiVersion: string; kind: string; plural: string }>;
  unscalable: Readonly<{ apiVersion: string; kind: string; plural: string }>;
}>;

const prefix = 'dependency-watchdog.gardener.cloud';
const mark = `${prefix}/meltdown-protection-active`;
const record = `${prefix}/replicas`;

type Scene = ScalerStage &
  Readonly<{
    ref: DependantRef;
    path: string;
    view: () => Promise<PresentResource>;
    write: (change: ResourceChange, seen?: PresentResource) => Promise<WriteAnswer>;
    stored: () => Promise<{ metadata: { annotations?: Record<string, string> }; spec: Record<string, unknown> }>;
    merge: (patch: object, subresource?: string) => Promise<unknown>;
  }>;

const present = new AbortController().signal;

function sceneOf(stage: ScalerStage, ref: DependantRef, plural: string): Scene {
  const { scaler, admin, shoot } = stage;
  const path = `/apis/${ref.apiVersion}/namespaces/${shoot}/${plural}/${ref.name}`;
  const view = async (): Promise<PresentResource> => {
    const answer = await scaler.read(shoot, ref, { urgent: false });
    if (answer.outcome !== 'read' || !answer.view.found) throw new Error(`not there: ${JSON.stringify(answer)}`);
    return answer.view;
  };
  return {
    ...stage,
    ref,
    path,
    view,
    write: async (change, seen) =>
      scaler.write(shoot, ref, seen ?? (await view()), change, { urgent: true, withdrawn: present }),
    stored: async () => (await admin.request({ method: 'GET', path })) as Awaited<ReturnType<Scene['stored']>>,
    merge: (patch, subresource = '') =>
      admin.request({
        method: 'PATCH',
        path: path + subresource,
        body: patch,
        contentType: 'application/merge-patch+json',
      }),
  };
}

async function deployment(stage: ScalerStage, name: string, replicas: number, annotations = {}): Promise<Scene> {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'none' }] } };
  const scene = sceneOf(stage, { apiVersion: 'apps/v1', kind: 'Deployment', name }, 'deployments');
  await stage.admin.request({
    method: 'POST',
    path: scene.path.slice(0, scene.path.lastIndexOf('/')),
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, annotations },
      spec: { replicas, selector: { matchLabels: labels }, template },
    },
  });
  return scene;
}

async function sized(stage: ScalerStage, name: string, size: number, annotations = {}): Promise<Scene> {
  const { apiVersion, kind, plural } = stage.sized;
  const scene = sceneOf(stage, { apiVersion, kind, name }, plural);
  await stage.admin.request({
    method: 'POST',
    path: scene.path.slice(0, scene.path.lastIndexOf('/')),
    body: { apiVersion, kind, metadata: { name, annotations }, spec: { size } },
  });
  return scene;
}

/** What every Scaler must do, whatever API server is behind them. `stage` sets a fresh scene for each test. */
export function scalerContract(stage: () => Promise<ScalerStage>): void {
  test('6.4 6.6 one write takes a Deployment down, with its record and its mark', async () => {
    const scene = await deployment(await stage(), 'kcm', 2);
    const seen = await scene.view();
    expect(seen).toMatchObject({ found: true, replicas: 2, readyReplicas: 0, marked: false, ignored: false });
    const answer = await scene.write({ replicas: 0, mark: true, record: 2 }, seen);
    expect(answer).toMatchObject({ outcome: 'written', view: { replicas: 0, marked: true, record: '2' } });
    expect(await scene.stored()).toMatchObject({
      metadata: { annotations: { [mark]: '', [record]: '2' } },
      spec: { replicas: 0 },
    });
    expect(answer).toEqual({ outcome: 'written', view: await scene.view() });
  });

  test('6.5 6.6 one write raises it again, and leaves no annotation of ours', async () => {
    const scene = await deployment(await stage(), 'kcm', 0, { [mark]: '', [record]: '3', 'of/others': 'stays' });
    const answer = await scene.write({ replicas: 3, mark: false, record: null });
    expect(answer).toMatchObject({ outcome: 'written', view: { replicas: 3, marked: false } });
    const { metadata, spec } = await scene.stored();
    expect(metadata.annotations).toEqual({ 'of/others': 'stays' });
    expect(spec['replicas']).toBe(3);
  });

  test('6.6 a write on what has changed since is a conflict, and changes nothing', async () => {
    const on = await stage();
    for (const scene of [await deployment(on, 'kcm', 2), await sized(on, 'etcd', 2)]) {
      const seen = await scene.view();
      await scene.merge({ metadata: { labels: { touched: 'yes' } } });
      const before = await scene.stored();
      expect(await scene.write({ replicas: 0 }, seen)).toEqual({ outcome: 'conflict' });
      expect(await scene.write({ mark: true, record: 2 }, seen)).toEqual({ outcome: 'conflict' });
      expect(await scene.stored()).toEqual(before);
    }
  });

  test('6.6 another kind is annotated first, then scaled, each step guarded by the one before', async () => {
    const scene = await sized(await stage(), 'etcd', 3);
    const seen = await scene.view();
    expect(seen).toMatchObject({ replicas: 3, readyReplicas: 0, marked: false, observed: true });
    const annotated = await scene.write({ mark: true, record: 3 }, seen);
    if (annotated.outcome !== 'written' || !annotated.view.found) throw new Error(JSON.stringify(annotated));
    expect(annotated.view).toMatchObject({ replicas: 3, marked: true, record: '3' });
    const scaled = await scene.write({ replicas: 0 }, annotated.view);
    if (scaled.outcome !== 'written' || !scaled.view.found) throw new Error(JSON.stringify(scaled));
    expect(scaled.view).toMatchObject({ replicas: 0, marked: true, record: '3', observed: false });
    expect(await scene.stored()).toMatchObject({
      metadata: { annotations: { [mark]: '', [record]: '3' } },
      spec: { size: 0 },
    });
    expect(await scene.view()).toMatchObject({
      resourceVersion: scaled.view.resourceVersion,
      replicas: 0,
      marked: true,
    });
    expect(await scene.write({ mark: false, record: null }, scaled.view)).toMatchObject({
      outcome: 'written',
      view: { marked: false },
    });
  });

  test('6.6 of another kind the scale’s replicas count until the ready ones are reported', async () => {
    const scene = await sized(await stage(), 'etcd', 2);
    await scene.merge({ status: { size: 2 } }, '/status');
    expect(await scene.view()).toMatchObject({ replicas: 2, readyReplicas: 2 });
    await scene.merge({ status: { readyReplicas: 1, observedGeneration: 1 } }, '/status');
    expect(await scene.view()).toMatchObject({ readyReplicas: 1, observed: true });
    await scene.merge({ spec: { size: 4 } });
    expect(await scene.view()).toMatchObject({ replicas: 4, observed: false });
  });

  test('6.7 a mark goes alone, the record stays', async () => {
    const on = await stage();
    const annotations = { [mark]: '', [record]: '2', [`${prefix}/ignore-scaling`]: 'true' };
    for (const scene of [await deployment(on, 'kcm', 2, annotations), await sized(on, 'etcd', 2, annotations)]) {
      expect(await scene.view()).toMatchObject({ ignored: true, marked: true });
      expect(await scene.write({ mark: false })).toMatchObject({
        outcome: 'written',
        view: { marked: false, record: '2', ignored: true },
      });
      expect((await scene.stored()).metadata.annotations).toEqual({
        [record]: '2',
        [`${prefix}/ignore-scaling`]: 'true',
      });
    }
  });

  test('6.8 what is not there, is no more, or is of no kind that is served, is missing', async () => {
    const on = await stage();
    const scene = await deployment(on, 'kcm', 1);
    const seen = await scene.view();
    await on.admin.request({ method: 'DELETE', path: scene.path });
    const refs: DependantRef[] = [
      scene.ref,
      { ...on.sized, name: 'none' },
      { apiVersion: on.sized.apiVersion, kind: 'Nothing', name: 'none' },
      { apiVersion: 'nobody.example/v1', kind: 'Nothing', name: 'none' },
    ].map(({ apiVersion, kind, name }) => ({ apiVersion, kind, name }));
    for (const ref of refs) {
      const read = await on.scaler.read(on.shoot, ref, { urgent: false });
      expect({ kind: ref.kind, read }).toEqual({ kind: ref.kind, read: { outcome: 'read', view: { found: false } } });
      const written = await on.scaler.write(on.shoot, ref, seen, { replicas: 0 }, { urgent: true, withdrawn: present });
      expect({ kind: ref.kind, written }).toEqual({ kind: ref.kind, written: { outcome: 'missing' } });
    }
  });

  test('6.6 a kind without a scale subresource is refused with a word', async () => {
    const on = await stage();
    const ref = { apiVersion: on.unscalable.apiVersion, kind: on.unscalable.kind, name: 'any' };
    expect(await on.scaler.read(on.shoot, ref, { urgent: false })).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('has no scale subresource') as string,
    });
  });

  test('6.6 a refusal is told with what was asked and answered', async () => {
    const scene = await deployment(await stage(), 'kcm', 1);
    const answer = await scene.write({ replicas: -1 });
    expect(answer).toMatchObject({ outcome: 'failed' });
    expect(JSON.stringify(answer)).toContain(`patch deployments ${scene.shoot}/kcm was answered 422 Invalid`);
  });

  test('1.4 what was withdrawn before is not written', async () => {
    const scene = await deployment(await stage(), 'kcm', 1);
    const seen = await scene.view();
    const options = { urgent: true, withdrawn: AbortSignal.abort() };
    expect(await scene.scaler.write(scene.shoot, scene.ref, seen, { replicas: 0 }, options)).toEqual({
      outcome: 'withdrawn',
    });
    expect(await scene.view()).toEqual(seen);
  });
}
