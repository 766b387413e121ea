import type { Moment } from '../director.ts';
import type { Scene } from '../scene.ts';
import { openingOf, planOf, type ElectionState } from './election-state.ts';
import type { Flow, Leg } from './flow.ts';

/** A control plane's etcd goes down until what needs it crash-loops; then it comes back, and the weeder's windows open. */
export function weederFlow(state: ElectionState): Flow {
  return {
    name: `the weeder's windows, ${state}`,
    plan: planOf(state, 'weeder'),
    rest: 12_000,
    legs: [down, up],
    firstLeg: 1,
    ...openingOf(state, isFirstDeletion),
    picture,
    isSafe: () => true,
  };
}

const isFirstDeletion = ({ when, request: { method } }: Moment): boolean => when === 'before' && method === 'DELETE';

/** Until the back-off of each is longer than the way up may take, so that only weeding brings them back in time. */
const down: Leg = {
  name: 'down',
  begin(scene) {
    for (const { name } of scene.seed.shoots) scene.seed.addControlPlane(name).down('etcd-main');
  },
  isOver: (scene) =>
    pods(scene).every(({ group, crashLooping, restarts }) => group === 'etcd-main' || (crashLooping && restarts >= 5)),
  within: 600_000,
};

const up: Leg = {
  name: 'up',
  begin(scene) {
    for (const plane of scene.seed.controlPlanes) plane.up('etcd-main');
  },
  isOver: (scene) => scene.seed.controlPlanes.every(({ isWell }) => isWell),
  within: 250_000,
};

function pods(scene: Scene) {
  return scene.seed.controlPlanes.flatMap((plane) => plane.pods);
}

/** Names of pods are drawn, and how often each crashed depends on when it was weeded. */
function picture(scene: Scene): string {
  return pods(scene)
    .map(
      ({ group, ready, crashLooping }) => `${group} ${ready ? 'ready' : crashLooping ? 'crash-looping' : 'starting'}`,
    )
    .toSorted()
    .join('; ');
}
