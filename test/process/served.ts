import type { Program } from '@dwd/testing/program.ts';

type Served = 'metrics' | 'health' | 'inspector';

/** The answer of a prober or weeder to GET of a path, at the port that the system gave it. */
export async function fetchFrom(
  program: Program,
  what: Served,
  path: string,
): Promise<Readonly<{ status: number; text: string }>> {
  const { ports } = await program.line(`the ${program.command} starts`);
  const port = (ports as Readonly<Partial<Record<Served, number>>>)[what];
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: answer.status, text: await answer.text() };
}

export async function readyOf(program: Program): Promise<number> {
  return (await fetchFrom(program, 'health', '/readyz')).status;
}

/** Every series by its name with its labels, as Prometheus writes it. The values may be a second old (SPEC 9.2). */
export async function metricsOf(program: Program): Promise<Readonly<Record<string, number>>> {
  const { text } = await fetchFrom(program, 'metrics', '/metrics');
  const series = [...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)];
  return Object.fromEntries(series.map(([, name, value]) => [name, Number(value)]));
}
