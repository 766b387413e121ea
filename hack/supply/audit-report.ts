/** What `npm audit --json` prints: a list of faults by severity, or why there is none. */
export type AuditReport = Readonly<{
  metadata?: Readonly<{ vulnerabilities: Readonly<Record<string, number>> }>;
  vulnerabilities?: Readonly<
    Record<
      string,
      Readonly<{
        name: string;
        severity: string;
        range: string;
        via: readonly (string | Readonly<{ title?: string; url?: string }>)[];
      }>
    >
  >;
  message?: string;
  error?: unknown;
}>;

/** `unknown`: the registry in use does not tell. Nothing is known then, which is not the same as that all is well. */
export type Audit = Readonly<{ verdict: 'clean' | 'faulty' | 'unknown'; lines: readonly string[] }>;

/** Judges npm's answer: any known fault of any package in the lock counts, those of development too, since they run in our builds. */
export function auditOf(report: AuditReport): Audit {
  const counts = report.metadata?.vulnerabilities;
  if (counts === undefined) {
    return {
      verdict: 'unknown',
      lines: [`the registry in use does not answer npm audit: ${report.message ?? 'it gave no reason'}`],
    };
  }
  const faults = Object.values(report.vulnerabilities ?? {}).map(({ name, severity, range, via }) => {
    const titles = via.flatMap((one) => (typeof one === 'string' ? [`by ${one}`] : [`${one.title} ${one.url}`]));
    return `${severity}: ${name} ${range}: ${titles.join('; ')}`;
  });
  if (faults.length > 0 || (counts['total'] ?? 0) > 0) return { verdict: 'faulty', lines: faults };
  return { verdict: 'clean', lines: ['no package in the lock has a known fault'] };
}
