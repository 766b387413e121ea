import { expect, test } from 'vitest';
import type { DependantRef } from 'dependency-watchdog/domain/prober/dependant.ts';
import {
  type ResourceChange,
  type WriteAnswer,
  ignoreAnnotation as ignore,
  markAnnotation as mark,
  replicasAnnotation as record,
  type PresentResource,
} from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Scaler } from 'dependency-watchdog/effects/ports.ts';

type Resource = Readonly<{ replicas: number; marked?: boolean; record?: string; ignored?: boolean }>;

/** A shoot in a seed, and the hands that act there. Nobody brings pods up or down. */
export type ScalerStage = Readonly<{
  scaler: Scaler;
  /** An empty namespace of its own, in which nobody else lives. */
  shoot: ShootNamespace;
  /** Creates a resource of a kind that takes all changes in one write (`kcm`), or annotations and replicas in two (`etcd`). */
  create(writes: 'once' | 'twice', name: 'kcm' | 'etcd', resource: Resource): Promise<DependantRef>;
  /** Another hand changes something that does not concern us. */
  touch(ref: DependantRef): Promise<unknown>;
  setReplicas(ref: DependantRef, replicas: number): Promise<unknown>;
  remove(ref: DependantRef): Promise<unknown>;
  /** What is stored by now; `annotations` are ours alone. Fails where those of others were not left alone. */
  stored(ref: DependantRef): Promise<Readonly<{ replicas: unknown; annotations: Readonly<Record<string, string>> }>>;
}>;

type Scene = ScalerStage &
  Readonly<{
    ref: DependantRef;
    view: () => Promise<PresentResource>;
    write: (change: ResourceChange, seen?: PresentResource) => Promise<WriteAnswer>;
  }>;

const present = new AbortController().signal;

async function sceneOf(stage: ScalerStage, writes: 'once' | 'twice', resource: Resource): Promise<Scene> {
  const { scaler, shoot } = stage;
  const ref = await stage.create(writes, writes === 'once' ? 'kcm' : 'etcd', resource);
  const view = async (): Promise<PresentResource> => {
    const answer = await scaler.read(shoot, ref, { urgent: false });
    if (answer.outcome !== 'read' || !answer.view.found) throw new Error(`not there: ${JSON.stringify(answer)}`);
    return answer.view;
  };
  return {
    ...stage,
    ref,
    view,
    write: async (change, seen) =>
      scaler.write(shoot, ref, seen ?? (await view()), change, { urgent: true, withdrawn: present }),
  };
}

/** What every Scaler must do, whatever is behind it. `stage` sets a fresh scene for each test. */
export function scalerContract(stage: () => Promise<ScalerStage>): void {
  test('6.4 6.6 one write takes a Deployment down, with its record and its mark', async () => {
    const { view, write, stored, ref } = await sceneOf(await stage(), 'once', { replicas: 2 });
    const seen = await view();
    expect(seen).toMatchObject({ found: true, replicas: 2, marked: false, ignored: false });
    const answer = await write({ replicas: 0, mark: true, record: 2 }, seen);
    expect(answer).toMatchObject({ outcome: 'written', view: { replicas: 0, marked: true, record: '2' } });
    expect(await stored(ref)).toEqual({ replicas: 0, annotations: { [mark]: '', [record]: '2' } });
    expect(answer).toEqual({ outcome: 'written', view: await view() });
  });

  test('6.5 6.6 one write raises it again, and leaves no annotation of ours', async () => {
    const { write, stored, ref } = await sceneOf(await stage(), 'once', { replicas: 0, marked: true, record: '3' });
    const answer = await write({ replicas: 3, mark: false, record: null });
    expect(answer).toMatchObject({ outcome: 'written', view: { replicas: 3, marked: false } });
    expect(await stored(ref)).toEqual({ replicas: 3, annotations: {} });
  });

  for (const writes of ['once', 'twice'] as const) {
    const kind = writes === 'once' ? 'a Deployment' : 'another kind';
    test(`6.6 a write on what has changed since is a conflict, and changes nothing: ${kind}`, async () => {
      const { view, write, stored, touch, ref } = await sceneOf(await stage(), writes, { replicas: 2 });
      const seen = await view();
      await touch(ref);
      const before = await stored(ref);
      expect(await write({ replicas: 0 }, seen)).toEqual({ outcome: 'conflict' });
      expect(await write({ mark: true, record: 2 }, seen)).toEqual({ outcome: 'conflict' });
      expect(await stored(ref)).toEqual(before);
    });

    test(`6.7 a mark goes alone, the record stays: ${kind}`, async () => {
      const scene = await sceneOf(await stage(), writes, { replicas: 2, marked: true, record: '2', ignored: true });
      expect(await scene.view()).toMatchObject({ ignored: true, marked: true });
      expect(await scene.write({ mark: false })).toMatchObject({
        outcome: 'written',
        view: { marked: false, record: '2', ignored: true },
      });
      expect(await scene.stored(scene.ref)).toEqual({ replicas: 2, annotations: { [record]: '2', [ignore]: 'true' } });
    });
  }

  test('6.6 another kind is annotated first, then scaled, each step guarded by the one before', async () => {
    const { view, write, stored, ref } = await sceneOf(await stage(), 'twice', { replicas: 3 });
    const seen = await view();
    expect(seen).toMatchObject({ replicas: 3, marked: false, observed: true });
    const annotated = await write({ mark: true, record: 3 }, seen);
    if (annotated.outcome !== 'written' || !annotated.view.found) throw new Error(JSON.stringify(annotated));
    expect(annotated.view).toMatchObject({ replicas: 3, marked: true, record: '3' });
    const scaled = await write({ replicas: 0 }, annotated.view);
    if (scaled.outcome !== 'written' || !scaled.view.found) throw new Error(JSON.stringify(scaled));
    expect(scaled.view).toMatchObject({ replicas: 0, marked: true, record: '3', observed: false });
    expect(await stored(ref)).toEqual({ replicas: 0, annotations: { [mark]: '', [record]: '3' } });
    const { resourceVersion } = scaled.view;
    expect(await view()).toMatchObject({ resourceVersion, replicas: 0, marked: true });
    const unmarked = await write({ mark: false, record: null }, scaled.view);
    expect(unmarked).toMatchObject({ outcome: 'written', view: { marked: false } });
  });

  test('6.6 replicas that somebody else sets on another kind are seen at once', async () => {
    const { view, setReplicas, ref } = await sceneOf(await stage(), 'twice', { replicas: 2 });
    await setReplicas(ref, 4);
    expect(await view()).toMatchObject({ replicas: 4 });
  });

  test('6.8 a dependant that is not there, is gone, or is of a kind that is not served, is missing', async () => {
    const { scaler, shoot, view, remove, ref } = await sceneOf(await stage(), 'once', { replicas: 1 });
    const seen = await view();
    await remove(ref);
    const refs: DependantRef[] = [
      ref,
      { ...ref, name: 'none' },
      { apiVersion: ref.apiVersion, kind: 'Nothing', name: 'none' },
      { apiVersion: 'nobody.example/v1', kind: 'Nothing', name: 'none' },
    ];
    for (const one of refs) {
      const read = await scaler.read(shoot, one, { urgent: false });
      expect({ one, read }).toEqual({ one, read: { outcome: 'read', view: { found: false } } });
      const written = await scaler.write(shoot, one, seen, { replicas: 0 }, { urgent: true, withdrawn: present });
      expect({ one, written }).toEqual({ one, written: { outcome: 'missing' } });
    }
  });

  test('6.6 a write that the seed refuses has failed, and changes nothing', async () => {
    const { view, write } = await sceneOf(await stage(), 'once', { replicas: 1 });
    const seen = await view();
    expect(await write({ replicas: -1 }, seen)).toMatchObject({ outcome: 'failed' });
    expect(await view()).toEqual(seen);
  });

  test('1.4 what was withdrawn before is not written', async () => {
    const { scaler, shoot, view, ref } = await sceneOf(await stage(), 'once', { replicas: 1 });
    const seen = await view();
    const options = { urgent: true, withdrawn: AbortSignal.abort() };
    expect(await scaler.write(shoot, ref, seen, { replicas: 0 }, options)).toEqual({ outcome: 'withdrawn' });
    expect(await view()).toEqual(seen);
  });
}

export type SeedScalerStage = ScalerStage &
  Readonly<{
    /** Of a kind with a scale subresource; merges into the status. */
    setStatus(ref: DependantRef, status: object): Promise<unknown>;
    /** A kind without a scale subresource, which is served. */
    unscalable: Readonly<{ apiVersion: string; kind: string }>;
  }>;

/** What a Scaler must do on an API server besides. */
export function seedScalerContract(stage: () => Promise<SeedScalerStage>): void {
  test('6.6 of another kind the scale’s replicas count until the ready ones are reported', async () => {
    const on = await stage();
    const { view, setReplicas, ref } = await sceneOf(on, 'twice', { replicas: 2 });
    await on.setStatus(ref, { size: 2 });
    expect(await view()).toMatchObject({ replicas: 2, readyReplicas: 2 });
    await on.setStatus(ref, { readyReplicas: 1, observedGeneration: 1 });
    expect(await view()).toMatchObject({ readyReplicas: 1, observed: true });
    await setReplicas(ref, 4);
    expect(await view()).toMatchObject({ replicas: 4, observed: false });
  });

  test('6.6 a kind without a scale subresource is refused with a word', async () => {
    const { scaler, shoot, unscalable } = await stage();
    expect(await scaler.read(shoot, { ...unscalable, name: 'any' }, { urgent: false })).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('has no scale subresource') as string,
    });
  });

  test('6.6 a refusal carries what was asked and answered', async () => {
    const { write, shoot } = await sceneOf(await stage(), 'once', { replicas: 1 });
    const answer = await write({ replicas: -1 });
    expect(JSON.stringify(answer)).toContain(`patch deployments ${shoot}/kcm was answered 422 Invalid`);
  });
}
