import type { RoleName } from '../../src/commands/role/role.ts';
import type { AccessAsked } from '../../src/simulator/authorize.ts';

/** A list of names stands for RBAC's `resourceNames`. */
type Rules = readonly Readonly<{
  resources: readonly string[];
  verbs: readonly string[];
  only?: readonly string[];
}>[];

const reading = ['get', 'list', 'watch'];

/** What Gardener's roles grant in the seed. */
const rules: Readonly<Record<RoleName, Rules>> = {
  prober: [
    { resources: ['extensions.gardener.cloud/clusters'], verbs: reading },
    { resources: ['/namespaces', '/secrets'], verbs: reading },
    { resources: ['apps/deployments', 'apps/deployments/scale'], verbs: [...reading, 'update', 'patch'] },
    { resources: ['machine.sapcloud.io/machines'], verbs: reading },
  ],
  weeder: [
    { resources: ['/pods'], verbs: [...reading, 'delete'] },
    { resources: ['discovery.k8s.io/endpointslices'], verbs: reading },
  ],
};

function rulesInGarden(role: RoleName): Rules {
  // A watch on one name is asked of the collection, and RBAC takes the name from its field selector.
  const only = [`dwd-${role}-leader-election`, ''];
  return [
    { resources: ['coordination.k8s.io/leases'], verbs: ['create'] },
    { resources: ['coordination.k8s.io/leases'], verbs: ['get', 'watch', 'update'], only },
    { resources: ['/events'], verbs: ['create', 'get', 'update', 'patch'] },
  ];
}

/** Whether Gardener's RBAC lets the role do this in the seed: nothing that is not named is permitted. */
export function gardenerGrants(
  { verb, group, resource, namespace, name }: AccessAsked,
  role: RoleName = 'prober',
): boolean {
  const isServerItself = resource.startsWith('/') && verb === 'get';
  return (
    isServerItself ||
    [...rules[role], ...(namespace === 'garden' ? rulesInGarden(role) : [])].some(
      ({ resources, verbs, only }) =>
        resources.includes(`${group}/${resource}`) &&
        verbs.includes(verb) &&
        (only === undefined || only.includes(name)),
    )
  );
}
