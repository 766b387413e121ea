// An embedded seed with control planes to be weeded, in a process of its own.
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { systemClock as clock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { startEmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import { objectKey } from '@dwd/simulator/store/revision.ts';
import { createObject, removeObject } from '@dwd/simulator/store/object-writes.ts';
import type { SeenRequest } from '@dwd/simulator/api/request-log.ts';
import { PlainDependants } from '@dwd/testing/plain-dependants.ts';
import { serve } from './forked.ts';
import { gardenerConfigFile, readConfig } from './config-file.ts';
import type { WeededSeedReport, WeededSeedSize } from './started-seed.ts';
import { asObject, type JsonObject } from '@dwd/simulator/store/kube-object.ts';
import {
  crashLoopingContainer,
  podObject,
  runningContainer,
  type ContainerRole,
} from '@dwd/simulator/workloads/pod-status.ts';

type Recovering = { availableAt: Instant; deletedAt: Instant[]; due: Set<string> };

type CrowdedPod = Readonly<{
  name: string;
  /** Its label `role`. */
  role: string;
  loops?: ContainerRole;
  /** Its deletion was asked for by somebody else. */
  ending?: boolean;
  /** A dependant of the API server that has to be deleted. */
  due?: boolean;
}>;

/** A control plane in the middle of an outage: what has to be deleted, and what must not be though it crash-loops. */
const crowd: readonly CrowdedPod[] = [
  { name: 'etcd-main-0', role: 'main', loops: 'main' },
  { name: 'kube-apiserver-a', role: 'apiserver' },
  { name: 'kube-apiserver-b', role: 'apiserver', loops: 'main' },
  { name: 'kube-controller-manager-a', role: 'controller-manager', loops: 'main', due: true },
  { name: 'kube-scheduler-a', role: 'scheduler', loops: 'main', due: true },
  { name: 'machine-controller-manager-a', role: 'machine-controller-manager', loops: 'main', due: true },
  { name: 'csi-driver-controller-a', role: 'csi', loops: 'sidecar', due: true },
  { name: 'gardener-resource-manager-a', role: 'gardener-resource-manager', loops: 'init', due: true },
  { name: 'gardener-resource-manager-b', role: 'gardener-resource-manager' },
  { name: 'cloud-controller-manager-a', role: 'cloud-controller-manager' },
  { name: 'vpn-seed-server-a', role: 'vpn', loops: 'main', ending: true },
];

const due = crowd.filter((pod) => pod.due === true);
const recoveries = new Map<string, Recovering>();
const requests = new Map<string, number>();
const mistakes: string[] = [];
/** Called after a request came; its entry is in the log already. */
let onRequest: () => void = () => undefined;
let rounds = 0;
let size: WeededSeedSize | undefined;

const seed = await startEmbeddedSeed({
  clock,
  chance: seededChance(Number(process.env['SEED'] ?? 1)),
  config: await readConfig(gardenerConfigFile),
  shoots: 0,
  nodes: 0,
  authorize: ({ namespace, resource }) => {
    onRequest();
    // Gardener does not let the weeder write events into the namespaces of control planes.
    return resource !== 'events' || namespace === 'garden';
  },
});
const { storage } = seed.api;
const pods = storage.store.of(kinds.pod);
const plain = new PlainDependants(seed, clock);

const commands = {
  /** Answers the namespaces of the services that come back. */
  start(wanted: WeededSeedSize): Readonly<{ kubeconfig: string; namespaces: readonly string[] }> {
    size = wanted;
    populate(wanted);
    return { kubeconfig: seed.kubeconfig, namespaces: namesOf('shoot', wanted.namespaces) };
  },
  /** The first namespace's first service goes down; `afresh`: once no window is open. */
  async fail(afresh: boolean): Promise<void> {
    // One watch is the EndpointSlices'.
    if (afresh) while (seed.api.watches > 1) await pause(5);
    fail();
  },
  /** It comes back, with new crash-looping pods: milliseconds from the stored EndpointSlice to the first DELETE; undefined where none came in 5 s. */
  recover: recoverOnce,
  /** All services but those that are never to come back. */
  recoverAll(): WeededSeedReport {
    for (const namespace of namesOf('shoot', size?.namespaces ?? 0)) recover(namespace);
    return report();
  },
  report,
};
export type WeededSeedCommands = typeof commands;
serve(commands);

function namesOf(kind: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${kind}--bench--${String(index + 1).padStart(4, '0')}`);
}

function populate({ namespaces, forsaken, services, available }: WeededSeedSize): void {
  for (const namespace of [...namesOf('shoot', namespaces), ...namesOf('forsaken', forsaken)]) {
    for (const pod of crowd) {
      const now = clock.now();
      const made = createObject(storage, kinds.pod, crowdedPod(pod, { namespace, now, calm: available }));
      if (pod.ending === true && !available) removeObject(storage, kinds.pod, made);
    }
    for (const service of services) storeSlice(namespace, service, available);
  }
}

function storeSlice(namespace: string, service: string, ready: boolean): void {
  plain.slice(namespace, service, [ready, ready], `${service}-x7k2p`);
}

function recover(namespace: string, suffix = ''): void {
  const names = new Set(due.map(({ name }) => name + suffix));
  for (const [index, service] of (size?.services ?? []).entries()) {
    if (index === 0) recoveries.set(namespace, { availableAt: clock.now(), deletedAt: [], due: names });
    storeSlice(namespace, service, true);
  }
}

function theOne(): Readonly<{ namespace: string; service: string }> {
  const [namespace = ''] = namesOf('shoot', 1);
  const [service = ''] = size?.services ?? [];
  return { namespace, service };
}

function fail(): void {
  const { namespace, service } = theOne();
  for (const { name } of due) pods.remove(objectKey(namespace, name + suffixOf(rounds)));
  storeSlice(namespace, service, false);
}

async function recoverOnce(): Promise<number | undefined> {
  const { namespace } = theOne();
  readLog();
  rounds += 1;
  const suffix = suffixOf(rounds);
  for (const pod of due) createObject(storage, kinds.pod, crowdedPod(pod, { namespace, now: clock.now(), suffix }));
  // What crash-loops has done so for longer than a watch takes to tell of it.
  await pause(50);
  const over = Promise.withResolvers<void>();
  onRequest = () => {
    readLog();
    if (recoveries.get(namespace)?.due.size === 0) over.resolve();
  };
  recover(namespace, suffix);
  await Promise.race([over.promise, pause(5_000, undefined, { ref: false })]);
  onRequest = () => undefined;
  const { deletedAt = [], availableAt = NaN } = recoveries.get(namespace) ?? {};
  const [first] = deletedAt;
  return first === undefined ? undefined : first - availableAt;
}

function suffixOf(round: number): string {
  return round === 0 ? '' : `-${round}`;
}

/** Sorts what came since the last time. */
function readLog(): void {
  for (const seen of seed.api.requests.take()) {
    const words = `${seen.verb} ${seen.resource}`;
    requests.set(words, (requests.get(words) ?? 0) + 1);
    if (seen.verb === 'delete') takeDeletion(seen);
  }
}

function takeDeletion({ namespace, name, at }: SeenRequest): void {
  const recovery = recoveries.get(namespace);
  if (recovery?.due.delete(name) === true) recovery.deletedAt.push(at);
  else mistakes.push(`${namespace}/${name} was deleted though it was not due, or not any more`);
}

function report(): WeededSeedReport {
  readLog();
  const { user, system } = process.cpuUsage();
  return {
    recoveries: [...recoveries].map(([namespace, { availableAt, deletedAt, due: waiting }]) => {
      return { namespace, availableAt, deletedAt, left: waiting.size };
    }),
    requests: Object.fromEntries(requests),
    mistakes,
    watches: seed.api.watches,
    // Nothing else in this process opens sockets.
    openConnections: process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length,
    madeConnections: seed.api.connections,
    cpuSeconds: (user + system) / 1e6,
  };
}

type Making = Readonly<{
  namespace: string;
  now: Instant;
  /** Of its name. */
  suffix?: string;
  /** Whatever it does in an outage, now it runs. */
  calm?: boolean;
}>;

/** As large as a control plane's pod usually is, 12 KB of JSON, so that lists and watches cost what they do. */
function crowdedPod(
  { name, role, ...pod }: CrowdedPod,
  { namespace, now, suffix = '', calm = false }: Making,
): JsonObject {
  const loops = calm ? undefined : pod.loops;
  const main = loops === 'main' ? crashLoopingContainer(role, now) : runningContainer(role, now);
  const other = loops === undefined || loops === 'main' ? [] : [crashLoopingContainer('other', now, loops)];
  const labels = { 'gardener.cloud/role': 'controlplane', app: 'kubernetes', role };
  const drawn = podObject({ name: name + suffix, namespace, now, labels, containers: [...other, main] });
  const env = Array.from({ length: 60 }, (_, index) => ({
    name: `SETTING_OF_THE_CONTROL_PLANE_${index}`,
    value: `a value of some length that nobody reads ${index}`,
  }));
  const spec = asObject(drawn['spec']);
  const [first, ...rest] = spec['containers'] as readonly JsonObject[];
  const fields = Object.fromEntries(env.map(({ name }) => [`k:{"name":"${name}"}`, { '.': {}, 'f:value': {} }]));
  const managedFields = [{ manager: 'kube-controller-manager', operation: 'Update', fieldsV1: { 'f:env': fields } }];
  return {
    ...drawn,
    metadata: { ...asObject(drawn['metadata']), managedFields },
    spec: { ...spec, containers: [{ ...first, env }, ...rest] },
  };
}
