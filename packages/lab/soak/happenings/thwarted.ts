import {
  markAnnotation as mark,
  replicasAnnotation as record,
} from 'dependency-watchdog/domain/prober/resource-view.ts';
import { numberAt, valueAt } from 'dependency-watchdog/domain/value-at.ts';
import { asObject, withValueAt } from '@dwd/simulator/store/kube-object.ts';
import type { Webhook } from '@dwd/simulator/store/object-store.ts';
import { objectKey } from '@dwd/simulator/store/revision.ts';
import { type ResourceKind, workloadNumbers } from '@dwd/simulator/store/resource-kind.ts';
import { cutOff, type HappeningKind, type Struck } from '../happening.ts';

type Change = (
  kind: ResourceKind,
  after: Parameters<Webhook>[1],
  before: Parameters<Webhook>[2],
) => ReturnType<Webhook>;

/** What a webhook makes of a write, by the name of the happening. `count`: what it has in mind. */
const changes: Readonly<Record<string, (count: number) => Change>> = {
  // At no more than each of them had, since what such a webhook gives on the way up is its own.
  'webhook holds replicas up': () => replicas((asked) => Math.max(asked, 1)),
  'webhook holds replicas down': (count) => replicas((asked) => Math.min(asked, count - 1)),
  'webhook swallows writes': () => (_, after, before) => ({
    ...before,
    metadata: { ...before.metadata, resourceVersion: versionOf(after) },
  }),
  'webhook keeps annotations':
    () =>
    (_, after, { metadata: { annotations = {} } }) =>
      withValueAt(after, ['metadata', 'annotations'], { ...annotationsOf(after), ...pick(annotations) }),
};

function replicas(of: (asked: number) => number): Change {
  return (kind, after) => {
    const path = kind.scale?.specReplicas ?? [];
    const asked = numberAt(after, ...path);
    return asked === undefined ? after : withValueAt(after, path, of(asked));
  };
}

/**
 * Somebody does not let our writes stand, for a while in which the shoot is cut off and healed: a webhook or a policy that changes them in their very
 * answer, or a controller that raises what has just been brought down.
 */
export const thwartedWrites: HappeningKind = {
  of: 'shoot',
  hourly: 1.5,
  draw({ at, shoot, between, oneOf, strikes }) {
    const kind = oneOf([...Object.keys(changes), 'controller raises at once']);
    const of = { which: strikes(0.3) ? -1 : between(0, 5), replicas: between(1, 3), length: between(2_000, 150_000) };
    const cutOffAt = Math.max(1, at + between(-120_000, 10_000));
    return [
      { at, kind, shoot, of },
      ...(strikes(0.9) ? cutOff(shoot, cutOffAt, cutOffAt + between(40_000, 180_000)) : []),
    ];
  },
  strike: {
    ...Object.fromEntries(Object.keys(changes).map((kind) => [kind, admit])),
    'controller raises at once': raiseAtOnce,
  },
  calm: ({ seed }) => seed.api.storage.store.webhooks.clear(),
  tell: ({ kind, shoot, of }) =>
    `${shoot}, ${of.which < 0 ? 'each dependant' : `dependant ${of.which}`}: ${kind}, with ${of.replicas} in mind, for ${of.length} ms`,
};

/** The pods of what comes down first are slow to end, while the shoot is cut off. */
export const slowEnds: HappeningKind = {
  of: 'shoot',
  hourly: 1,
  draw({ at, shoot, between }) {
    const of = { which: between(0, 5), late: between(2_000, 20_000), length: between(60_000, 200_000) };
    return [{ at, kind: 'pods end slowly', shoot, of }, ...cutOff(shoot, at + 1, at + of.length)];
  },
  strike: {
    'pods end slowly': (struck) => {
      const { scene, of, agenda } = struck;
      if (scene.calmSince !== undefined) return;
      const names = namesOf(struck).filter((name) => name !== 'kube-controller-manager');
      for (const name of names) scene.endsLater.set(objectKey(struck.it.shoot ?? '', name), of.late);
      agenda.after(of.length, () =>
        names.forEach((name) => scene.endsLater.delete(objectKey(struck.it.shoot ?? '', name))),
      );
    },
  },
  calm: ({ endsLater }) => endsLater.clear(),
  tell: ({ kind, shoot, of }) => `${shoot}: ${kind}, ${of.late} ms later`,
};

/** Those that a happening is about, of those that are there. */
function namesOf({ shoot, of }: Struck): readonly string[] {
  const names = shoot?.dependants.names.filter((name) => shoot.dependants.get(name) !== undefined) ?? [];
  return of.which < 0 ? names : names.filter((_, index) => index === of.which % names.length);
}

function admit(struck: Struck): void {
  const { scene, it, of, agenda } = struck;
  const change = changes[it.kind]?.(of.replicas);
  if (scene.calmSince !== undefined || change === undefined) return;
  const names = namesOf(struck);
  const { webhooks } = scene.seed.api.storage.store;
  const webhook: Webhook = (kind, after, before) => {
    const { name, namespace } = before.metadata;
    return kind.scale !== undefined && namespace === it.shoot && names.includes(name)
      ? change(kind, after, before)
      : after;
  };
  webhooks.add(webhook);
  agenda.after(of.length, () => webhooks.delete(webhook));
}

/** It sees the 0 by its own watch. */
function raiseAtOnce(struck: Struck): void {
  const { scene, it, of, agenda } = struck;
  const names = namesOf(struck);
  const { store } = scene.seed.api.storage;
  const stops = scene.config.dependants
    .filter(({ ref }) => names.includes(ref.name))
    .flatMap(({ ref }) => {
      const kind = scene.seed.api.kindOf(ref.apiVersion, ref.kind);
      if (kind === undefined) return [];
      return store.of(kind).onChange(({ revision: { object }, writer, type }) => {
        const { name, namespace } = object.metadata;
        if (type !== 'MODIFIED' || writer === undefined || namespace !== it.shoot || name !== ref.name) return;
        if (workloadNumbers(kind, object).desired > 0) return;
        agenda.after(5, () => {
          if (scene.calmSince === undefined && struck.shoot?.dependants.get(name)?.desired === 0)
            struck.shoot.dependants.scale(name, of.replicas);
        });
      });
    });
  agenda.after(of.length, () => stops.forEach((stop) => stop()));
}

function annotationsOf(object: unknown) {
  return asObject(valueAt(object, 'metadata', 'annotations') ?? {});
}

/** Of these, ours. */
function pick(annotations: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => name === mark || name === record));
}

function versionOf(object: unknown): unknown {
  return valueAt(object, 'metadata', 'resourceVersion');
}
