import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Sum } from './sum.ts';

/** Why the watched shoots are back later than the others, by the medians of this run; undefined where they are not. In sentences. */
export function whyLater({ watched, unwatched }: Sum, config: ProberConfig): string | undefined {
  const { back, firstUp, lastUp } = watched;
  if (back === undefined || firstUp === undefined || lastUp === undefined) return undefined;
  const without = unwatched.back?.median ?? 0;
  if (back.median <= without) return undefined;
  const delays = upDelays(config);
  const lost = unwatched.replaced === undefined ? '' : ` and ${unwatched.replaced} Machines replaced`;
  const waits = delays.length === 0 ? '' : `; of these, ${delays.join(' and ')}`;
  return [
    `The watched ones are as before ${seconds(back.median)} after the healing, the others ${seconds(without)}: only the watched ones have something to start again.`,
    `Their first dependant was scaled up after ${seconds(firstUp.median)} (the next probe has to see the healing, and a shoot that was scaled down before within ten minutes waits longer each time: 15 s, 30 s, 1 min),`,
    `the last one ${seconds(lastUp.median - firstUp.median)} later (scaleUp goes level by level${waits}),`,
    `and its pod took ${seconds(back.median - lastUp.median)}. What the others pay instead is that their nodes were marked${lost}.`,
  ].join('\n');
}

/** `30 s are the initialDelay of machine-controller-manager`. */
function upDelays({ dependants }: ProberConfig): readonly string[] {
  return dependants
    .filter(({ scaleUp }) => scaleUp.initialDelay > 0)
    .map(({ scaleUp, ref }) => `${scaleUp.initialDelay / 1_000} s are the initialDelay of ${ref.name}`);
}

function seconds(length: number): string {
  return `${(length / 1_000).toFixed(0)} s`;
}
