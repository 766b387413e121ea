import { existsSync, readFileSync } from 'node:fs';
import { inject } from 'vitest';
import type { Clusters, ProviderName } from './provider.ts';

/** The programs: a prober of each generation of the configuration (SPEC 2.2), and a weeder. */
export type Program = 'prober' | 'olderProber' | 'weeder';

/** What the set-up started, as every file of scenarios gets it. */
export type Stage = Clusters &
  Readonly<{
    provider: ProviderName;
    /** The bearer token of the probe in each cluster for shoots, in their order. */
    probeTokens: readonly string[];
    programs: Readonly<Record<Program, Readonly<{ log: string; metricsPort: number }>>>;
  }>;

declare module 'vitest' {
  interface ProvidedContext {
    stage: Stage;
  }
}

export type LogLine = Readonly<Record<string, unknown>> & Readonly<{ level: string; ts: string; msg: string }>;

export function stage(): Stage {
  return inject('stage');
}

/** The lines of a program's log so far in which all of these fields stand. */
export function linesOf(program: Program, fields: Readonly<Record<string, unknown>>): readonly LogLine[] {
  return readLog(stage().programs[program].log).filter((line) =>
    Object.entries(fields).every(([key, value]) => line[key] === value),
  );
}

/** The lines of a log file so far; a last one that is not complete yet is left out. */
export function readLog(file: string): readonly LogLine[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
}

/** Every series of a program by its name with its labels, as Prometheus writes it. */
export async function metricsOf(program: Program): Promise<Readonly<Record<string, number>>> {
  const answer = await fetch(`http://127.0.0.1:${stage().programs[program].metricsPort}/metrics`);
  const series = [...(await answer.text()).matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)];
  return Object.fromEntries(series.map(([, name, value]) => [name, Number(value)]));
}
