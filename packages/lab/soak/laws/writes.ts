import { writesAtOnce, type Dependant } from 'dependency-watchdog/domain/prober/dependant.ts';
import { readResource } from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { workloadNumbers } from '@dwd/simulator/store/resource-kind.ts';
import { comesBack, isLeftAlone, levelsBefore, wrongReplicas, type DependantSeen } from '@dwd/testing/store-laws.ts';
import type { Law } from '../law.ts';
import type { Observation } from '../observation.ts';
import { silence, WebhooksSeen, type Reason } from './troubles.ts';

type ChangeSeen = Extract<Observation, { kind: 'change' }>;

/** What a write of ours may do to a dependant, judged by the object before and after it in the store. */
export const storeWrites: Law = {
  name: 'S2 S5 6.4 6.5 no 0 without mark and record, and no replicas lost',
  begin(_, { breaks, troubles }) {
    const webhooks = new WebhooksSeen();
    return {
      happening: (seen) => webhooks.happening(seen),
      dependant(observation) {
        const { change, of, at } = observation;
        const { namespace = '' } = change.revision.object.metadata;
        const { writer, previous } = change;
        if (writer === undefined || webhooks.has(namespace, at)) return;
        const why =
          change.type === 'MODIFIED' && previous !== undefined
            ? wrongIn(seen(observation, previous.object), seen(observation, change.revision.object), {
                atOnce: !of.custom,
                mayBeOurs: () => troubles.hasFor(namespace, writer.user, at - perhapsOurs, unansweredBy),
              })
            : `it was ${change.type}`;
        if (why !== undefined) breaks(`${writer.user} wrote ${change.revision.key}: ${why}`);
      },
    };
  },
};

function seen({ of }: ChangeSeen, object: ChangeSeen['change']['revision']['object']): DependantSeen {
  const { marked, ignored, record } = readResource(object);
  return { replicas: workloadNumbers(of, object).desired, marked, ignored, record };
}

/** So long after a write without an answer a 0 without a mark may be its doing, and gets what it had (6.8): one minute, and what its time-out takes. */
const perhapsOurs: Millis = 120_000;

const unansweredBy: readonly Reason[] = [
  'the way to the seed was closed or slow',
  'the seed was not well',
  'a request met a fault',
];

/** `atOnce`: one guarded write changes all, so nobody can have come between (SPEC 6.6). `mayBeOurs`: a write of ours had no answer. */
function wrongIn(
  before: DependantSeen,
  after: DependantSeen,
  { atOnce, mayBeOurs }: Readonly<{ atOnce: boolean; mayBeOurs: () => boolean }>,
): string | undefined {
  const became = `${JSON.stringify(before)} became ${JSON.stringify(after)}`;
  if (before.ignored && atOnce) return isLeftAlone(before, after) ? undefined : `it is ignored, and ${became}`;
  if (!comesBack(after)) return `0 without mark and record: ${became}`;
  const wrong = atOnce ? wrongReplicas(before, after, mayBeOurs) : undefined;
  return wrong && `${wrong}: ${became}`;
}

type Side = 'scaleDown' | 'scaleUp';

/** A dependant as it stands in the store, and since when. */
type Standing = Readonly<{
  desired: number;
  ready: number;
  ignored: boolean;
  marked: boolean;
  /** Who scaled it last, and when; undefined for another hand. */
  scaledBy: string | undefined;
  scaledAt: Instant;
  /** Since when as many pods are ready as are needed to be done. */
  doneAt: Instant;
}>;

const untouched = { ignored: false, marked: false, scaledBy: undefined, scaledAt: -Infinity, doneAt: -Infinity };

/** So long after another hand wrote a dependant the flow may not have come back to it (6.9). */
const afterHands: Millis = 60_000;
/** A drifting clock measures a delay a little short. */
const slack = 0.99;
/** So long a level is waited for on the way down at least, from when it is first to be read or written (6.1). */
const leastLevelTime: Millis = 1_000;

/** What may make a process go on without a dependant, or measure a delay by another clock. */
const excuses: readonly Reason[] = [
  'the way to the seed was closed or slow',
  'the seed was not well',
  'etcd was restored, or watches were lost',
  'a request met a fault',
  silence,
  'a clock was wrong',
  'a dependant was ignored, or written by others',
];

/** When one of our writes takes a dependant down, or up, all of lower levels are so already in the store, and the delay since then is over. */
export const levelOrder: Law = {
  name: 'S4 6.1 the levels keep their order in the store',
  begin(scene, { troubles, breaks }) {
    const { dependants } = scene.config;
    const standings = new Map<string, Standing>();
    /** By process and shoot, when its Cluster ruled it out: a flow that begins after it waits for no pods of what went up before it. */
    const restedAt = new Map<string, Instant>();
    /** By process and shoot, when its way down first asked to read or write each dependant: earlier than the store has it. */
    const askedAt = new Map<string, Map<string, Instant>>();
    const counts = { 'writes in level order': 0, 'delays of levels kept': 0 };

    for (const shoot of scene.seed.shoots)
      for (const name of shoot.dependants.names) {
        const { desired = 0, ready = 0 } = shoot.dependants.get(name) ?? {};
        if (desired > 0) standings.set(`${shoot.name}/${name}`, { ...untouched, desired, ready });
      }

    const wrongIn = (shoot: string, own: Dependant, side: Side, process: string, sentAt: Instant) => {
      const { initialDelay } = own[side];
      const rested = restedAt.get(`${process} ${shoot}`) ?? -Infinity;
      let latest = -Infinity;
      for (const other of levelsBefore(dependants, own, side)) {
        const standing = standings.get(`${shoot}/${other.ref.name}`);
        if (standing === undefined || standing.ignored) continue;
        const told = `${own.ref.name} of ${shoot} while ${other.ref.name} stood at ${standing.desired}, ${standing.ready} ready`;
        const waited = side === 'scaleDown' ? Math.min(other[side].timeout, leastLevelTime) : other[side].timeout;
        const asked = side === 'scaleDown' ? askedAt.get(`${process} ${shoot}`)?.get(other.ref.name) : undefined;
        const isLate = sentAt - Math.min(asked ?? Infinity, standing.scaledAt) >= waited * slack;
        const isOurs = standing.scaledBy === process && standing.scaledAt > rested;
        if (side === 'scaleDown' && (standing.desired > 0 || (standing.ready > 0 && !isLate))) return told;
        if (side === 'scaleUp' && standing.desired === 0 && standing.marked) return told;
        if (side === 'scaleUp' && standing.desired > 0 && standing.ready === 0 && isOurs && !isLate) return told;
        if (isOurs && !isLate) latest = Math.max(latest, standing.doneAt);
      }
      counts['writes in level order'] += 1;
      if (initialDelay === 0 || latest === -Infinity) return undefined;
      counts['delays of levels kept'] += 1;
      return sentAt - latest >= initialDelay * slack
        ? undefined
        : `${own.ref.name} of ${shoot} ${sentAt - latest} ms after the level before it was done`;
    };

    return {
      shootTurn({ at, process, turn }) {
        const key = `${process} ${turn.subject}`;
        if (turn.to === 'idle') restedAt.set(key, at);
        if (turn.to !== 'scalingDown') return void askedAt.delete(key);
        const asked = askedAt.get(key) ?? new Map<string, Instant>();
        askedAt.set(key, asked);
        for (const { type, params } of turn.commands)
          if ((type === 'scale' || type === 'read') && !asked.has(params.ref.name)) asked.set(params.ref.name, at);
      },
      dependant(observation) {
        const { change, at } = observation;
        const { namespace: shoot = '', name } = change.revision.object.metadata;
        const key = `${shoot}/${name}`;
        const before = standings.get(key);
        const own = dependants.find(({ ref }) => ref.name === name);
        if (change.type === 'DELETED') standings.delete(key);
        else standings.set(key, standingAfter(before, observation));
        const { writer, previous } = change;
        const after = standings.get(key);
        if (writer === undefined || previous === undefined || own === undefined || after === undefined) return;
        const desired = workloadNumbers(observation.of, previous.object).desired;
        if ((desired === 0) === (after.desired === 0)) return;
        if (troubles.hasFor(shoot, writer.user, at - afterHands, excuses)) return;
        const side = after.desired === 0 ? 'scaleDown' : 'scaleUp';
        const wrong = wrongIn(shoot, own, side, writer.user, writesAtOnce(own.ref) ? writer.sentAt : at);
        if (wrong !== undefined) breaks(`${writer.user} scaled ${side === 'scaleDown' ? 'down' : 'up'} ${wrong}`);
      },
      counts: () => counts,
    };
  },
};

function standingAfter(
  before: Standing | undefined,
  { of, change, at }: Extract<Observation, { kind: 'change' }>,
): Standing {
  const { object } = change.revision;
  const { desired, ready } = workloadNumbers(of, object);
  const { ignored, marked } = readResource(object);
  const isScaled = before?.desired !== desired;
  const isDone = desired === 0 ? ready === 0 : ready > 0;
  const wasDone = before !== undefined && !isScaled && (desired === 0 ? before.ready === 0 : before.ready > 0);
  return {
    desired,
    ready,
    ignored,
    marked,
    scaledBy: isScaled ? change.writer?.user : before.scaledBy,
    scaledAt: isScaled ? at : before.scaledAt,
    doneAt: isDone ? (wasDone ? before.doneAt : at) : Infinity,
  };
}
