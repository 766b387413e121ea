import type { Dependant } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { Trouble } from './trouble.ts';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { numberAt, textAt, valueAt } from 'dependency-watchdog/domain/value-at.ts';

/** A trouble as it befell; instants in ms. `where`: the shoot's namespace, and what of it (a node, a dependant). */
export type StruckTrouble = Readonly<{
  kind: Trouble['kind'];
  of: Trouble['of'];
  namespace?: string;
  name?: string;
  from: number;
  to: number;
}>;

/** What a write made of a Deployment, as the seed's audit log has it. `by`: the prober's pod, or undefined if it was somebody else. */
export type Written = Readonly<{
  at: number;
  by: string | undefined;
  namespace: string;
  name: string;
  /** Undefined where it was deleted. */
  replicas: number | undefined;
  annotations: Readonly<Record<string, string>>;
}>;

/** A write of the election's Lease that succeeded. `holds`: whether it names a holder. */
type Led = Readonly<{ at: number; by: string | undefined; holds: boolean }>;

/** A lease of a node as a shoot's audit log has it: written at `at`, with this time in it. */
type Renewed = Readonly<{ at: number; namespace: string; node: string; renewTime: number }>;

/** A shoot that no write may go to, by its Cluster in the seed's audit log: it was hibernated or gone. */
type Away = Readonly<{ namespace: string; from: number; to: number }>;

/** A prober that ended though nobody here ended it. */
export type Fallen = Readonly<{ at: number; pod: string; how: string }>;

export type Marked = Readonly<{ at: number; namespace: string; node: string }>;

/** All that a night is judged by; each list by its instants. */
export type Facts = Readonly<{
  struck: readonly StruckTrouble[];
  written: readonly Written[];
  led: readonly Led[];
  renewed: readonly Renewed[];
  marked: readonly Marked[];
  away: readonly Away[];
  fallen: readonly Fallen[];
  /** What was not as it should be at the end, once all had time to come back. */
  notAsBefore: readonly string[];
}>;

/** How the prober judges, which dependants it scales, and how many nodes a shoot has. */
export type Judged = Readonly<{
  graceMillis: number;
  failureFraction: number;
  dependants: readonly Pick<Dependant, 'ref' | 'scaleDown' | 'scaleUp'>[];
  nodes: number;
}>;

/** Which pod of the prober a request came from: Kubernetes puts the pod that a token is bound to into the audit log. Undefined: somebody else. */
function podOf(event: unknown): string | undefined {
  const pods = valueAt(event, 'user', 'extra', 'authentication.kubernetes.io/pod-name');
  return Array.isArray(pods) && typeof pods[0] === 'string' ? pods[0] : undefined;
}

type Event = Readonly<{ at: number; verb: string; resource: string; event: unknown }>;

/** The writes that succeeded, in their order, of an audit log that has bodies. */
async function writesOf(file: string, resource: string): Promise<readonly Event[]> {
  const writes: Event[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    // A server that was killed leaves half a line.
    if (!line.endsWith('}') || !line.includes(`"resource":"${resource}"`)) continue;
    const event: unknown = JSON.parse(line);
    const verb = textAt(event, 'verb');
    const code = numberAt(event, 'responseStatus', 'code') ?? 0;
    if (!['create', 'update', 'patch', 'delete'].includes(verb) || code < 200 || code > 299) continue;
    if (textAt(event, 'stage') !== 'ResponseComplete' || textAt(event, 'objectRef', 'subresource') === 'status')
      continue;
    writes.push({ at: Date.parse(textAt(event, 'stageTimestamp')), verb, resource, event });
  }
  return writes.toSorted((one, other) => one.at - other.at);
}

/** What was written of the Deployments of a seed. */
export async function writtenIn(file: string): Promise<readonly Written[]> {
  const writes = await writesOf(file, 'deployments');
  return writes.map(({ at, verb, event }) => ({
    at,
    by: podOf(event),
    namespace: textAt(event, 'objectRef', 'namespace'),
    // Who creates names it in the object alone.
    name: textAt(event, 'objectRef', 'name') || textAt(event, 'responseObject', 'metadata', 'name'),
    replicas: verb === 'delete' ? undefined : numberAt(event, 'responseObject', 'spec', 'replicas'),
    annotations: (valueAt(event, 'responseObject', 'metadata', 'annotations') ?? {}) as Readonly<
      Record<string, string>
    >,
  }));
}

/** When shoots were hibernated or gone; `now` ends what is still going on. */
export async function awayIn(file: string, now: number): Promise<readonly Away[]> {
  const since = new Map<string, number>();
  const away: Away[] = [];
  for (const { at, verb, event } of await writesOf(file, 'clusters')) {
    const namespace = textAt(event, 'objectRef', 'name') || textAt(event, 'responseObject', 'metadata', 'name');
    const sleeps = valueAt(event, 'responseObject', 'spec', 'shoot', 'spec', 'hibernation', 'enabled') === true;
    const from = since.get(namespace);
    if (verb === 'delete' || sleeps) since.set(namespace, from ?? at);
    else if (from !== undefined) {
      away.push({ namespace, from, to: at });
      since.delete(namespace);
    }
  }
  return [...away, ...[...since].map(([namespace, from]) => ({ namespace, from, to: now }))];
}

/** Who wrote the Lease of the election. */
export async function ledIn(file: string, lease: string): Promise<readonly Led[]> {
  const writes = await writesOf(file, 'leases');
  return writes
    .filter(({ event }) => textAt(event, 'responseObject', 'metadata', 'name') === lease)
    .map(({ at, event }) => ({
      at,
      by: podOf(event),
      holds: textAt(event, 'responseObject', 'spec', 'holderIdentity') !== '',
    }));
}

/** The leases of nodes that a shoot's API server took. */
export async function renewedIn(file: string, namespace: string): Promise<readonly Renewed[]> {
  const writes = await writesOf(file, 'leases');
  return writes
    .filter(({ event }) => textAt(event, 'objectRef', 'namespace') === 'kube-node-lease')
    .map(({ at, event }) => ({
      at,
      namespace,
      node: textAt(event, 'responseObject', 'metadata', 'name'),
      renewTime: Date.parse(textAt(event, 'responseObject', 'spec', 'renewTime')),
    }));
}
