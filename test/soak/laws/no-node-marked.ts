import { hasTwoPaths } from '../../../src/domain/prober/prober-config.ts';
import type { ShootNamespace } from '../../../src/domain/names.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import type { Law } from '../law.ts';
import type { Scene } from '../scene.ts';
import { outlookOf } from './mark-outlook.ts';

const preventable = 'marked, though it could have been prevented';
const replaceable = 'replaced, though it could have been prevented';
/** On the way down all levels and their delays come before it; a Machine is replaced a minute after its node was marked, or later. */
const untilAllIsDown: Millis = 60_000;

/**
 * What the program is for. A node that was marked is a meltdown. It could have been prevented where leases or paths had told of the outage long
 * enough before, and nothing was done to the seed, to the shoot, or to the process that led, that explains why it came too late. A Machine that was replaced
 * is the harm itself: it is judged in the same way, whatever the reason was for which its node was marked.
 */
export const noNodeMarked: Law = {
  name: 'no node is marked that could have been saved',
  begin(scene, troubles) {
    /** By shoot, since one that is created anew begins anew. */
    const marksSeen = new WeakMap<Scene['seed']['shoots'][number], number>();
    const brokenSince = new Map<ShootNamespace, Instant>();
    const counts: Record<string, number> = { [preventable]: 0, [replaceable]: 0 };
    const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
    const judgeReplaced = ({ shoot, node, at }: Readonly<{ shoot: ShootNamespace; node: string; at: Instant }>) => {
      const { leader } = troubles;
      const outlook = outlookOf(scene, shoot, at, { brokenSince: brokenSince.get(shoot), leader });
      const isDue = outlook.kind === 'preventable' && at - outlook.since >= outlook.needed + untilAllIsDown;
      const because = isDue
        ? troubles.reasonAt(shoot, at - outlook.needed - untilAllIsDown)
        : outlook.kind === 'not'
          ? outlook.because
          : 'the outage left too little time';
      count(because === undefined ? replaceable : `replaced: ${because}`);
      return because === undefined && isDue
        ? `the Machine of ${node} of ${shoot} was replaced ${Math.round(at - outlook.since)} ms after ${outlook.told}, nothing stood in the way, and ${leader} led`
        : undefined;
    };
    return {
      hear(observation) {
        if (observation.kind === 'replaced') return judgeReplaced(observation);
        if (observation.kind !== 'turn' || observation.turn.kind !== 'shoot') return undefined;
        const { turn, at } = observation;
        if (!turn.notes.some(({ kind }) => kind === 'shielded')) return undefined;
        const shoot = scene.seed.shoots.find(({ name }) => name === turn.subject);
        if (shoot === undefined || shoot.unknownNodes.length > 0) return undefined;
        const stood = troubles.reasonAt(shoot.name, at);
        count(`outages without a mark, ${stood === undefined ? 'nothing' : 'something'} stood in the way`);
        return undefined;
      },
      look() {
        for (const shoot of scene.seed.shoots) {
          const { name, marks } = shoot;
          if (hasTwoPaths(scene.config)) {
            if (shoot.paths.external.fault === undefined) brokenSince.delete(name);
            else if (!brokenSince.has(name)) brokenSince.set(name, scene.now());
          }
          const seen = marksSeen.get(shoot) ?? 0;
          marksSeen.set(shoot, marks.length);
          for (const { node, at } of marks.slice(seen)) {
            const outlook = outlookOf(scene, name, at, { brokenSince: brokenSince.get(name), leader: troubles.leader });
            const because = outlook.kind === 'not' ? outlook.because : troubles.reasonAt(name, at - outlook.needed);
            count(because === undefined ? preventable : `marked: ${because}`);
            if (because === undefined && outlook.kind === 'preventable')
              return `${node} of ${name} was marked ${Math.round(at - outlook.since)} ms after ${outlook.told}, ${Math.round(outlook.needed)} ms are enough, nothing stood in the way, and ${troubles.leader} led`;
          }
        }
        return undefined;
      },
      counts: () => counts,
    };
  },
};
