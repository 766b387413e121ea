import { writesAtOnce } from '../../../src/domain/prober/dependant.ts';
import { hasTwoPaths, type ProberConfig } from '../../../src/domain/prober/prober-config.ts';
import { readResource } from '../../../src/domain/prober/resource-view.ts';
import type { ShootNamespace } from '../../../src/domain/names.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { workloadNumbers } from '../../../src/simulator/store/resource-kind.ts';
import type { Law } from '../law.ts';
import type { SeedPlan } from '../seed-plan.ts';
import { everyReason, silence } from './troubles.ts';

/** While something is down by our hand, the next probe is due 5 s after the last (4.6). */
const betweenProbes: Millis = 5_000;
/** A kubelet that can renew does so within 10.4 s. */
const renewedWithin: Millis = 11_000;
/** Pods come up, and a controller looks at its spec. */
const podsUp: Millis = 3_000;
/** A scale that has to be asked for is asked for so often while the prober waits (6.6). */
const askedEach: Millis = 1_000;
const slack: Millis = 10_000;

const reasons = [...everyReason, silence] as const;

/** Once kubelets can renew again, or paths answer, all that bears a mark goes up, as soon as delays and pods let it, wherever nothing was done to the seed that explains why not. */
export const healedInTime: Law = {
  name: '4.6 6.2 what is back goes up at once',
  begin(scene, troubles) {
    const needed = neededFor(scene.config, scene.plan);
    const down = new Map<string, ShootNamespace>();
    const brokenAt = new Map<ShootNamespace, Instant>();
    /** The way up waits for what is missing (6.8). */
    const missing = new Map<string, ShootNamespace>();
    let healed = 0;

    const isBroken = (shoot: (typeof scene.seed.shoots)[number]): boolean =>
      shoot.kubelets.isImpaired ||
      (hasTwoPaths(scene.config) && (['internal', 'external'] as const).some((path) => shoot.paths[path].fault));

    return {
      hear(observation) {
        if (observation.kind !== 'change' || observation.of.scale === undefined) return undefined;
        const { type, revision } = observation.change;
        const { key, object } = revision;
        if (type === 'DELETED') missing.set(key, object.metadata.namespace ?? '');
        else missing.delete(key);
        const { marked, ignored } = readResource(object);
        const isDown = marked && !ignored && workloadNumbers(observation.of, object).desired === 0;
        if (type !== 'DELETED' && isDown) down.set(key, object.metadata.namespace ?? '');
        else if (down.delete(key)) healed += 1;
        return undefined;
      },
      look() {
        const now = scene.now();
        for (const shoot of scene.seed.shoots) if (isBroken(shoot)) brokenAt.set(shoot.name, now);
        for (const shoot of missing.values()) brokenAt.set(shoot, now);
        for (const [key, shoot] of down) {
          const since = Math.max(brokenAt.get(shoot) ?? -Infinity, scene.startedAt);
          if (now - since <= needed || troubles.reasonAt(shoot, now - needed, reasons) !== undefined) continue;
          return `${key} is still at 0 ${Math.round(now - since)} ms after ${shoot} was back, ${needed} ms are enough, nothing stood in the way, and ${troubles.leader} led`;
        }
        return undefined;
      },
      counts: () => ({ 'dependants that came up again': healed }),
    };
  },
};

/** From healing until the last dependant is written, level by level. */
function neededFor(config: ProberConfig, { links: { seed, shoot } }: SeedPlan): Millis {
  const { successThreshold, dependants, probeInterval, backoffJitterFactor } = config;
  const levels = new Map<number, Millis>();
  for (const { ref, scaleUp } of dependants) {
    const write = writesAtOnce(ref) ? 2 * seed.there[1] : 6 * seed.there[1] + 2 * askedEach;
    const taken = scaleUp.initialDelay + write + 2 * seed.watchLag[1] + podsUp;
    levels.set(scaleUp.level, Math.max(taken, levels.get(scaleUp.level) ?? 0));
  }
  const trips = 10 * Math.max(seed.there[1], shoot.there[1]);
  // The first verdict may come at a regular probe: the budget of the seed gives out what there is.
  const probes = probeInterval * (1 + backoffJitterFactor) + successThreshold * (betweenProbes + trips);
  const kubelets = hasTwoPaths(config) ? 0 : renewedWithin;
  return kubelets + probes + [...levels.values()].reduce((sum, taken) => sum + taken, 0) + slack;
}
