/** Where an outage is; instants in ms. */
export type OutagePhase =
  | Readonly<{ is: 'calm'; cutAt: number }>
  /** `plan`: once the last renewals are in. `thresholdAt`: of the leases, where they are judged. */
  | Readonly<{
      is: 'cutOff';
      cutAt: number;
      plan?: Readonly<{ thresholdAt: number | undefined; healAt: number; harm: () => string }>;
    }>
  /** `waitsFor`: the names of what is not as it was. */
  | Readonly<{ is: 'healing'; healedAt: number; waitsFor: string }>
  | Readonly<{ is: 'over'; asBefore: boolean }>;

/** Of one column, the phase of each shoot. */
export type Phases = ReadonlyMap<string, OutagePhase>;

/** What goes on in both columns, in one line. */
export function goingOn(columns: Readonly<Record<string, Phases>>, now: number): string {
  return Object.entries(columns)
    .filter(([, phases]) => phases.size > 0)
    .map(([column, phases]) => `${column}: ${phasesWords(phases, now)}`)
    .join(' | ');
}

function phasesWords(phases: Phases, now: number): string {
  const [only, ...others] = phases.values();
  if (only !== undefined && others.length === 0) return phaseWords(only, now);
  const counts = Map.groupBy(phases.values(), ({ is }) => is);
  return [...counts].map(([is, those]) => `${those.length} ${short[is]}`).join(', ');
}

/** As it is said when it begins. */
export function phaseBegins(phase: OutagePhase): string {
  switch (phase.is) {
    case 'calm':
      return 'calm';
    case 'cutOff':
      return 'its nodes are cut off';
    case 'healing':
      return 'its nodes are healed';
    case 'over':
      return phase.asBefore ? 'everything is as before' : 'not everything is as before, and nobody waits longer';
  }
}

const short = { calm: 'not cut off yet', cutOff: 'cut off', healing: 'healing', over: 'over' } as const;

function phaseWords(phase: OutagePhase, now: number): string {
  const since = (at: number): string => `${Math.max(0, Math.round((now - at) / 1_000))} s`;
  const until = (at: number): string => `${Math.max(0, Math.round((at - now) / 1_000))} s`;
  switch (phase.is) {
    case 'calm':
      return `is cut off in ${until(phase.cutAt)}`;
    case 'cutOff': {
      const { cutAt, plan } = phase;
      const cut = `cut off for ${since(cutAt)}`;
      if (plan === undefined) return cut;
      const { thresholdAt } = plan;
      if (thresholdAt !== undefined && now < thresholdAt)
        return `${cut}, its leases cross the threshold in ${until(thresholdAt)}`;
      const over = thresholdAt === undefined ? '' : `, over the threshold for ${since(thresholdAt)}`;
      return `${cut}${over}, ${plan.harm()}; healed in ${until(plan.healAt)}`;
    }
    case 'healing':
      return `healed for ${since(phase.healedAt)}, not as before yet: ${phase.waitsFor}`;
    case 'over':
      return 'over';
  }
}
