import { counted } from '../../../adapters/words/plain-words.ts';
import { goesOnLine, placeLines } from '../story/places.ts';
import { piece } from '../../terminal/painted-line.ts';
import { storyScreen } from '../story/screen.ts';
import { beginningLines, runTitle } from '../story/story-run.ts';
import type { StoryWords } from '../story/storyteller.ts';
import { controlPlaneTable, tableFrame } from './control-plane-table.ts';
import { etcdSummaryLines } from './etcd-summary-lines.ts';
import type { EtcdSummary } from './etcd-summary.ts';
import { etcdPhaseNow, etcdTimeline } from './etcd-timeline.ts';
import type { EtcdOptions } from './observation.ts';
import type { EtcdSeen } from './play-etcd-story.ts';

/** The etcd outage, in words. */
export function etcdWords(options: EtcdOptions): StoryWords<EtcdSeen, EtcdSummary> {
  const { clock, seedNumber, shoots, speed, slowSpeed } = options;
  const pace = speed === slowSpeed ? '' : `, ${slowSpeed} times while the weeder works`;
  return {
    beginning: beginningLines(options, `etcd fails in ${counted(shoots, 'control plane')}`, pace),
    places: placeLines(options, 'o begins another outage once this one is over, q ends.'),
    entries: ({ before, seen, after }) => etcdTimeline(before, seen, after),
    picture: ({ after: model }, timeline, size) =>
      storyScreen(
        {
          startedAt: model.startedAt,
          now: clock.now(),
          title: runTitle({ speed: model.phase === 'over' ? speed : clock.speed(), seedNumber }),
          phase: piece(etcdPhaseNow(model), model.phase === 'outage' ? 'warning' : 'good'),
          tableFrame,
          table: (room) => controlPlaneTable({ rows: [...model.rows.values()], room, now: clock.now() }),
          timeline,
        },
        size,
      ),
    summary: (summary) => etcdSummaryLines(summary, options),
    kept: { goesOn: goesOnLine('Both seeds and the weeder go on', options.keys), uses: () => usesOfSeed(options) },
  };
}

/** What can be done with the seed that stays up, the one with the weeder. */
function usesOfSeed({ firstShoot, speedAfter: after, places }: EtcdOptions): readonly string[] {
  const pace = after === 1 ? 'in real time' : `${after} times as fast as real time`;
  return [
    `Until the next outage the clock runs ${pace}.`,
    'To look around, in another terminal:',
    `  export KUBECONFIG=${places.kubeconfig}`,
    `  kubectl get pods -n ${firstShoot}`,
    '  kubectl get endpointslices -A',
    `  curl -s ${places.journal} | npx node src/main.ts replay -`,
  ];
}
