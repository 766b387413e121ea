import { judgeLifecycle } from '../../../src/domain/prober/cluster-view.ts';
import { readCluster } from '../../../src/domain/prober/cluster-reading.ts';
import { readResource } from '../../../src/domain/prober/resource-view.ts';
import type { ShootNamespace } from '../../../src/domain/names.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { Law } from '../law.ts';
import { everyReason, silence, type Reason } from './troubles.ts';

/** For the pods of the lower levels, which have to be up first. */
const forPods: Millis = 60_000;

const others: readonly Reason[] = [...everyReason, silence];
const foreign = others.filter((reason) => reason !== 'a dependant was ignored, or written by others');

/** A mark does not stay on a dependant that is ignored, where nothing keeps the prober from its work. */
export const handsOff: Law = {
  name: '6.7 no mark stays on what is ignored',
  begin(scene, troubles) {
    const since = new Map<string, Readonly<{ shoot: ShootNamespace; at: Instant }>>();
    let unmarked = 0;
    const { probeInterval, backoffJitterFactor, dependants } = scene.config;
    const delays = dependants.reduce((sum, { scaleUp }) => sum + scaleUp.initialDelay, 0);
    const within = forPods + delays + 2 * probeInterval * (1 + backoffJitterFactor);
    const isProbed = (shoot: ShootNamespace): boolean => {
      const reading = readCluster(scene.seed.api.storage.store.of(kinds.cluster).get(shoot)?.object);
      return reading.readable && judgeLifecycle(reading.cluster).kind === 'start';
    };
    return {
      hear(observation) {
        if (observation.kind !== 'change' || observation.of.scale === undefined) return undefined;
        const { change, at } = observation;
        const { key, object } = change.revision;
        const { ignored, marked } = readResource(object);
        if (change.type !== 'DELETED' && ignored && marked) {
          if (!since.has(key)) since.set(key, { shoot: object.metadata.namespace ?? '', at });
        } else if (since.delete(key) && ignored && change.writer !== undefined) unmarked += 1;
        return undefined;
      },
      look() {
        for (const [key, { shoot, at }] of since) {
          if (scene.now() - at < within || !isProbed(shoot)) continue;
          if (troubles.reasonAt(shoot, scene.now() - within, foreign) === undefined)
            return `${key} is ignored, and has borne a mark for ${scene.now() - at} ms`;
        }
        return undefined;
      },
      counts: () => ({ 'marks taken from what is ignored': unmarked }),
    };
  },
};
