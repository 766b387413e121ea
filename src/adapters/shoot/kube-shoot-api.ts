import { readLease } from '../../domain/lease-reading.ts';
import { readNode } from '../../domain/node-reading.ts';
import type { ShootApi } from '../../effects/ports.ts';
import { askVersion } from './ask-version.ts';
import { listPages } from './list-pages.ts';
import { leasesProbeBytes, nodesProbeBytes } from './shoot-limits.ts';
import { shootProbes, type ShootProbeOptions } from './shoot-probe.ts';

const leases = {
  path: '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
  kind: 'LeaseList',
  read: readLease,
};

const nodes = { path: '/api/v1/nodes', kind: 'NodeList', read: readNode };

/** The shoots' API servers, over HTTPS (SPEC 4.1 to 4.8). Never rejects: whatever a shoot does is an answer. */
export function kubeShootApi(options: ShootProbeOptions): ShootApi {
  const probe = shootProbes(options);
  return {
    listLeases: (shoot, deadlineAt, signal) =>
      probe(
        { shoot, deadlineAt, signal, part: 'first', stage: 'version', mostBytes: leasesProbeBytes },
        async (connection, enter) => {
          await askVersion(connection);
          enter('leases');
          return listPages(connection, leases);
        },
      ),
    listNodes: (shoot, deadlineAt, signal) =>
      probe({ shoot, deadlineAt, signal, part: 'last', stage: 'nodes', mostBytes: nodesProbeBytes }, (connection) =>
        listPages(connection, nodes),
      ),
  };
}
