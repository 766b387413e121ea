const titles = {
  '2': 'The prober’s configuration',
  '3.1': 'When probing stops',
  '3.2': 'When probing starts',
  '3.3': 'The shoot’s own grace',
  '3.4': 'A Cluster that cannot be read',
  '3.5': 'While the stream of Clusters is out',
  '4.3': 'One fresh connection',
  '4.4': 'No answer, no scaling',
  '4.5': 'Throttled',
  '4.6': 'When the next probe is due',
  '4.9': 'The older generation’s two probes',
  '5.1': 'When a lease is expired',
  '5.2': 'Which leases count',
  '5.3': 'The verdicts',
  '5.4': 'Nodes and Machines only when they matter',
  '5.8': 'Cannot be judged',
  '5.9': 'Nodes without leases',
  '6.1': 'Levels',
  '6.2': 'First whether, then when',
  '6.3': 'The last verdict wins',
  '6.4': 'Down',
  '6.5': 'Up',
  '6.6': 'How it is written, and read',
  '6.7': 'Hands off',
  '6.8': 'Missing dependants, and refusals',
  '6.9': 'Raised by somebody else',
  '7.1': 'When a service is available',
  '7.2': 'The window',
  '7.3': 'Which pods go',
  '9.1': 'Turns',
  '9.6': 'The journal, and replay',
  S1: 'Silence never scales',
  S2: 'Ignored means untouched',
  S4: 'Level order',
  S7: 'Two at least',
  S8: 'Pods',
} as const satisfies Readonly<Record<string, string>>;

/** A rule of docs/specification.md that some guard carries out, or that stands in the way of something. */
export type Rule = keyof typeof titles;

/** The headings of these rules: who reads a number at night need not look it up. */
export const ruleTitles: Readonly<Record<Rule, string>> = titles;

/** `5.3 The verdicts`; the number alone where it is none of these. */
export function ruleWords(rule: string): string {
  return `${rule} ${ruleTitle(rule)}`.trimEnd();
}

/** `The verdicts`; empty where it is none of these. */
export function ruleTitle(rule: string): string {
  const known: Readonly<Record<string, string>> = ruleTitles;
  return Object.hasOwn(known, rule) ? (known[rule] ?? '') : '';
}
