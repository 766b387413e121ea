import type { AccessAsked } from '../../src/simulator/authorize.ts';

const reading = ['get', 'list', 'watch'];
const lease = 'dwd-prober-leader-election';

/** What Gardener's roles grant the prober in the seed; a list of names stands for RBAC's `resourceNames`. */
const rules: readonly Readonly<{ resources: readonly string[]; verbs: readonly string[]; only?: readonly string[] }>[] =
  [
    { resources: ['extensions.gardener.cloud/clusters'], verbs: reading },
    { resources: ['/namespaces', '/secrets'], verbs: reading },
    { resources: ['apps/deployments', 'apps/deployments/scale'], verbs: [...reading, 'update', 'patch'] },
    { resources: ['machine.sapcloud.io/machines'], verbs: reading },
  ];

const rulesInGarden: typeof rules = [
  { resources: ['coordination.k8s.io/leases'], verbs: ['create'] },
  // A watch on one name is asked of the collection, and RBAC takes the name from its field selector.
  { resources: ['coordination.k8s.io/leases'], verbs: ['get', 'watch', 'update'], only: [lease, ''] },
  { resources: ['/events'], verbs: ['create', 'get', 'update', 'patch'] },
];

/** Whether Gardener's RBAC lets the prober do this in the seed: nothing that is not named is permitted. */
export function gardenerGrants({ verb, group, resource, namespace, name }: AccessAsked): boolean {
  const isServerItself = resource.startsWith('/') && verb === 'get';
  return (
    isServerItself ||
    [...rules, ...(namespace === 'garden' ? rulesInGarden : [])].some(
      ({ resources, verbs, only }) =>
        resources.includes(`${group}/${resource}`) &&
        verbs.includes(verb) &&
        (only === undefined || only.includes(name)),
    )
  );
}
