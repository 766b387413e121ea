import * as z from 'zod';
import type { ClusterReading, ClusterView } from './cluster-view.ts';
import { readGoDuration } from './go-duration.ts';

/** Go leaves an unset field out or writes null. */
const Flag = z.boolean().nullish();
const Text = z.string().nullish();

// No duration is longer than this; what is told about a text must not keep megabytes of it in memory.
const longestGrace = 64;

const Grace = z.string().transform((text, found) => {
  const read = text.length > longestGrace ? ({ ok: false, because: 'it is too long' } as const) : readGoDuration(text);
  if (read.ok && read.ms > 0) return read.ms;
  found.addIssue({ code: 'custom', message: read.ok ? 'must be above 0' : `is no duration: ${read.because}` });
  return z.NEVER;
});

const Worker = z.object({
  name: Text,
  machineControllerManager: z.object({ nodeConditions: z.array(z.string()).nullish() }).nullish(),
});

const Shoot = z.object({
  metadata: z.object({ deletionTimestamp: z.unknown().optional() }).nullish(),
  spec: z
    .object({
      hibernation: z.object({ enabled: Flag }).nullish(),
      provider: z.object({ workers: z.array(Worker).nullish() }).nullish(),
      kubernetes: z
        .object({ kubeControllerManager: z.object({ nodeMonitorGracePeriod: Grace.nullish() }).nullish() })
        .nullish(),
    })
    .nullish(),
  status: z
    .object({
      hibernated: Flag,
      lastOperation: z.object({ type: Text, state: Text }).nullish(),
    })
    .nullish(),
});

const Cluster = z.object({ spec: z.object({ shoot: Shoot }) });

/**
 * Reads a `clusters.extensions.gardener.cloud/v1alpha1` (SPEC 3, 3.4). Anything may come in; a field that SPEC 3 names
 * and that holds something else than it should makes the whole unreadable, since a guess might scale a shoot that must
 * be left alone. Whatever it does not name is neither looked at nor kept.
 */
export function readCluster(object: unknown): ClusterReading {
  const read = Cluster.safeParse(object, { reportInput: true });
  return read.success
    ? { readable: true, cluster: viewOf(read.data.spec.shoot) }
    : { readable: false, problem: sentenceOf(read.error.issues[0]) };
}

function viewOf({ metadata, spec, status }: z.output<typeof Shoot>): ClusterView {
  const { type, state } = status?.lastOperation ?? {};
  const grace = spec?.kubernetes?.kubeControllerManager?.nodeMonitorGracePeriod;
  return {
    deleting: (metadata?.deletionTimestamp ?? null) !== null,
    hibernationEnabled: spec?.hibernation?.enabled ?? false,
    hibernated: status?.hibernated ?? false,
    ...(type ? { lastOperation: { type, state: state ?? '' } } : {}),
    workers: (spec?.provider?.workers ?? []).map(workerOf),
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
