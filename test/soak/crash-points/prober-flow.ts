import { hasTwoPaths } from '../../../src/domain/prober/prober-config.ts';
import type { Moment } from '../director.ts';
import type { Scene } from '../scene.ts';
import { openingOf, planOf, type ElectionState } from './election-state.ts';
import type { Flow, Leg } from './flow.ts';

/** A shoot is cut off and its dependants go to 0; then it is healed, and they come back. */
export function proberFlow(name: string, dependants: string, state: ElectionState, probing = byLeases): Flow {
  return {
    name: `${name}, ${state}`,
    plan: { ...planOf(state, 'prober'), proberConfig: `${probing}dependentResourceInfos:\n${dependants}` },
    rest: 12_000,
    legs: [down, up],
    firstLeg: 0,
    ...openingOf(state, isFirstWrite),
    picture,
    isSafe: (scene) => scene.seed.shoots.every(({ dependants: those }) => those.get(marking)?.ready === 0),
  };
}

/**
 * The first delay is short, so that a life has no more points than what happens in it. The grace leaves 15 s and more from the threshold
 * until a node is marked, which is more than a probe's longest interval and the way down: without a blow, and after a short one, no node is.
 */
const byLeases = `kubeConfigSecretName: shoot-access-dependency-watchdog-probe
probeInterval: 10s
initialDelay: 1s
kcmNodeMonitorGraceDuration: 60s
`;

/** Every failed question counts, so that a life has no more points than what happens in it. */
export const byTwoPaths = `internalKubeConfigSecretName: internal
externalKubeConfigSecretName: external
probeInterval: 10s
initialDelay: 1s
failureThreshold: 1
kcmNodeMonitorGraceDuration: 60s
`;

/** The dependant whose pods mark nodes. */
const marking = 'kube-controller-manager';

const isFirstWrite = ({ when, to, request: { method, url } }: Moment): boolean =>
  when === 'before' && to === undefined && method === 'PATCH' && url.includes('/namespaces/shoot--');

const down: Leg = {
  name: 'down',
  begin(scene) {
    for (const shoot of scene.seed.shoots) {
      if (hasTwoPaths(scene.config)) void shoot.paths.break('external', { kind: 'refuse' });
      shoot.cutOff(1);
    }
  },
  isOver: (scene) => states(scene).every(({ desired, ready }) => desired === 0 && ready === 0),
  within: 150_000,
};

const up: Leg = {
  name: 'up',
  begin(scene) {
    for (const shoot of scene.seed.shoots) {
      if (hasTwoPaths(scene.config)) void shoot.paths.heal('external');
      shoot.heal();
    }
  },
  isOver: (scene) =>
    states(scene).every(
      ({ desired, ready, annotations }) => desired > 0 && ready === desired && Object.keys(annotations).length === 0,
    ),
  within: 150_000,
};

function states(scene: Scene) {
  return scene.seed.shoots.flatMap(({ dependants }) =>
    dependants.names.flatMap((name) => {
      const state = dependants.get(name);
      return state === undefined ? [] : [{ name, ...state }];
    }),
  );
}

function picture(scene: Scene): string {
  return states(scene)
    .map(({ name, desired, ready, annotations }) => {
      const noted = Object.entries(annotations).map(([key, value]) => `${key.split('/').at(-1)}=${value}`);
      return `${name} ${desired}/${ready} [${noted.toSorted().join(', ')}]`;
    })
    .join('; ');
}
