import { granteeOf, permissionsOf, permissionText, permits, type GrantFile } from '@dwd/testing/gardener-rbac.ts';
import type { Audited } from './audited.ts';

const grantFiles: readonly GrantFile[] = ['base/prober/rbac.yaml', 'base/weeder/rbac.yaml', 'shoot/rbac.yaml'];

/** Every permission by its words, with the file that grants it. */
export const granted = new Map(
  grantFiles.flatMap((file) =>
    permissionsOf(file).map((permission) => [permissionText(file, permission), { file, permission }] as const),
  ),
);

/** One permission, and how often it was made use of. */
type Row = Readonly<{ text: string; role: string; uses: number }>;

type PrivilegeReport = Readonly<{
  rows: readonly Row[];
  used: ReadonlySet<string>;
  /** What was refused, and to whom: `prober: create events in shoot--x`. */
  refused: ReadonlySet<string>;
  /** What was answered although no permission of ours covers it. Always empty, or the manifests are not what was applied. */
  unexplained: readonly Audited[];
}>;

/** Lays what was asked of seed and shoot beside what is granted. */
export function privilegeReport(audited: readonly Audited[]): PrivilegeReport {
  const uses = new Map<string, number>();
  const refused = new Set<string>();
  const unexplained: Audited[] = [];
  const users = new Map(grantFiles.map((file) => [granteeOf(file), file]));
  for (const one of audited) {
    const file = users.get(one.user);
    if (file === undefined) continue;
    if (one.forbidden) {
      refused.add(refusalText(file, one));
      continue;
    }
    const found = permissionsOf(file).find((permission) => permits(permission, one));
    if (found === undefined || !one.grantedBy.includes(`"${found.roleName}"`)) unexplained.push(one);
    else {
      const text = permissionText(file, found);
      uses.set(text, (uses.get(text) ?? 0) + 1);
    }
  }
  const rows = [...granted].map(
    ([
      text,
      {
        permission: { role, roleName, namespace },
      },
    ]) => ({
      text,
      role: `${role} ${namespace === '' ? '' : `${namespace}/`}${roleName}`,
      uses: uses.get(text) ?? 0,
    }),
  );
  return { rows, used: new Set(uses.keys()), refused, unexplained };
}

function refusalText(file: GrantFile, { verb, group, resource, namespace }: Audited): string {
  const where = namespace === '' ? '' : ` in ${namespace}`;
  const who = granteeOf(file).split('dependency-watchdog-').at(-1);
  return `${who}: ${verb} ${group === '' ? '' : `${group}/`}${resource}${where}`;
}

/** For people: what is granted, by role, with the uses, or why there are none. */
export function reportTable({ rows }: PrivilegeReport, reasons: Readonly<Record<string, string>>): string {
  const width = Math.max(...rows.map(({ text }) => text.length));
  const lines = rows.map(({ text, role, uses }, index) => {
    const heading = rows[index - 1]?.role === role ? [] : [`\n${role}`];
    const told = uses > 0 ? `used ${uses} times` : `not used: ${reasons[text] ?? 'NO REASON IS KNOWN'}`;
    return [...heading, `  ${text.padEnd(width)}  ${told}`].join('\n');
  });
  return `${lines.join('\n')}\n`;
}

/**
 * What Gardener grants and this program makes no use of, each with its reason: its roles were written for the Go watchdog, whose
 * caches and clients ask otherwise. Reviewed by hand; the test of least privilege fails where a permission is missing here or
 * is used after all.
 */
export const unusedGrants: Readonly<Record<string, string>> = {
  ...because('a list and a watch tell all', [
    'prober: get secrets',
    'weeder: get pods',
    'weeder: get discovery.k8s.io/endpointslices',
  ]),
  ...because('a Cluster bears the name of its namespace, and nothing else is asked of that', [
    'prober: get namespaces',
    'prober: list namespaces',
    'prober: watch namespaces',
  ]),
  ...because('writes are patches', ['prober: update apps/deployments']),
  ...because('a Deployment itself takes annotations and replicas in one write', [
    'prober: get apps/deployments/scale',
    'prober: list apps/deployments/scale',
    'prober: watch apps/deployments/scale',
    'prober: update apps/deployments/scale',
    'prober: patch apps/deployments/scale',
  ]),
  ...because('Machines are listed when a verdict depends on them', [
    'prober: get machine.sapcloud.io/machines',
    'prober: watch machine.sapcloud.io/machines',
  ]),
  ...because('events are told on control planes, and none of a shoot lies in garden', [
    'prober in garden: create events',
  ]),
  ...because('an event is written once, and never counted up', [
    'prober in garden: get events',
    'prober in garden: update events',
    'prober in garden: patch events',
    'weeder in garden: get events',
    'weeder in garden: update events',
    'weeder in garden: patch events',
  ]),
  ...because('one list has them all', ['probe in kube-node-lease: get coordination.k8s.io/leases', 'probe: get nodes']),
};

/** What is used only where something fails, as it may here on a busy machine. */
export const grantsForFailures = because('a Cluster is asked for while the stream of them is out (3.5)', [
  'prober: get extensions.gardener.cloud/clusters',
]);

function because(reason: string, permissions: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(permissions.map((one) => [one, reason]));
}
