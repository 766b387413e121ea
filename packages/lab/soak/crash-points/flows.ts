import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import { hasTwoPaths } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Blow, Moment } from '../observation.ts';
import type { Scene } from '../scene.ts';
import { quietPlan, type SeedPlan } from '../seed-plan.ts';

/** One direction of a flow: what brings it about, and how one sees that it is over. */
type Leg = Readonly<{
  begin(scene: Scene): void;
  isOver(scene: Scene): boolean;
  /** It must be over by then, whatever struck. */
  within: Millis;
}>;

/** Something that our processes do from its beginning to its end, so that they can be struck at each point of it. */
export type Flow = Readonly<{
  name: string;
  plan: SeedPlan;
  /** Until every process has its first lists, and knows who leads. */
  rest: Millis;
  legs: readonly Leg[];
  /** From the beginning of this one on every moment is a point; before it our processes have nothing to do. */
  firstLeg: number;
  /** Where the flow is what a standby does when its leader is struck: where that is, and by what, in all lives of the flow. */
  opening?: Readonly<{ isAt: (moment: Moment) => boolean; blow: Blow }>;
  /** All that must be the same at the end of each leg, in words that can be compared. */
  picture(scene: Scene): string;
  /** No node can be marked from now on, since nobody is there to mark it. */
  isSafe(scene: Scene): boolean;
}>;

export const electionStates = [
  'no election',
  'a leader with a standby',
  'a standby that takes over',
  'a standby that takes over from a paused leader',
] as const;
export type ElectionState = (typeof electionStates)[number];

/** What strikes the leader in the states in which its standby takes over. A pause is four times as long as the Lease lasts. */
const endsOfLeaders: Partial<Record<ElectionState, Blow>> = {
  'a standby that takes over': { kind: 'crash' },
  'a standby that takes over from a paused leader': { kind: 'pause', length: 60_000 },
};

/** A flow's opening in this state, where the leader is struck at that moment. */
function openingOf(state: ElectionState, isAt: (moment: Moment) => boolean): Pick<Flow, 'opening'> {
  const blow = endsOfLeaders[state];
  return blow === undefined ? {} : { opening: { isAt, blow } };
}

/** A small seed in fair weather, in which nothing happens by itself. */
export function planOf(state: ElectionState, role: RoleName): SeedPlan {
  const replicas = state === 'no election' ? 1 : 2;
  return { ...quietPlan, nodes: 2, replicas: { prober: 0, weeder: 0, [role]: replicas } };
}

/** A shoot is cut off and its dependants go to 0; then it is healed, and they come back. */
function proberFlow(name: string, dependants: string, state: ElectionState, probing = byLeases): Flow {
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
const byTwoPaths = `internalKubeConfigSecretName: internal
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

/** A control plane's etcd goes down until what needs it crash-loops; then it comes back, and the weeder's windows open. */
function weederFlow(state: ElectionState): Flow {
  return {
    name: `the weeder's windows, ${state}`,
    plan: planOf(state, 'weeder'),
    rest: 12_000,
    legs: [outage, comeback],
    firstLeg: 1,
    ...openingOf(state, isFirstDeletion),
    picture: podsPicture,
    isSafe: () => true,
  };
}

const isFirstDeletion = ({ when, request: { method } }: Moment): boolean => when === 'before' && method === 'DELETE';

/** Until the back-off of each is longer than the way up may take, so that only weeding brings them back in time. */
const outage: Leg = {
  begin(scene) {
    for (const { name } of scene.seed.shoots) scene.seed.addControlPlane(name).down('etcd-main');
  },
  isOver: (scene) =>
    pods(scene).every(({ group, crashLooping, restarts }) => group === 'etcd-main' || (crashLooping && restarts >= 5)),
  within: 600_000,
};

const comeback: Leg = {
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
function podsPicture(scene: Scene): string {
  return pods(scene)
    .map(
      ({ group, ready, crashLooping }) => `${group} ${ready ? 'ready' : crashLooping ? 'crash-looping' : 'starting'}`,
    )
    .toSorted()
    .join('; ');
}

const markingDependant = dependant('apps/v1', 'Deployment', 'kube-controller-manager', 1, 0);

const twoLevels = markingDependant + dependant('apps/v1', 'Deployment', 'machine-controller-manager', 0, 1, '2s');

/** What is scaled beside the controller-manager whose pods mark nodes: each kind of dependant that the program tells apart. */
const dependants: Readonly<Record<string, string>> = {
  'one Deployment': dependant('apps/v1', 'Deployment', 'kube-controller-manager', 0, 0),
  'two levels of Deployments': twoLevels,
  'a StatefulSet': markingDependant + dependant('apps/v1', 'StatefulSet', 'machine-store', 0, 1),
  'a custom kind': markingDependant + dependant('example.org/v1', 'Widget', 'widget', 0, 1),
  'an optional one that is there':
    markingDependant + dependant('apps/v1', 'Deployment', 'cluster-autoscaler', 0, 1).replace('false', 'true'),
  'an optional one that is missing':
    markingDependant + dependant('apps/v1', 'Deployment', 'missing-controller', 0, 1).replace('false', 'true'),
};

/** Every flow, in each state of the election. */
export const flows: readonly Flow[] = [
  ...Object.entries(dependants).flatMap(([name, yaml]) => electionStates.map((state) => proberFlow(name, yaml, state))),
  ...electionStates.map((state) => proberFlow('two levels by two paths', twoLevels, state, byTwoPaths)),
  ...electionStates.map((state) => weederFlow(state)),
];

function dependant(apiVersion: string, kind: string, name: string, down: number, up: number, delay = '0s'): string {
  return `- {ref: {apiVersion: ${apiVersion}, kind: ${kind}, name: ${name}}, optional: false, scaleUp: {level: ${up}, initialDelay: ${delay}}, scaleDown: {level: ${down}}}\n`;
}
