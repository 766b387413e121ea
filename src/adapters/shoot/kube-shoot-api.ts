import { type NodeView, readNode } from '../../domain/prober/candidates.ts';
import { readLease, type NodeLease, type ServedDate } from '../../domain/prober/node-lease.ts';
import { hasTwoPaths, type ProberConfig } from '../../domain/prober/prober-config.ts';
import type { ShootPath } from '../../domain/prober/shoot-path.ts';
import type { ShootApi } from '../../effects/ports.ts';
import { listPages, type ListAnswer, type ListQuestion } from '../reading/list-pages.ts';
import {
  leasesProbeBytes,
  leasesProbeValues,
  nodesProbeBytes,
  nodesProbeValues,
  pathProbeBytes,
  versionBytes,
} from '../reading/shoot-limits.ts';
import { BoundedBytes } from '../reading/bounded-bytes.ts';
import { garbled } from '../reading/probe-failed.ts';
import { shootProbes, type ShootProbeOptions } from './shoot-probe.ts';
import type { ProbeSecret } from './shoot-access.ts';
import type { ShootConnection } from './shoot-connection.ts';

type ShootList<Item> = Omit<ListQuestion<Item>, 'ask'> & Readonly<{ path: string }>;

/** Characters that stand around a lease, a node, and a condition of a node in an event's JSON. */
const marks = { lease: 40, node: 85, condition: 3 };

const leases: ShootList<NodeLease> = {
  path: '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
  kind: 'LeaseList',
  keeps: new Set(['metadata', 'spec']),
  mostValues: leasesProbeValues,
  read: readLease,
  sizeOf: ({ node }) => node.length + marks.lease,
  // Leases of nodes that are gone grow without end in some clusters. By their age alone none is left out: after a day's outage all are old.
  rankOf: ({ renewedAt }) => renewedAt ?? -Infinity,
};

const nodes: ShootList<NodeView> = {
  path: '/api/v1/nodes',
  kind: 'NodeList',
  keeps: new Set(['metadata', 'labels', 'annotations', 'status', 'conditions']),
  mostValues: nodesProbeValues,
  read: readNode,
  sizeOf: ({ name, pool = '', trueConditions }) =>
    trueConditions.reduce((sum, { length }) => sum + length + marks.condition, name.length + pool.length + marks.node),
};

function listOver<Item>(connection: ShootConnection, list: ShootList<Item>): Promise<ListAnswer<Item>> {
  return listPages({
    ...list,
    ask: async (query, take) => {
      await connection.get(`${list.path}?${new URLSearchParams(query).toString()}`, take);
    },
  });
}

/** The shoots' API servers, over HTTPS (SPEC 4.1 to 4.8). Never rejects: everything that a shoot does is an answer. */
export function kubeShootApi(options: ShootProbeOptions & Readonly<{ config: ProberConfig }>): ShootApi {
  const probe = shootProbes(options);
  const secrets = secretsOf(options.config);
  const secret = secrets.internal;
  return {
    async askPath(shoot, path, deadlineAt, signal, by) {
      const only = { part: 'only', stage: path, mostBytes: pathProbeBytes } as const;
      const answer = await probe({ shoot, secret: secrets[path], deadlineAt, by, signal, ...only }, askVersion);
      return answer.ok ? undefined : answer.failure;
    },
    listLeases: (shoot, deadlineAt, signal, by) =>
      probe(
        { shoot, secret, deadlineAt, by, signal, part: 'first', stage: 'version', mostBytes: leasesProbeBytes },
        async (connection, enter) => {
          const served = await askVersion(connection);
          enter('leases');
          const { items, leftOut } = await listOver(connection, leases);
          return {
            leases: items,
            ...(leftOut === 0 ? {} : { leftOut }),
            ...(served === undefined ? {} : { served }),
            ...(connection.serverIsNew() ? { serverIsNew: true } : {}),
          };
        },
      ),
    listNodes: (shoot, deadlineAt, signal) =>
      probe(
        { shoot, secret, deadlineAt, signal, part: 'last', stage: 'nodes', mostBytes: nodesProbeBytes },
        async (connection) => (await listOver(connection, nodes)).items,
      ),
  };
}

/** Where one Secret is all, both paths lead over it. */
function secretsOf(config: ProberConfig): Readonly<Record<ShootPath, ProbeSecret>> {
  if (!hasTwoPaths(config)) {
    const only = { name: config.kubeConfigSecretName, key: 'kubeConfigSecretName' } as const;
    return { internal: only, external: only };
  }
  return {
    internal: { name: config.internalKubeConfigSecretName, key: 'internalKubeConfigSecretName' },
    external: { name: config.externalKubeConfigSecretName, key: 'externalKubeConfigSecretName' },
  };
}

/**
 * Asks for `/version`, which every authenticated user may read (SPEC 4.3). Any 2xx with a JSON object is enough, as for client-go. It
 * shows that an API server answers, and not a load balancer in its place. Returns the date of the answer, a second opinion on what
 * time it is (SPEC 5.1). Rejects with ProbeFailed.
 */
async function askVersion(connection: ShootConnection): Promise<ServedDate | undefined> {
  const body = new BoundedBytes(versionBytes, 'the answer to /version');
  const served = await connection.get('/version', (chunk) => body.add(chunk));
  if (!isJsonObject(body.take())) throw garbled('the answer to /version is no JSON object');
  return served;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
