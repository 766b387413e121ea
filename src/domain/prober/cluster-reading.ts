import * as z from 'zod';
import type { ClusterReading, ClusterView } from './cluster-view.ts';
import { readGoDuration } from '../go-duration.ts';
import { longestCondition, longestPool } from '../names.ts';
import { valueAt } from '../value-at.ts';

/** Go leaves an unset field out or writes null. */
const Flag = z.boolean().nullish();
const Text = (longest: number) => z.string().max(longest, `is longer than ${longest} characters`).nullish();

// What the shoot's owner wrote is kept as long as the shoot is there. It is journaled, and compared with what comes next, so
// its number and length are bounded (SPEC 4.7). A Cluster beyond a bound counts as unreadable: part of a list might lack the
// condition that makes a node count as unhealthy, and to scale by that would be a guess. No honest shoot comes near.

/** Gardener's largest shoots have some dozens of pools. */
const mostWorkers = 1_000;
/** Of all pools together; the defaults are 4 a pool. */
const mostConditions = 2_048;
/** Gardener's longest are `LiveMigrate` and `Processing`. */
const longestOperation = 63;

// No duration is longer than this. A message about a text must not keep megabytes of it in memory.
const longestGrace = 64;

const Grace = z.string().transform((text, found) => {
  const read = text.length > longestGrace ? ({ ok: false, because: 'it is too long' } as const) : readGoDuration(text);
  if (read.ok && read.ms > 0) return read.ms;
  found.addIssue({ code: 'custom', message: read.ok ? 'must be above 0' : `is no duration: ${read.because}` });
  return z.NEVER;
});

const Condition = z.string().max(longestCondition, `is longer than ${longestCondition} characters`);

const Worker = z.object({
  name: Text(longestPool),
  machineControllerManager: z.object({ nodeConditions: z.array(Condition).nullish() }).nullish(),
  controlPlane: z.unknown().optional(),
});

/** Counted before anything in them is read: a million wrong entries would make a million problems. */
const Workers = z.preprocess((workers, found) => {
  const problem = excessOf(workers);
  if (problem === undefined) return workers;
  found.addIssue({ code: 'custom', message: problem });
  return z.NEVER;
}, z.array(Worker).nullish());

function excessOf(workers: unknown): string | undefined {
  if (!Array.isArray(workers)) return undefined;
  if (workers.length > mostWorkers) return `has more than ${mostWorkers} entries`;
  const counts = workers.map((worker) => valueAt(worker, 'machineControllerManager', 'nodeConditions'));
  const conditions = counts.reduce<number>((sum, one) => sum + (Array.isArray(one) ? one.length : 0), 0);
  return conditions > mostConditions ? `names more than ${mostConditions} node conditions` : undefined;
}

const Shoot = z.object({
  metadata: z.object({ deletionTimestamp: z.unknown().optional() }).nullish(),
  spec: z
    .object({
      hibernation: z.object({ enabled: Flag }).nullish(),
      provider: z.object({ workers: Workers }).nullish(),
      kubernetes: z
        .object({ kubeControllerManager: z.object({ nodeMonitorGracePeriod: Grace.nullish() }).nullish() })
        .nullish(),
    })
    .nullish(),
  status: z
    .object({
      hibernated: Flag,
      lastOperation: z.object({ type: Text(longestOperation), state: Text(longestOperation) }).nullish(),
    })
    .nullish(),
});

const Cluster = z.object({ spec: z.object({ shoot: Shoot }) });

/** The members of a Cluster, and of these members, that are read of it (as of ListReader): its cloud profile and its seed are not. */
export const clusterParts: ReadonlySet<string> = new Set(['metadata', 'spec', 'shoot']);

/**
 * Reads a `clusters.extensions.gardener.cloud/v1alpha1` (SPEC 3, 3.4). Any value may come in. A field that SPEC 3 names
 * makes the whole Cluster unreadable where it holds something wrong or is beyond its limit: a guess might scale a shoot that
 * must be left alone. Other fields are neither read nor kept.
 */
export function readCluster(object: unknown): ClusterReading {
  const read = Cluster.safeParse(object, { reportInput: true });
  return read.success
    ? { readable: true, cluster: viewOf(read.data.spec.shoot) }
    : { readable: false, problem: sentenceOf(read.error.issues[0]) };
}

function viewOf({ metadata, spec, status }: z.output<typeof Shoot>): ClusterView {
  const { type, state } = status?.lastOperation ?? {};
  const workers = spec?.provider?.workers ?? [];
  const grace = spec?.kubernetes?.kubeControllerManager?.nodeMonitorGracePeriod;
  return {
    deleting: (metadata?.deletionTimestamp ?? null) !== null,
    hibernationEnabled: spec?.hibernation?.enabled ?? false,
    hibernated: status?.hibernated ?? false,
    ...(type ? { lastOperation: { type, state: state ?? '' } } : {}),
    workers: workers.map(workerOf),
    ...(workers.some(({ controlPlane }) => (controlPlane ?? null) !== null) ? { selfHosted: true } : {}),
    ...(typeof grace === 'number' ? { nodeMonitorGrace: grace } : {}),
  };
}

function workerOf({ name, machineControllerManager }: z.output<typeof Worker>): ClusterView['workers'][number] {
  const nodeConditions = machineControllerManager?.nodeConditions ?? [];
  return { name: name ?? '', ...(nodeConditions.length > 0 ? { nodeConditions } : {}) };
}

/** `spec.shoot.spec.provider.workers[0].name should be a text`. */
function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'it cannot be read';
  const place = issue.path.length === 0 ? 'the Cluster' : issue.path.reduce<string>(extended, '');
  if (issue.code !== 'invalid_type') return `${place} ${issue.message.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')}`;
  return (issue.input ?? null) === null
    ? `${place} is missing`
    : `${place} should be ${nouns[issue.expected] ?? issue.expected}`;
}

const nouns: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
};

function extended(place: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${place}[${key}]`;
  return place === '' ? String(key) : `${place}.${String(key)}`;
}
