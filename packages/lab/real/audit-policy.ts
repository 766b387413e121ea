const judged = [
  { group: 'apps', resources: ['deployments'] },
  { group: 'coordination.k8s.io', resources: ['leases'] },
  { group: 'extensions.gardener.cloud', resources: ['clusters'] },
];

/**
 * The text of a policy that logs requests of everybody but the server itself. A watch has one line when it begins and one when it ends.
 * `bodies`: with what was sent and answered, where Deployments, leases or Clusters are written.
 */
export const auditPolicy = (bodies: boolean): string =>
  JSON.stringify({
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    omitManagedFields: true,
    rules: [
      { level: 'None', users: ['system:apiserver'] },
      ...(bodies
        ? [{ level: 'RequestResponse', verbs: ['create', 'update', 'patch', 'delete'], resources: judged }]
        : []),
      { level: 'Metadata' },
    ],
  });
