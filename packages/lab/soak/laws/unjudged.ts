import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import { readCluster } from 'dependency-watchdog/domain/prober/cluster-reading.ts';
import { hasTwoPaths } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { markAnnotation } from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { asObject, type KubeObject } from '@dwd/simulator/store/kube-object.ts';
import type { Law } from '../law.ts';
import type { Scene, Shoot } from '../scene.ts';
import { graceFor } from './marks.ts';
import { everyReason, type Reason } from './troubles.ts';

/** A verdict goes by what was asked before: leases first, then nodes and Machines, each within its time-out. */
const longestProbe: Millis = 45_000;
/** A regular probe, a minute of it, and a look (5.8). */
const toldWithin: Millis = 180_000;
/** A GET of a Cluster goes before a raise, and the way up may wait for its levels and for the rate limit. */
const longestWay: Millis = 120_000;

/** What lets a process take an outage for none: clocks, or another past. */
const misleading: readonly Reason[] = ['a clock was wrong', 'etcd was restored, or watches were lost'];

/** What keeps a process from saying it. */
const otherReasons = everyReason.filter((reason) => reason !== 'by a mistake its leases told nothing');

/** Of one shoot, since when it is so, in truth; undefined where it is not. */
type Course = { cutOffSince: Instant | undefined; untoldSince: Instant | undefined; oddAt: Instant };

/** While a shoot is cut off no way up begins, whatever becomes of its leases, Machines and annotations; and if nobody can tell, that is told. */
export const unjudgedShoots: Law = {
  name: '5.3 5.8 5.9 no way up begins in mid-outage, and who cannot be judged is told',
  begin(scene, { troubles, breaks }) {
    const courses = new Map<ShootNamespace, Course>();
    const told = new Set<string>();
    const counts = { 'looks at shoots that nobody could judge': 0, 'ways up that began': 0 };
    const courseOf = (shoot: ShootNamespace): Course => {
      const known = courses.get(shoot) ?? { cutOffSince: undefined, untoldSince: undefined, oddAt: -Infinity };
      courses.set(shoot, known);
      return known;
    };
    return {
      change({ at, of, change: { revision } }) {
        // What is leaving is left out, and that may be known late.
        if (of === kinds.machine && isLeaving(revision.object))
          courseOf(revision.object.metadata.namespace ?? '').oddAt = at;
      },
      happening({ at, happening: { kind, shoot = '' } }) {
        if (kind.includes('clock') || /^(node (added|removed)|Machine)/.test(kind)) courseOf(shoot).oddAt = at;
      },
      shootTurn({ at, process, turn }) {
        const { subject, event, from, to, notes } = turn;
        const key = `${process} ${subject}`;
        if (event.type === 'started' || event.type === 'ended' || to === 'idle') told.delete(key);
        for (const { kind } of notes) {
          if (kind === 'unjudged') told.add(key);
          if (kind === 'unjudgedOver') told.delete(key);
        }
        if (to !== 'scalingUp' || from === to) return;
        counts['ways up that began'] += 1;
        const { cutOffSince, oddAt } = courseOf(subject);
        if (cutOffSince === undefined || at - cutOffSince < longestProbe || at - oddAt < longestWay) return;
        if (troubles.hasFor(subject, process, at, misleading)) return;
        // This law looks each second, and a kubelet may have renewed just now.
        const shoot = scene.seed.shoots.find(({ name }) => name === subject);
        if (shoot === undefined || !truthOf(scene, shoot).isCutOff) return;
        breaks(`${process} began to scale ${subject} up, which had been cut off for ${at - cutOffSince} ms`);
      },
      look() {
        if (hasTwoPaths(scene.config)) return;
        const now = scene.now();
        const process = scene.slots.find(({ name }) => name === troubles.leader)?.process?.name;
        for (const shoot of scene.seed.shoots) {
          const course = courseOf(shoot.name);
          if (shoot.kubelets.ahead !== 0 || shoot.api.clockAhead !== 0) course.oddAt = now;
          const { isCutOff, isUntold } = truthOf(scene, shoot);
          course.cutOffSince = isCutOff ? (course.cutOffSince ?? now) : undefined;
          const others = troubles.reasonAt(shoot.name, now, otherReasons) !== undefined;
          course.untoldSince = isCutOff && isUntold && !others ? (course.untoldSince ?? now) : undefined;
          if (course.untoldSince === undefined || now - course.untoldSince < toldWithin) continue;
          counts['looks at shoots that nobody could judge'] += 1;
          if (!told.has(`${process} ${shoot.name}`))
            breaks(`${process} has not said that nobody can judge ${shoot.name}, for ${now - course.untoldSince} ms`);
        }
      },
      counts: () => counts,
    };
  },
};

/** A GET that is a little older than what it leads to: its age, its own time, and that of the write. */
const longestRead: Millis = 12_000;

/** What stands at 0 without our mark in a shoot that gardenlet has put to sleep stays so, however late the stream of Clusters tells it (3.5). */
export const neverWoken: Law = {
  name: '3.5 nothing without our mark is raised in a shoot that hibernates',
  begin(_, { breaks }) {
    const asleepSince = new Map<ShootNamespace, Instant>();
    let judged = 0;
    return {
      change({ at, of, change: { type, revision, previous, writer } }) {
        const { object } = revision;
        if (of === kinds.cluster) {
          if (type !== 'DELETED' && isAsleep(object))
            asleepSince.set(revision.key, asleepSince.get(revision.key) ?? at);
          else asleepSince.delete(revision.key);
          return;
        }
        if (of.scale === undefined || writer === undefined || previous === undefined) return;
        const was = asObject(previous.object['spec'])['replicas'];
        const is = asObject(object['spec'])['replicas'];
        if (was !== 0 || is === 0 || previous.object.metadata.annotations?.[markAnnotation] !== undefined) return;
        judged += 1;
        const since = asleepSince.get(object.metadata.namespace ?? '');
        if (since !== undefined && at - since > longestRead)
          breaks(`${writer.user} raised ${revision.key}, whose shoot had hibernated for ${at - since} ms`);
      },
      counts: () => ({ 'raises of what bore no mark': judged }),
    };
  },
};

function isAsleep(cluster: KubeObject): boolean {
  const reading = readCluster(cluster);
  return reading.readable && reading.cluster.hibernationEnabled;
}

/** How many nodes that stay do not renew, whatever is written about them; and whether there are some, and none counts. */
function truthOf(scene: Scene, { name, api, nodes }: Shoot): Readonly<{ isCutOff: boolean; isUntold: boolean }> {
  const expired = scene.now() - 0.75 * graceFor(scene, name);
  const machines = scene.seed.api.storage.store.of(kinds.machine).list(name);
  const leaving = new Set(machines.filter(({ object }) => isLeaving(object)).map(({ object }) => object.metadata.name));
  const leases = api.storage.store.of(kinds.lease);
  const objects = api.storage.store.of(kinds.node);
  const labels = new Set(machines.map(({ object }) => object.metadata.labels?.['node']));
  const staying = nodes.filter((node) => !leaving.has(`${name}-${node}`) && objects.get(node) !== undefined);
  const silent = staying.filter((node) => {
    const lease = leases.get(`kube-node-lease/${node}`)?.object;
    return lease === undefined || Date.parse(String(asObject(lease['spec'])['renewTime'])) <= expired;
  });
  const counting = staying.filter(
    (node) => labels.has(node) && objects.get(node)?.object.metadata.annotations?.[unmanaged] === undefined,
  );
  const leased = counting.filter((node) => leases.get(`kube-node-lease/${node}`) !== undefined);
  const { nodeLeaseFailureFraction: fraction } = scene.config;
  const isMost = (some: readonly string[], all: readonly string[]): boolean => some.length >= fraction * all.length;
  const silentCounting = counting.filter((node) => silent.includes(node));
  // A single one that counts is too few to tell, and what is ours is raised (5.3): a restored seed may lack Machines. Of several, enough decide.
  const isCutOff =
    staying.length > 1 && counting.length !== 1 && isMost(silent, staying) && isMost(silentCounting, counting);
  return { isCutOff, isUntold: staying.length === nodes.length && (counting.length === 0 || leased.length === 0) };
}

const unmanaged = 'node.machine.sapcloud.io/not-managed-by-mcm';

function isLeaving(machine: KubeObject): boolean {
  const { phase } = asObject(asObject(machine['status'])['currentStatus']);
  return phase === 'Failed' || phase === 'Terminating';
}
