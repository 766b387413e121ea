import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../../src/adapters/clock/wall-clock.ts';
import { alerts } from '../alerts/alerts.ts';
import { dashboards } from '../dashboards/dashboards.ts';
import { askedQueries } from './asked-queries.ts';
import { startPrometheus } from './prometheus.ts';
import { RecordedStage } from './recorded-stage.ts';
import type { Recording, Series } from './recording.ts';
import type { shortStory } from './story.ts';

const step = 10;
const rules = new URL('../../../deploy/monitoring/rules.yaml', import.meta.url).pathname;

/** Plays the story to real processes, scraped by a real Prometheus, and asks it all that the dashboards ask. */
export async function recordStory(
  { beats, seconds }: typeof shortStory,
  directory: string,
  say: (line: string) => void,
): Promise<Recording> {
  await using stage = await RecordedStage.start(directory);
  await using prometheus = await startPrometheus(directory, stage.scraped, rules);
  const from = systemClock.now() / 1_000;
  const until = async (second: number) => await pause(Math.max(0, (from + second) * 1_000 - systemClock.now()));
  for (const { second, says, play } of beats) {
    await until(second);
    say(says);
    await play(stage);
  }
  await until(seconds);
  say('asking Prometheus what the dashboards ask');
  return await askAll(prometheus, from, seconds);
}

/** Asks all that the dashboards ask, of the time from an instant in seconds since 1970. */
async function askAll(
  prometheus: Pick<Awaited<ReturnType<typeof startPrometheus>>, 'at' | 'range'>,
  from: number,
  seconds: number,
): Promise<Recording> {
  const answers: Record<string, readonly Series[]> = {};
  for (const panel of dashboards.flatMap(({ panels }) => panels))
    for (const { expr, instant } of askedQueries(panel, seconds))
      answers[keyOf(expr, instant)] ??= instant
        ? await prometheus.at(expr, from + seconds)
        : await prometheus.range(expr, from, from + seconds, step);
  const fired = await prometheus.at(
    `count by (alertname) (max_over_time(ALERTS{alertstate="firing"}[${seconds}s]))`,
    from + seconds,
  );
  const names = new Set(fired.map(({ labels }) => labels['alertname']));
  return { seconds, step, answers, alerts: alerts.map(({ name }) => name).filter((name) => names.has(name)) };
}

/** The same query is asked over the whole time, and at its end. */
export function keyOf(expr: string, instant: boolean): string {
  return instant ? `at the end: ${expr}` : expr;
}
