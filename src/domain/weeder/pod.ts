import { longestName } from '../names.ts';
import type { Instant, Millis } from '../time.ts';
import { isBeingDeleted, listAt, textAt, valueAt } from '../value-at.ts';

/** One incarnation of a pod: a new pod of the same name has another uid. */
export type PodRef = Readonly<{ name: string; uid: string }>;

/**
 * Which containers of a pod wait for their next start, by name, and why (SPEC 7.3): as their kubelet calls it, or `endedAgain` while no kubelet has
 * said so of any of them. One without a readable name is not among them.
 */
export type Waits = Readonly<{ because: 'CrashLoopBackOff' | 'endedAgain'; containers: readonly string[] }>;

/**
 * What is kept of a pod. `waiting`: it crash-loops. `ending`: it is being deleted. `fine`: neither of these; it need not be healthy.
 */
export type PodView = PodRef &
  PodOrigin &
  (Readonly<{ state: 'waiting'; waits: Waits }> | Readonly<{ state: 'ending' | 'fine' }>);

export type WaitingPod = Extract<PodView, { state: 'waiting' }>;

/** Where a pod that crash-loops comes from. `owner`: the UID of what controls it. `createdAt`: by the seed's clock. `spared`: it is never deleted. */
export type PodOrigin = Readonly<{ owner?: string; createdAt?: Instant; spared?: Sparing }>;

/**
 * `mirror`: the kubelet's own, of a static pod; to delete it restarts nothing. `noController`: nobody would make another one. `unselected`: no
 * selector of the configuration picks it, so nobody asked for it (SPEC 7.7).
 */
export type Sparing = 'mirror' | 'noController' | 'unselected';

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** By what a container is called in the status, what it is in the spec. A sidecar is an init container with `restartPolicy: Always`. */
const startedAgain = { containerStatuses: 'containers', initContainerStatuses: 'initContainers' } as const;
const lists = [...Object.keys(startedAgain), 'ephemeralContainerStatuses'];

/** The members of a pod, of these members, and of the elements of these lists, that are read of it (as of a deep ListReader). */
export const podParts: ReadonlySet<string> = new Set(
  ['metadata', 'labels', 'annotations', 'ownerReferences', 'spec', 'status', 'state', 'restartPolicyRules']
    .concat(Object.values(startedAgain))
    .concat(lists),
);

/** Twice the longest back-off: a kubelet forgets the failures of a container that ran for longer, and starts it again at once. */
const forgivenAfter: Millis = 600_000;

// Kubernetes limits the length of names, but not the number of containers. Thousands of pods are kept at once.
const longestUid = 128;
const longestContainer = 63;
const mostContainers = 32;

/**
 * Keeps what tells whether a Pod is to be deleted (SPEC 7.3). Any value may come in. Undefined where there is no usable name
 * or uid, which no API server would send: such a pod could not be deleted as the one that was seen.
 */
export function readPod(object: unknown): PodView | undefined {
  const name = textAt(object, 'metadata', 'name');
  const uid = textAt(object, 'metadata', 'uid');
  if (!isUsable(name, longestName) || !isUsable(uid, longestUid)) return undefined;
  if (isBeingDeleted(object)) return { name, uid, state: 'ending' };

  const said = statusesIn(object, lists).filter(isInBackOff);
  const waiting = [...said, ...(hasEnded(object) ? [] : failedIn(object))];
  if (waiting.length === 0) return { name, uid, state: 'fine' };
  const containers = waiting
    .map((status) => textAt(status, 'name'))
    .filter((container) => isUsable(container, longestContainer))
    .slice(0, mostContainers);
  const because = said.length === 0 ? 'endedAgain' : 'CrashLoopBackOff';
  return { name, uid, state: 'waiting', waits: { because, containers }, ...originOf(object) };
}

/** Told of even where no selector picks it (SPEC 7.7). What would be left alone anyway is somebody else's, and no gap in the selectors. */
export function isMissed(view: PodView | undefined): view is WaitingPod {
  return view?.state === 'waiting' && view.spared === undefined;
}

/** Whether a pod that crash-loops would start again sooner if it were deleted, so that a selector of it is worth while (SPEC 7.8). Any value may come in. */
export function isWorthPicking(object: unknown): boolean {
  const startsAgain = !hasEnded(object) && textAt(object, 'spec', 'restartPolicy') === 'Always';
  return !isBeingDeleted(object) && startsAgain && originOf(object).spared === undefined;
}

function statusesIn(pod: unknown, some: readonly string[]): readonly unknown[] {
  return some.flatMap((list) => listAt(pod, 'status', list));
}

function originOf(pod: unknown): PodOrigin {
  if (typeof valueAt(pod, 'metadata', 'annotations', mirrorAnnotation) === 'string') return { spared: 'mirror' };
  const owner = textAt(controllerOf(pod), 'uid');
  if (!isUsable(owner, longestUid)) return { spared: 'noController' };
  const createdAt = Date.parse(textAt(pod, 'metadata', 'creationTimestamp'));
  return { owner, ...(Number.isNaN(createdAt) ? {} : { createdAt }) };
}

function controllerOf(pod: unknown): unknown {
  return listAt(pod, 'metadata', 'ownerReferences').find((one) => valueAt(one, 'controller') === true);
}

/** What it belongs to, in an operator's words: `Deployment kcm`, where its ReplicaSet ends in the hash of the pods' template. Any value may come in. */
export function workloadOf(pod: unknown): string {
  const controller = controllerOf(pod);
  const [kind, name] = [textAt(controller, 'kind'), textAt(controller, 'name')];
  const hash = `-${textAt(pod, 'metadata', 'labels', 'pod-template-hash')}`;
  const words =
    kind === 'ReplicaSet' && name.endsWith(hash) ? `Deployment ${name.slice(0, -hash.length)}` : `${kind} ${name}`;
  return words.slice(0, longestName);
}

function isInBackOff(status: unknown): boolean {
  return textAt(status, 'state', 'waiting', 'reason') === 'CrashLoopBackOff';
}

/** A pod that has failed, as where its node shuts down, stays as it is. */
function hasEnded(pod: unknown): boolean {
  return ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase'));
}

/** The statuses of the containers that have failed again, and that the kubelet will start again after their back-off. */
function failedIn(pod: unknown): readonly unknown[] {
  return Object.entries(startedAgain).flatMap(([list, spec]) => {
    const failed = listAt(pod, 'status', list).filter(hasToWait);
    return failed.filter((status) => startsAgain(pod, containerOf(pod, spec, status), status));
  });
}

function containerOf(pod: unknown, spec: string, status: unknown): unknown {
  return listAt(pod, 'spec', spec).find((one) => valueAt(one, 'name') === valueAt(status, 'name'));
}

/**
 * Whether the kubelet starts this container again after a failure, as it decides itself (Kubernetes 1.34): by its own rules for exit codes, else by its
 * own policy, else by that of its pod, where `OnFailure` is a Job's.
 */
function startsAgain(pod: unknown, container: unknown, status: unknown): boolean {
  const code = valueAt(status, 'state', 'terminated', 'exitCode');
  const ruled = listAt(container, 'restartPolicyRules').some(
    (rule) => textAt(rule, 'action') === 'Restart' && isOfCodes(valueAt(rule, 'exitCodes'), code),
  );
  const own = textAt(container, 'restartPolicy');
  return ruled || (own === '' ? textAt(pod, 'spec', 'restartPolicy') === 'Always' : own !== 'Never');
}

function isOfCodes(codes: unknown, code: unknown): boolean {
  const isListed = listAt(codes, 'values').includes(code);
  switch (textAt(codes, 'operator')) {
    case 'In':
      return isListed;
    case 'NotIn':
      return !isListed;
    default:
      return false;
  }
}

/**
 * Kubelets of 1.33 and later say CrashLoopBackOff up to a minute and a half late. The first failure has no back-off. Both instants are of
 * one kubelet's clock; where one is missing or they are in the wrong order, the container is left alone.
 */
function hasToWait(status: unknown): boolean {
  const ended = valueAt(status, 'state', 'terminated');
  const ran = Date.parse(textAt(ended, 'finishedAt')) - Date.parse(textAt(ended, 'startedAt'));
  return isAtLeastOne(status, 'restartCount') && isAtLeastOne(ended, 'exitCode') && ran >= 0 && ran <= forgivenAfter;
}

function isAtLeastOne(value: unknown, key: string): boolean {
  const count = valueAt(value, key);
  return typeof count === 'number' && count >= 1;
}

/** Names go into paths and into texts for operators. */
function isUsable(name: string, longest: number): boolean {
  return name.length <= longest && /^[\w.-]+$/.test(name);
}

/** The last round of an owner in a window: each of the pods that it had by then goes once (SPEC 7.3). `count`: of those before it. */
type Round = Readonly<{ begunAt: Instant; count: number }>;

/** By the owner's UID; absent before its first round. */
export type OwnerRounds = Readonly<Record<string, Round>>;

/** From the first round to the second; twice as long from each one to the next. Four rounds come in five minutes. */
const firstPause: Millis = 30_000;

/** Clocks under NTP differ by less. Where the seed's is further behind ours, new pods look older by as much, and go at once for so long. */
const tolerated: Millis = 3_000;

/** When a pod may go at the earliest. */
export function mayGoAt(origin: PodOrigin, rounds: OwnerRounds): Instant {
  const round = origin.owner === undefined ? undefined : roundOf(origin.owner, rounds);
  return round === undefined || isOf(round, origin) ? -Infinity : round.begunAt + firstPause * 2 ** round.count;
}

/** The rounds once this pod goes. */
export function roundsAfter(origin: PodOrigin, rounds: OwnerRounds, at: Instant): OwnerRounds {
  const { owner } = origin;
  if (owner === undefined) return rounds;
  const round = roundOf(owner, rounds);
  if (round !== undefined && (round.begunAt === at || isOf(round, origin))) return rounds;
  return { ...rounds, [owner]: { begunAt: at, count: round === undefined ? 0 : round.count + 1 } };
}

/** A UID may be `constructor`, which every object bears. */
function roundOf(owner: string, rounds: OwnerRounds): Round | undefined {
  return Object.hasOwn(rounds, owner) ? rounds[owner] : undefined;
}

function isOf({ begunAt }: Round, { createdAt = -Infinity }: PodOrigin): boolean {
  return createdAt <= begunAt - tolerated;
}
