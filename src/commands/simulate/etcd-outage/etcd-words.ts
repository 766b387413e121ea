import { counted } from '../../../adapters/words/plain-words.ts';
import type { WeederConfig } from '../../../domain/weeder/weeder-config.ts';
import { goesOnLine, placeLines } from '../story/places.ts';
import { piece } from '../../terminal/painted-line.ts';
import { storyScreen } from '../story/screen.ts';
import { beginningLines, runTitle, type StartedRun } from '../story/story-run.ts';
import type { StoryWords } from '../story/story-output.ts';
import type { ControlPlaneModel } from './control-plane-model.ts';
import { controlPlaneTable, tableFrame } from './control-plane-table.ts';
import { etcdPhaseNow } from './etcd-events.ts';
import type { PacedClock } from './paced-clock.ts';

/** The options of a run of the etcd outage. */
export type EtcdOptions = StartedRun &
  Readonly<{
    clock: PacedClock;
    /** How fast the clock runs while the weeder works. Otherwise it runs at `speed`. */
    slowSpeed: number;
    /** How fast it runs while the seed stays up. */
    speedAfter: number;
    config: WeederConfig;
  }>;

/** The etcd outage, in words. */
export function etcdWords(options: EtcdOptions, current: () => ControlPlaneModel): StoryWords {
  const { clock, seedNumber, shoots, speed, slowSpeed, config, keys } = options;
  const pace = speed === slowSpeed ? '' : `, ${slowSpeed} times while the weeder works`;
  return {
    begin: { story: 'etcd-outage', seed: seedNumber, speed, slowSpeed, shoots, config },
    beginning: beginningLines(options, `etcd fails in ${counted(shoots, 'control plane')}`, pace),
    places: placeLines(options, 'o begins another outage once this one is over, q ends.'),
    picture(timeline, size) {
      const [model, now] = [current(), clock.now()];
      const { startedAt, phase } = model;
      return storyScreen(
        {
          startedAt,
          now,
          title: runTitle({ speed: phase === 'over' ? speed : clock.speed(), seedNumber }),
          phase: piece(etcdPhaseNow(model), phase === 'outage' ? 'warning' : 'good'),
          tableFrame,
          table: (room) => controlPlaneTable({ rows: [...model.rows.values()], room, now }),
          timeline,
        },
        size,
      );
    },
    kept: {
      goesOn: goesOnLine('Both seeds and the weeder go on', keys),
      uses: usesOfSeed(options, [...current().rows.keys()][0] ?? ''),
    },
  };
}

/** What can be done with the seed that stays up, the one with the weeder. */
function usesOfSeed({ speedAfter: after, places }: EtcdOptions, firstShoot: string): readonly string[] {
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
