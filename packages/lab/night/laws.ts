import {
  ignoreAnnotation,
  markAnnotation,
  replicasAnnotation,
} from 'dependency-watchdog/domain/prober/resource-view.ts';
import { comesBack, cutOffAt, expiryOf, levelsBefore, wrongWriter } from '@dwd/testing/store-laws.ts';
import type { Facts, Judged, Marked, StruckTrouble, Written } from './facts.ts';

/** What a law came to: how often it was asked, how often it could not be told, and a sentence for each breach. */
export type LawSum = Readonly<{ law: string; asked: number; open: number; broken: readonly string[] }>;

type Outcome = 'holds' | 'open' | Readonly<{ broken: string }>;

/** A write that was on its way when the world changed, or a change that a watch has not told yet. */
const late = 2_000;
/** A way down may last so long after the probe that began it: levels wait for each other. */
const wayDown = 40_000;
/** A whole way down takes less where nothing else is wrong, also on cores that are shared. */
const wayDownTakes = 4_000;

type Change = Written & Readonly<{ by: string; before: Written | undefined }>;

/** The writes of probers that changed replicas, each with what stood there before: undefined where that is not known, as after a restored snapshot. */
function changesOf({ written, struck }: Facts): readonly Change[] {
  const last = new Map<string, Written>();
  const restores = struck.filter(({ kind }) => kind === 'etcd restored');
  return written.flatMap((one) => {
    const key = `${one.namespace}/${one.name}`;
    const known = last.get(key);
    last.set(key, one);
    const before =
      known !== undefined && restores.some(({ from, to }) => known.at < to && one.at > from) ? undefined : known;
    const { by } = one;
    if (by === undefined || one.replicas === undefined || before?.replicas === one.replicas) return [];
    return [{ ...one, by, before }];
  });
}

/** Whether a trouble of one of these kinds lay over this stretch of time, for the shoot or for all. */
function lay(
  struck: readonly StruckTrouble[],
  namespace: string,
  [from, to]: readonly [number, number],
  kinds: readonly StruckTrouble['kind'][],
): boolean {
  return struck.some(
    (one) =>
      kinds.includes(one.kind) &&
      (one.namespace === undefined || one.namespace === namespace) &&
      one.from <= to &&
      one.to >= from,
  );
}

const said = ({ at, by, namespace, name, replicas }: Change): string =>
  `${new Date(at).toISOString()} ${by} set ${namespace}/${name} to ${replicas}`;

/**
 * Whether so many leases were as old as the threshold at an instant. `by`: the time that is written in them, or the time at which the shoot's
 * API server took them. A renewal may be on its way for long behind a slow gateway, and a kube-controller-manager counts from when it comes.
 */
function wasCutOff(
  { renewed }: Facts,
  { graceMillis, failureFraction, nodes }: Judged,
  { namespace, at, by }: Readonly<{ namespace: string; at: number; by: 'renewTime' | 'at' }>,
): boolean {
  const latest = new Map<string, number>();
  for (const one of renewed)
    if (one.namespace === namespace && one.at <= at) latest.set(one.node, Math.max(one[by], latest.get(one.node) ?? 0));
  const expiries = [...latest.values()].map((since) => expiryOf(since, graceMillis));
  return cutOffAt(expiries, failureFraction, nodes) <= at;
}

/** Whether it was so at any time before, while a way down may have begun. */
function wasCutOffBefore(facts: Facts, judged: Judged, namespace: string, at: number): boolean {
  const looks = Array.from({ length: wayDown / 500 + 1 }, (_, count) => at - 500 * count);
  return looks.some((look) => wasCutOff(facts, judged, { namespace, at: look, by: 'renewTime' }));
}

type NightLaw = Readonly<{ law: string; judge: (facts: Facts, judged: Judged) => readonly Outcome[] }>;

const laws: readonly NightLaw[] = [
  {
    law: 'S1 down only while enough leases had expired',
    judge: (facts, judged) =>
      changesOf(facts)
        .filter(({ replicas }) => replicas === 0)
        .map((one) =>
          wasCutOffBefore(facts, judged, one.namespace, one.at)
            ? 'holds'
            : { broken: `${said(one)}, and too few of its leases had expired` },
        ),
  },
  {
    law: 'S2 what is ignored is not scaled',
    judge: (facts) =>
      changesOf(facts).map((one) => {
        const ignored = facts.struck.some(
          ({ kind, namespace, name, from, to }) =>
            kind === 'told to ignore' &&
            namespace === one.namespace &&
            name === one.name &&
            one.at > from + late &&
            one.at < to,
        );
        if (one.annotations[ignoreAnnotation] !== 'true' && !ignored) return 'holds';
        if (!ignored) return 'open';
        return { broken: `${said(one)}, which bears ${ignoreAnnotation}` };
      }),
  },
  {
    law: 'S3 no write for a shoot that sleeps or is gone',
    judge: (facts) =>
      changesOf(facts).map((one) => {
        const isAway = facts.away.some(
          ({ namespace, from, to }) => namespace === one.namespace && one.at > from + late && one.at < to,
        );
        return isAway ? { broken: `${said(one)}, and the shoot was hibernated or gone` } : 'holds';
      }),
  },
  {
    law: 'S4 levels in order, down and up',
    judge: (facts, judged) => changesOf(facts).map((one) => levelOrder(facts, judged, one)),
  },
  {
    law: 'S5 never 0 without record and mark',
    judge: (facts) =>
      changesOf(facts)
        .filter(({ replicas }) => replicas === 0)
        .map((one) => {
          const record = one.annotations[replicasAnnotation];
          const seen = { replicas: 0, marked: markAnnotation in one.annotations, ignored: false, record };
          if (comesBack(seen)) return 'holds';
          return { broken: `${said(one)}, with the annotations ${JSON.stringify(one.annotations)}` };
        }),
  },
  {
    law: 'S6 only the leader writes',
    judge: (facts) =>
      facts.written
        .filter(({ by }) => by !== undefined)
        .map((one) => {
          // A snapshot has another holder in it, whom nobody may have seen.
          if (lay(facts.struck, one.namespace, [one.at - 30_000, one.at], ['etcd restored'])) return 'open';
          const lease = facts.led.findLast(({ at }) => at <= one.at);
          if (lease === undefined) return 'open';
          const claim = { holder: lease.holds ? (lease.by ?? 'another') : '', at: lease.at };
          const wrong = wrongWriter(claim, { by: one.by ?? '', at: one.at });
          if (wrong === undefined) return 'holds';
          return { broken: `${new Date(one.at).toISOString()} ${one.by} wrote ${one.namespace}/${one.name} ${wrong}` };
        }),
  },
  {
    law: 'no healthy node is marked',
    judge: (facts, judged) =>
      facts.marked.map((mark) => {
        const { at, namespace, node } = mark;
        if (whyMarked(facts, judged, mark) !== undefined) return 'open';
        return { broken: `${new Date(at).toISOString()} ${node} of ${namespace} was marked` };
      }),
  },
  {
    law: 'a prober ends only where it cannot lead',
    judge: (facts) =>
      facts.fallen.map(({ at, pod, how }) => {
        const cannot = ['seed down', 'etcd down', 'etcd backed up', 'etcd restored', 'leader paused'] as const;
        if (lay(facts.struck, '', [at - 20_000, at], cannot)) return 'holds';
        return { broken: `${new Date(at).toISOString()} ${pod} ended with ${how}` };
      }),
  },
  {
    law: 'all is as before at the end',
    judge: ({ notAsBefore }) => (notAsBefore.length === 0 ? ['holds'] : notAsBefore.map((broken) => ({ broken }))),
  },
];

function levelOrder({ written, struck }: Facts, { dependants }: Judged, change: Change): Outcome {
  const { namespace, name, at, replicas } = change;
  // Another hand, or a restored snapshot, moves what the levels wait for.
  const others: readonly StruckTrouble['kind'][] = [
    'etcd restored',
    'raised by hand',
    'hibernated',
    'shoot deleted, and created again',
    'told to ignore',
  ];
  if (lay(struck, namespace, [at - wayDown, at], others)) return 'open';
  // A snapshot may have been taken on the way down: what was written before it was restored says nothing.
  const since = struck.findLast(({ kind, from }) => kind === 'etcd restored' && from <= at)?.to ?? -Infinity;
  const standing = (other: string) =>
    written.findLast((one) => one.namespace === namespace && one.name === other && one.at <= at && one.at > since)
      ?.replicas;
  const own = dependants.find(({ ref }) => ref.name === name);
  const lower = own === undefined ? [] : levelsBefore(dependants, own, replicas === 0 ? 'scaleDown' : 'scaleUp');
  const early = lower
    .map(({ ref }) => ref.name)
    .filter((other) => {
      const count = standing(other);
      return count !== undefined && (replicas === 0) !== (count === 0);
    });
  if (early.length === 0) return 'holds';
  return { broken: `${said(change)}, and ${early.join(' and ')} had not followed` };
}

/** Why a node may have been marked although a watchdog was there; undefined where nothing explains it. */
export function whyMarked(facts: Facts, judged: Judged, { namespace, node, at }: Marked): string | undefined {
  const { struck } = facts;
  const own = struck.filter((one) => one.namespace === undefined || one.namespace === namespace);
  const within = (before: number, ...kinds: readonly StruckTrouble['kind'][]) =>
    own.find(({ kind, from, to }) => kinds.includes(kind) && from <= at && to >= at - before);
  const ofShoot = [
    'API server down',
    'controller-manager paused',
    'hibernated',
    'shoot deleted, and created again',
    'told to ignore',
  ] as const;
  const struckBy =
    own.find(
      ({ kind, name, from, to }) => kind === 'node cut off' && name === node && from <= at && to >= at - 50_000,
    ) ??
    within(60_000, ...ofShoot) ??
    // It could not write.
    within(25_000, 'seed down', 'etcd down', 'etcd backed up', 'etcd restored') ??
    // Nobody led; a successor takes the Lease 15 s later at the earliest, and then looks.
    within(25_000, 'leader crashed', 'leader paused', 'leader told to end');
  if (struckBy !== undefined) return struckBy.kind;
  // Some were silent for longer than the others: behind a slow gateway, or one that broke twice.
  const looked = { namespace, at: at - wayDownTakes, by: 'at' } as const;
  return wasCutOff(facts, judged, looked) ? undefined : 'too few leases had expired in time';
}

/** What each law came to. */
export function judge(facts: Facts, judged: Judged): readonly LawSum[] {
  return laws.map(({ law, judge: judgeOne }) => {
    const outcomes = judgeOne(facts, judged);
    return {
      law,
      asked: outcomes.length,
      open: outcomes.filter((one) => one === 'open').length,
      broken: outcomes.flatMap((one) => (typeof one === 'object' ? [one.broken] : [])),
    };
  });
}
