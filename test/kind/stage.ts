import { inject } from 'vitest';
import { readLog, seriesAt } from '@dwd/lab/real/started-role.ts';
import type { LogLine, Series } from '@dwd/testing/program.ts';
import type { Clusters, ProviderName } from './provider.ts';

/** The programs: a prober of each generation of the configuration (SPEC 2.2), and a weeder. */
export type ProgramName = 'prober' | 'olderProber' | 'weeder';

/** What the set-up started, as every file of scenarios gets it. */
export type KindStage = Clusters &
  Readonly<{
    provider: ProviderName;
    /** The bearer token of the probe in each cluster for shoots, in their order. */
    probeTokens: readonly string[];
    programs: Readonly<Record<ProgramName, Readonly<{ log: string; metricsPort: number }>>>;
  }>;

declare module 'vitest' {
  interface ProvidedContext {
    stage: KindStage;
  }
}

export function stage(): KindStage {
  return inject('stage');
}

/** The lines of a program's log so far in which all of these fields stand. */
export function linesOf(program: ProgramName, fields: Readonly<Record<string, unknown>>): readonly LogLine[] {
  return readLog(stage().programs[program].log).filter((line) =>
    Object.entries(fields).every(([key, value]) => line[key] === value),
  );
}

/** Every series of a program by its name with its labels, as Prometheus writes it. */
export function metricsOf(program: ProgramName): Promise<Series> {
  return seriesAt(stage().programs[program].metricsPort);
}
