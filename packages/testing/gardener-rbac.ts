import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import type { AccessAsked } from '@dwd/simulator/api/access.ts';

/** The files in `deploy/` that say what Gardener grants. */
export type GrantFile = 'base/prober/rbac.yaml' | 'base/weeder/rbac.yaml' | 'shoot/rbac.yaml';

export type Rule = Readonly<{
  apiGroups: readonly string[];
  resources: readonly string[];
  resourceNames?: readonly string[];
  verbs: readonly string[];
}>;

/** An object of a file, as it is applied. */
type Granting = Readonly<{
  apiVersion: string;
  kind: 'ServiceAccount' | 'ClusterRole' | 'ClusterRoleBinding' | 'Role' | 'RoleBinding';
  metadata: Readonly<{ name: string; namespace?: string }>;
  rules?: readonly Rule[];
}>;

/** One verb on one resource, as one rule of one role permits it. */
export type Permission = Readonly<{
  role: 'ClusterRole' | 'Role';
  roleName: string;
  /** The namespace in which it holds; empty: everywhere, and for objects without a namespace. */
  namespace: string;
  group: string;
  /** With its subresource: `deployments/scale`. */
  resource: string;
  verb: string;
  /** Empty: of whatever name. */
  names: readonly string[];
}>;

/** The objects of a file, in its order. */
export function grantingsOf(file: GrantFile): readonly Granting[] {
  const text = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as Granting);
}

/** The user that a file's permissions are for. */
export function granteeOf(file: GrantFile): string {
  const account = grantingsOf(file).find(({ kind }) => kind === 'ServiceAccount');
  if (account === undefined) throw new Error(`${file} has no ServiceAccount`);
  return `system:serviceaccount:${account.metadata.namespace}:${account.metadata.name}`;
}

/** All that a file permits, taken apart: each verb on each resource. */
export function permissionsOf(file: GrantFile): readonly Permission[] {
  return grantingsOf(file).flatMap(({ kind, metadata, rules = [] }) => {
    if (kind !== 'Role' && kind !== 'ClusterRole') return [];
    const where = { role: kind, roleName: metadata.name, namespace: metadata.namespace ?? '' } as const;
    return rules.flatMap(({ apiGroups, resources, verbs, resourceNames: names = [] }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => ({ ...where, group, resource, verb, names }))),
      ),
    );
  });
}

/** Whether this permission is enough for what is asked, as RBAC sees it. */
export function permits(
  { namespace, group, resource, verb, names }: Permission,
  asked: Readonly<Record<'verb' | 'group' | 'resource' | 'namespace' | 'name', string>>,
): boolean {
  return (
    (namespace === '' || namespace === asked.namespace) &&
    group === asked.group &&
    resource === asked.resource &&
    verb === asked.verb &&
    // A watch on one name is asked of the collection, and RBAC takes the name from its field selector.
    (names.length === 0 || names.includes(asked.name) || (verb === 'watch' && asked.name === ''))
  );
}

/** `weeder in garden: create events`: how a permission is spoken of. */
export function permissionText(file: GrantFile, { namespace, verb, group, resource }: Permission): string {
  const who = granteeOf(file).split('dependency-watchdog-').at(-1);
  const where = namespace === '' ? '' : ` in ${namespace}`;
  return `${who}${where}: ${verb} ${group === '' ? '' : `${group}/`}${resource}`;
}

/** The identities of prober and weeder, as Gardener names them. */
export const seedUser = granteeOf('base/prober/rbac.yaml');
export const weederUser = granteeOf('base/weeder/rbac.yaml');
export const shootUser = granteeOf('shoot/rbac.yaml');

const plurals = {
  ServiceAccount: 'serviceaccounts',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
} as const;

/** The path of an object of the manifests, or of its collection. */
export function pathOf({ apiVersion, kind, metadata: { namespace } }: Granting, name?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const within = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${root}${within}/${plurals[kind]}${name === undefined ? '' : `/${name}`}`;
}

const granted = {
  prober: permissionsOf('base/prober/rbac.yaml'),
  weeder: permissionsOf('base/weeder/rbac.yaml'),
};

/** Whether Gardener's RBAC lets the role do this in the seed. Everything that is not named is forbidden. */
export function gardenerGrants(asked: AccessAsked, role: RoleName = 'prober'): boolean {
  const isServerItself = asked.resource.startsWith('/') && asked.verb === 'get';
  return isServerItself || granted[role].some((permission) => permits(permission, asked));
}
