import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import { readCluster } from 'dependency-watchdog/domain/prober/cluster-reading.ts';
import { writesAtOnce } from 'dependency-watchdog/domain/prober/dependant.ts';
import { hasTwoPaths } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { asObject, type KubeObject } from '@dwd/simulator/store/kube-object.ts';
import { objectKey } from '@dwd/simulator/store/revision.ts';
import { cutOffAt, expiryOf } from '@dwd/testing/store-laws.ts';
import type { Law } from '../law.ts';
import type { Scene } from '../scene.ts';
import { LateRenewals } from './late-renewals.ts';

/** To end pods, for a controller to see its spec, and for a probe that comes when the leases cross. */
const leastTime: Millis = 3_000;
/** So often requests go to and fro, one after the other, from the probe to the verdict: connection, version, leases, nodes and Machines. */
const tripsToVerdict = 5;
/** A scale that has to be asked for is asked for so often while the prober waits (6.6). */
const askedEach: Millis = 1_000;
const furthestBehind: Millis = 4_000;
const longestWait: Millis = 5_000;
/** A question to a path that says nothing (4.9): an eighth of the grace. */
const patience = (grace: Millis): Millis => grace / 8;

/** What leases or paths, as they truly were, tell of a node that was marked. */
type MarkOutlook =
  /** `needed`: so long after `since` the kube-controller-manager should have been gone. */
  | Readonly<{ kind: 'preventable'; since: Instant; needed: Millis; told: string }>
  | Readonly<{ kind: 'not'; because: string }>;

/** `brokenSince`: when the external path broke, where there are two. `leader`: the slot whose process had to act. `late`: what it can know of renewals. */
function outlookOf(
  scene: Scene,
  shoot: ShootNamespace,
  at: Instant,
  { brokenSince, leader, late }: Readonly<{ brokenSince: Instant | undefined; leader: string; late: LateRenewals }>,
): MarkOutlook {
  const { config } = scene;
  const slack = leastTime + behind(scene, leader) + toBeDown(scene, shoot);
  if (hasTwoPaths(config))
    return brokenSince === undefined
      ? { kind: 'not', because: 'the external path was well' }
      : inTime(at, brokenSince, toPathVerdict(scene, shoot) + slack, 'the external path had broken');
  const expiries = expiriesOf(scene, shoot);
  const count = expiries.length;
  if (count < 2) return { kind: 'not', because: 'fewer than two nodes can tell' };
  const since = cutOffAt(expiries, config.nodeLeaseFailureFraction);
  if (since > at) return { kind: 'not', because: 'too few leases had expired' };
  const told = `${expiries.filter((expiry) => expiry <= at).length} of ${count} leases had expired`;
  const outlook = inTime(at, since, toLeaseVerdict(scene) + slack, told);
  if (outlook.kind === 'not') return outlook;
  const seeming = expiriesOf(scene, shoot, (node) => late.lagOf(leader, shoot, node));
  return at - cutOffAt(seeming, config.nodeLeaseFailureFraction) >= outlook.needed
    ? outlook
    : { kind: 'not', because: 'renewals that came late seemed younger' };
}

/** A process whose clock is behind sees leases expire later; one that is further behind goes by the shoot's clock (5.1), which tells seconds. */
function behind(scene: Scene, leader: string): Millis {
  const process = scene.slots.find(({ name }) => name === leader)?.process;
  const by = process === undefined ? 0 : scene.now() - process.clock.now();
  return Math.min(Math.max(by, 0), furthestBehind);
}

function inTime(at: Instant, since: Instant, needed: Millis, told: string): MarkOutlook {
  return at - since < needed
    ? { kind: 'not', because: 'the outage left too little time' }
    : { kind: 'preventable', since, needed, told };
}

/** When the leases expire in truth, or by so much later, of nodes whose Machines stay; the first one first. */
export function expiriesOf(
  scene: Pick<Scene, 'seed' | 'config'>,
  name: ShootNamespace,
  lagOf: (node: string) => Millis = () => 0,
): readonly Instant[] {
  const grace = graceFor(scene, name);
  return renewalsOf(scene, name)
    .map(({ node, at }) => expiryOf(at + lagOf(node), grace))
    .toSorted((one, other) => one - other);
}

/** The last renewal of each node whose Machine stays, in truth, whatever the kubelets' clocks say. */
export function renewalsOf(
  { seed }: Pick<Scene, 'seed'>,
  name: ShootNamespace,
): readonly Readonly<{ node: string; at: Instant }>[] {
  const { store } = seed.api.storage;
  const staying = new Set(
    store
      .of(kinds.machine)
      .list(name)
      .filter(({ object }) => !isLeaving(object))
      .map(({ object }) => object.metadata.labels?.['node']),
  );
  const { api, kubelets } = seed.shoot(name);
  return api.storage.store
    .of(kinds.lease)
    .list()
    .filter(({ object }) => staying.has(object.metadata.name))
    .map(({ object }) => ({ node: object.metadata.name, at: renewedAt(object) - kubelets.ahead }));
}

/** The shoot's own grace, or the configuration's (3.3). */
export function graceFor({ seed, config }: Pick<Scene, 'seed' | 'config'>, name: ShootNamespace): Millis {
  const cluster = seed.api.storage.store.of(kinds.cluster).get(name)?.object;
  return (cluster && graceOf(cluster)) ?? config.kcmNodeMonitorGraceDuration;
}

const renewedAt = readOnce((lease) => Date.parse(String(asObject(lease['spec'])['renewTime'])));

const graceOf = readOnce((cluster): Millis | undefined => {
  const reading = readCluster(cluster);
  return reading.readable ? reading.cluster.nodeMonitorGrace : undefined;
});

/** Reads each state of an object once: laws ask each second. */
function readOnce<Value>(read: (object: KubeObject) => Value): (object: KubeObject) => Value {
  const known = new WeakMap<KubeObject, Readonly<{ value: Value }>>();
  return (object) => {
    const before = known.get(object);
    if (before !== undefined) return before.value;
    const value = read(object);
    known.set(object, { value });
    return value;
  };
}

function isLeaving(machine: KubeObject): boolean {
  const { phase } = asObject(asObject(machine['status'])['currentStatus']);
  return phase === 'Failed' || phase === 'Terminating';
}

function toLeaseVerdict({ config, plan: { links } }: Scene): Millis {
  const further = (config.failureThreshold - 1) * config.probeInterval * (1 + config.backoffJitterFactor);
  return further + tripsToVerdict * 2 * Math.max(links.seed.there[1], links.shoot.there[1]);
}

/** The next regular probe, and a question for each failure that is needed. */
function toPathVerdict({ config, plan: { links }, seed }: Scene, shoot: ShootNamespace): Millis {
  const { probeInterval, backoffJitterFactor, failureThreshold, kcmNodeMonitorGraceDuration } = config;
  const fault = seed.shoot(shoot).paths.external.fault?.kind;
  const answer =
    fault === 'hang' || fault === 'slow' ? patience(kcmNodeMonitorGraceDuration) : 4 * links.shoot.there[1];
  const pause = Math.max(1_000, probeInterval / 3);
  return probeInterval * (1 + backoffJitterFactor) + failureThreshold * answer + (failureThreshold - 1) * pause;
}

/** From the verdict until the pods of the kube-controller-manager are gone, level by level. */
function toBeDown({ config, endsLater, plan: { links } }: Scene, shoot: ShootNamespace): Millis {
  const { there, watchLag } = links.seed;
  const last = config.dependants.find(({ ref }) => ref.name === 'kube-controller-manager')?.scaleDown.level ?? 0;
  const levels = new Map<number, Millis>();
  for (const { ref, scaleDown } of config.dependants) {
    if (scaleDown.level > last) continue;
    const write = writesAtOnce(ref) ? 2 * there[1] + watchLag[1] : 6 * there[1] + 2 * askedEach;
    // No level is waited for longer, however slowly its pods end (6.1).
    const waits = scaleDown.level < last ? Math.min(endsLater.get(objectKey(shoot, ref.name)) ?? 0, longestWait) : 0;
    const taken = scaleDown.initialDelay + write + waits;
    levels.set(scaleDown.level, Math.max(taken, levels.get(scaleDown.level) ?? 0));
  }
  return [...levels.values()].reduce((sum, taken) => sum + taken, 0);
}

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
  begin(scene, { troubles, breaks }) {
    /** By shoot, since one that is created anew begins anew. */
    const marksSeen = new WeakMap<Scene['seed']['shoots'][number], number>();
    const brokenSince = new Map<ShootNamespace, Instant>();
    const late = new LateRenewals(scene);
    const counts: Record<string, number> = { [preventable]: 0, [replaceable]: 0 };
    const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
    return {
      replaced({ shoot, node, at }) {
        const { leader } = troubles;
        const outlook = outlookOf(scene, shoot, at, { brokenSince: brokenSince.get(shoot), leader, late });
        const isDue = outlook.kind === 'preventable' && at - outlook.since >= outlook.needed + untilAllIsDown;
        const because = isDue
          ? troubles.reasonAt(shoot, at - outlook.needed - untilAllIsDown)
          : outlook.kind === 'not'
            ? outlook.because
            : 'the outage left too little time';
        count(because === undefined ? replaceable : `replaced: ${because}`);
        if (because === undefined && isDue)
          breaks(
            `the Machine of ${node} of ${shoot} was replaced ${Math.round(at - outlook.since)} ms after ${outlook.told}, nothing stood in the way, and ${leader} led`,
          );
      },
      shootTurn(seen) {
        late.shootTurn(seen);
        const { turn, at } = seen;
        if (!turn.notes.some(({ kind }) => kind === 'shielded')) return;
        const shoot = scene.seed.shoots.find(({ name }) => name === turn.subject);
        if (shoot === undefined || shoot.unknownNodes.length > 0) return;
        const stood = troubles.reasonAt(shoot.name, at);
        count(`outages without a mark, ${stood === undefined ? 'nothing' : 'something'} stood in the way`);
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
            const { leader } = troubles;
            const outlook = outlookOf(scene, name, at, { brokenSince: brokenSince.get(name), leader, late });
            const because = outlook.kind === 'not' ? outlook.because : troubles.reasonAt(name, at - outlook.needed);
            count(because === undefined ? preventable : `marked: ${because}`);
            if (because === undefined && outlook.kind === 'preventable')
              breaks(
                `${node} of ${name} was marked ${Math.round(at - outlook.since)} ms after ${outlook.told}, ${Math.round(outlook.needed)} ms are enough, nothing stood in the way, and ${leader} led`,
              );
          }
        }
      },
      counts: () => counts,
    };
  },
};
