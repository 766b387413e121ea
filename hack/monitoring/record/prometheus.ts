import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { findProgram } from '@dwd/lab/programs/find-program.ts';
import { freePort } from '@dwd/lab/real/free-port.ts';
import { end, saidLast, start } from '@dwd/lab/real/processes.ts';
import type { Scraped } from './recorded-stage.ts';
import type { Series } from './recording.ts';

const scrapeSeconds = 5;
/** Three digits are more than a picture shows, and an eighth of the text. */
const digits = 3;

type Answer = Readonly<{
  status: string;
  error?: string;
  data: Readonly<{
    result: readonly Readonly<{
      metric: Readonly<Record<string, string>>;
      value?: readonly [number, string];
      values?: readonly (readonly [number, string])[];
    }>[];
  }>;
}>;

/** A real Prometheus that scrapes these processes and evaluates our rules. */
export async function startPrometheus(directory: string, scraped: readonly Scraped[], rules: string) {
  const program = await findProgram('prometheus');
  const port = await freePort();
  const config = join(directory, 'prometheus.yaml');
  writeFileSync(
    config,
    stringify({
      global: { scrape_interval: `${scrapeSeconds}s`, evaluation_interval: `${scrapeSeconds}s` },
      rule_files: [rules],
      scrape_configs: [
        {
          job_name: 'garden/dependency-watchdog',
          static_configs: scraped.map(({ pod, instance, port: metrics }) => ({
            targets: [`127.0.0.1:${metrics}`],
            labels: { pod, instance },
          })),
        },
      ],
    }),
  );
  const child = start(directory, 'prometheus', program, [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(directory, 'tsdb')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await isReady(address)); tries++) {
    if (tries > 120 || child.exitCode !== null)
      throw new Error(`Prometheus does not get ready; it said last:\n${saidLast(directory, 'prometheus')}`);
    await pause(250);
  }

  async function ask(path: string, query: Readonly<Record<string, string>>): Promise<Answer['data']['result']> {
    const response = await fetch(`${address}/api/v1/${path}?${new URLSearchParams(query).toString()}`);
    const answer = (await response.json()) as Answer;
    if (answer.status !== 'success') throw new Error(`Prometheus refuses ${query['query']}: ${answer.error}`);
    return answer.data.result;
  }

  return {
    /** The last value of each series. */
    async at(query: string, second: number): Promise<readonly Series[]> {
      const found = await ask('query', { query, time: String(second) });
      return found.map(({ metric, value }) => ({ labels: metric, values: [rounded(value?.[1])] }));
    },
    /** The values at each step, null where there is none. */
    async range(query: string, from: number, to: number, step: number): Promise<readonly Series[]> {
      const found = await ask('query_range', { query, start: String(from), end: String(to), step: String(step) });
      return found.map(({ metric, values = [] }) => {
        const byTime = new Map(values.map(([second, value]) => [Math.round((second - from) / step), value]));
        const steps = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => index);
        return { labels: metric, values: steps.map((index) => rounded(byTime.get(index))) };
      });
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

function rounded(value: string | undefined): number | null {
  const number = Number(value ?? Number.NaN);
  return Number.isFinite(number) ? Number(number.toPrecision(digits)) : null;
}

async function isReady(address: string): Promise<boolean> {
  return await fetch(`${address}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
