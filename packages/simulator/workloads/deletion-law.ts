import { labelsOf, type Selector } from 'dependency-watchdog/domain/read-selector.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { WeededService } from 'dependency-watchdog/domain/weeder/weeder-config.ts';
import { labelSelector } from '../api/selection.ts';
import { asObject, type JsonObject, type KubeObject } from '../store/kube-object.ts';

// What the weeder may delete (S8), said once more in words of its own, and by what the seed itself shows: a check that used the weeder's reading
// would not see its mistakes. `simulate`, the tests of whole weeders and the soak judge by it.

/** Some container waits in CrashLoopBackOff, or has failed again. All containers here are started again, and no pod's phase is final. */
export function isCrashLooping(pod: JsonObject | undefined): boolean {
  const status = asObject(pod?.['status']);
  return ['initContainerStatuses', 'containerStatuses'].some((list) =>
    ((status[list] ?? []) as readonly JsonObject[]).some((one) => {
      const { waiting, terminated } = asObject(one['state']);
      return asObject(waiting)['reason'] === 'CrashLoopBackOff' || hasFailedAgain(one, asObject(terminated));
    }),
  );
}

/** Not after it was well for ten minutes. */
function hasFailedAgain({ restartCount }: JsonObject, { exitCode, startedAt, finishedAt }: JsonObject): boolean {
  if (exitCode === undefined || exitCode === 0 || restartCount === 0) return false;
  return Date.parse(String(finishedAt)) - Date.parse(String(startedAt)) <= 600_000;
}

type ServiceSeen = {
  readonly namespace: string;
  readonly name: string;
  readonly ready: Map<string, boolean>;
  /** Since when any endpoint is ready, or was; it never was at -Infinity. */
  upAt: Instant;
  /** Since when none is; Infinity while one is. */
  downAt: Instant;
  /** For how long none was, before `upAt`. */
  wasDownFor: Millis;
};

/** When services came and went, by the EndpointSlices in the store. */
export class ServicesSeen {
  readonly #services = new Map<string, ServiceSeen>();

  get(namespace: string, name: string): Readonly<ServiceSeen> | undefined {
    return this.#services.get(`${namespace}/${name}`);
  }

  /** A slice changed, or is gone (undefined). Gives the service that came or went by it. */
  note(key: string, slice: KubeObject | undefined, at: Instant): Readonly<ServiceSeen> | undefined {
    const service = slice === undefined ? this.#having(key) : this.#of(slice, at);
    if (service === undefined) return undefined;
    const wasUp = isUp(service);
    if (slice === undefined) service.ready.delete(key);
    else service.ready.set(key, hasReady(slice));
    const isNowUp = isUp(service);
    if (isNowUp && !wasUp) {
      service.upAt = at;
      service.wasDownFor = at - service.downAt;
    }
    service.downAt = isNowUp ? Infinity : wasUp ? at : service.downAt;
    return isNowUp === wasUp ? undefined : service;
  }

  #having(key: string): ServiceSeen | undefined {
    return [...this.#services.values()].find(({ ready }) => ready.has(key));
  }

  #of({ metadata: { namespace = '', labels } }: KubeObject, at: Instant): ServiceSeen | undefined {
    const name = labels?.['kubernetes.io/service-name'];
    if (name === undefined) return undefined;
    const key = `${namespace}/${name}`;
    const known = this.#services.get(key);
    const service = known ?? { namespace, name, ready: new Map(), upAt: -Infinity, downAt: at, wasDownFor: 0 };
    this.#services.set(key, service);
    return service;
  }
}

function isUp({ ready }: ServiceSeen): boolean {
  return [...ready.values()].includes(true);
}

function hasReady(slice: KubeObject): boolean {
  const endpoints = (slice['endpoints'] ?? []) as readonly JsonObject[];
  // One that is being deleted is nobody's any more.
  if (slice.metadata.deletionTimestamp !== undefined) return false;
  return endpoints.some(({ conditions }) => asObject(conditions)['ready'] !== false);
}

/** Read once each: laws ask for every pod that crash-loops. */
const selectors = new WeakMap<WeededService, readonly Selector[]>();

export function selects(service: WeededService, pod: KubeObject): boolean {
  const read = selectors.get(service) ?? service.podSelectors.map(labelSelector);
  selectors.set(service, read);
  const labels = labelsOf(pod);
  return read.some((isSelected) => isSelected(labels));
}

/** A deletion by the weeder, and how all stood by then. */
export type DeletionSeen = Readonly<{
  at: Instant;
  /** When the pod was last in CrashLoopBackOff: `at`, if it still is; -Infinity if it never was. */
  loopedUntil: Instant;
  /** It is going already, by another's deletion. */
  ending: boolean;
  /** This very incarnation was deleted before. */
  deletedBefore: boolean;
  /** Of the services that it depends on: when its last window opened, and since when it is down (Infinity while it is available). */
  services: readonly Readonly<{ openedAt: Instant; downAt: Instant }>[];
}>;

export type DeletionFault = 'twice' | 'ending' | 'not crash-looping' | 'no service' | 'no window';

/**
 * What was wrong with a deletion, the worst first; nothing with one that was right. `news`: a deletion that was right by what was true so long ago is
 * right, since the weeder cannot know better.
 */
export function deletionFaults(
  { at, loopedUntil, ending, deletedBefore, services }: DeletionSeen,
  { watchDuration, news }: Readonly<{ watchDuration: Millis; news: Millis }>,
): readonly DeletionFault[] {
  const available = services.filter(({ downAt }) => at - downAt <= news);
  const isOpen = available.some(({ openedAt }) => at - openedAt < watchDuration + news);
  return [
    ...(deletedBefore ? (['twice'] as const) : []),
    ...(ending ? (['ending'] as const) : []),
    ...(at - loopedUntil <= news ? [] : (['not crash-looping'] as const)),
    ...(isOpen ? [] : available.length > 0 ? (['no window'] as const) : (['no service'] as const)),
  ];
}
