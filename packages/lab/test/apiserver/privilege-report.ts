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

export type PrivilegeReport = Readonly<{
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
