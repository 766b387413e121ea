import type { Dependant } from '../../src/domain/prober/dependant.ts';
import { readRecord } from '../../src/domain/prober/due-change.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { isUpToDate, type KnownDependant, type Step } from '../../src/domain/prober/scale-step.ts';
import type { Instant } from '../../src/domain/time.ts';
import { hasSettled } from '../../src/domain/prober/odd-leases.ts';
import { perhapsUntil } from '../../src/domain/prober/silence.ts';
import { isExpired } from '../../src/domain/prober/verdict.ts';
import { probeDueAt } from '../../src/machines/probe-plan.ts';
import { recheckAt } from '../../src/machines/dependants.ts';
import { leasePolicy } from '../../src/machines/shoot-context.ts';
import type { ShootEvent } from '../../src/machines/shoot-language.ts';
import { shootWakeAt, type ShootSnapshot } from '../../src/machines/kinds.ts';
import type { ShootAccount } from '@dwd/testing/shoot-laws.ts';

/** Gives the next event of a move, or none if the machine has not asked for it. */
export type Play = (place: WalkPlace) => ShootEvent | undefined;

/**
 * One way in which the world can go on, in one or more events. `calm` if it leads on while everything is well,
 * `storm` if it does while the nodes are cut off and all else is well, `always` in either case; otherwise it is trouble.
 */
export type Move = Readonly<{ type: string; play: readonly Play[]; when: 'calm' | 'storm' | 'always' | 'trouble' }>;

/** A machine in its world: what no snapshot holds. */
export type WalkPlace = ShootAccount &
  Readonly<{
    snapshot: ShootSnapshot;
    now: Instant;
    /** The numbers of the writes that were withdrawn and are not answered yet. */
    takenBack: readonly number[];
    /** Laws that the step to this place broke. */
    broken: readonly string[];
  }>;

/** Whether something newer is known than the version that the write under way is based on. */
export function isOutrun({ snapshot: { context }, sent }: WalkPlace, { key }: Dependant): boolean {
  const { view, writing } = context.known[key]!;
  return writing !== null && view?.found === true && view.resourceVersion !== sent[key]?.seen.resourceVersion;
}

/** A place without its numbers: instants are due or not, counters stop at the number that they are compared with. */
export function describePlace(place: WalkPlace, config: ProberConfig): string {
  const { snapshot, now, owed, alarm, takenBack } = place;
  const { value, context } = snapshot;
  const { flow, streak, outage, pause, said, seen } = context;
  const nextAt = probeDueAt(context) ?? 0;
  const { grace } = leasePolicy(context);
  const known = config.dependants.map((dependant) => {
    const one = context.known[dependant.key]!;
    const stepNow = flow?.steps[dependant.key];
    const last =
      stepNow === undefined ? '' : `${describeStep(stepNow, { now, nextAt }, one)} ${describeEnds(place, dependant)}`;
    const withdrawn = one.writing !== null && takenBack.includes(one.writing);
    return [
      describeKnown(one),
      describeTries(one, now),
      // How many probes there are until it is asked for again.
      one.refusal === null ? '' : Math.max(0, Math.ceil((one.refusal.againAt - nextAt) / config.probeInterval)),
      withdrawn ? 'taken back' : '',
      isOutrun(place, dependant) ? 'outrun' : '',
      last,
      owed.includes(dependant.key),
      said.missing.includes(dependant.key),
    ].join(' ');
  });
  const asked = shootWakeAt(snapshot);
  // The candidates will be judged by these.
  const silent =
    value.probe === 'looking' && seen?.leases.some((lease) => isExpired(lease, seen.askedAt, grace)) === true;
  return [
    value.probe,
    silent,
    value.shield,
    pause === null ? '' : pause.interrupted ? 'interrupted' : 'paused',
    `${streak.of} ${Math.min(streak.count, streak.of === 'cutOff' ? config.failureThreshold : config.successThreshold)}`,
    outage?.stage ?? '',
    describeDescents(place),
    describeDoubts(place),
    describeLook(place, config),
    describePaths(place, config),
    flow?.wrote === true,
    flow === null ? '' : `${flow.aim} ${flow.level} ${flow.passed.join()}`,
    context.clusterLive ? '' : 'blind',
    recheckIsNext(snapshot) ? 'looked at next' : '',
    asked !== undefined && asked <= now ? 'due' : '',
    alarm === undefined ? '' : alarm <= now ? 'rings' : 'set',
    ...known,
  ].join('|');
}

/** Whether the next return waits (SPEC 6.5), and whether the next way down counts as another one. */
function describeDescents({ snapshot: { context } }: WalkPlace): string {
  const { descents } = context;
  if (descents === null || (probeDueAt(context) ?? 0) - descents.lastAt >= 600_000) return '';
  return `went down ${descents.count}`;
}

/** What was said of doubtful leases, and what the next probe may say of them. */
function describeDoubts({ snapshot: { context } }: WalkPlace): string {
  const { said, seen, streak } = context;
  const nextAt = probeDueAt(context) ?? 0;
  const isOver = said.aheadAt !== null && nextAt - said.aheadAt >= 600_000;
  const { grace } = leasePolicy(context);
  const calm =
    seen === null || seen.calmSince === null ? '' : hasSettled(seen.calmSince, nextAt, grace) ? 'settled' : 'calm';
  const asked = { askedAt: nextAt, grace, silence: context.probe.silence };
  const doubts = seen?.leases.map((lease) => perhapsUntil(lease, asked)).filter((end) => end !== undefined) ?? [];
  // How many probes there are until all of it is told.
  const inDoubt =
    doubts.length === 0 ? '' : `in doubt ${Math.min(3, Math.ceil((Math.max(...doubts) - nextAt) / 5_000))}`;
  // Those that stand still are no first look.
  const isOld = streak.of === 'connected' && seen?.leases.every((lease) => isExpired(lease, seen.askedAt, grace));
  const old = isOld === true ? 'old' : '';
  const ahead = said.aheadAt === null ? '' : isOver ? 'ahead long ago' : 'ahead';
  // What is ahead now will have gone back, and is seen for the first time once more.
  const first = inDoubt !== '' && (seen?.ahead.count ?? 0) > 0 ? 'anew' : '';
  return [ahead, said.notRenewed > 0, calm, inDoubt, first, old].join(' ');
}

/** What the last look is still good for when the next probe comes. */
function describeLook({ snapshot: { context } }: WalkPlace, { probeInterval }: ProberConfig): string {
  const { seen } = context;
  if (seen === null || seen.lookedAt === null) return '';
  const age = (probeDueAt(context) ?? 0) - seen.lookedAt;
  const lasts = age <= 10_000 ? 'looked' : age < Math.max(probeInterval, 60_000) ? 'looked before' : '';
  return lasts === '' ? '' : `${lasts}, ${seen.nonCandidates.length} left out`;
}

/** What the two paths of the probe under way told, and how the next one is asked (SPEC 4.9). */
function describePaths({ snapshot: { value, context } }: WalkPlace, { failureThreshold }: ProberConfig): string {
  const { paths, probe } = context;
  if (paths === undefined) return '';
  const { asked, reason, internalSlow, sideBySide, internalFailures } = paths;
  const failures = `${sideBySide ? 'side by side' : 'one by one'} ${Math.min(internalFailures, failureThreshold)}`;
  const alone = probe.heldUntil !== null && probe.heldUntil >= (probe.nextAt ?? 0) ? 'alone' : '';
  if (value.probe === 'resting' || value.probe === 'off') return `${failures} ${alone}`;
  return `${failures} ${asked.internal} ${asked.external} ${reason === 'timeout'} ${internalSlow}`;
}

/** Whether the prober looks at what it believes to be down before the next probe. */
function recheckIsNext({ value, context }: ShootSnapshot): boolean {
  const at = recheckAt(context);
  return value.shield.startsWith('scal') && at !== undefined && at < (probeDueAt(context) ?? 0);
}

function describeKnown(known: KnownDependant): string {
  const { view, live, reading, writing, refusal } = known;
  const seen =
    view === null
      ? 'unknown'
      : !view.found
        ? 'missing'
        : [
            view.replicas > 0,
            view.readyReplicas > 0,
            view.observed,
            view.marked,
            readRecord(view.record) !== undefined,
            view.ignored,
          ]
            .map(Number)
            .join('');
  return [
    seen,
    live ? 'live' : '',
    view !== null && !isUpToDate(known) ? 'outdated' : '',
    reading === null ? '' : `reading ${reading.bucket}${reading.overtaken ? ' overtaken' : ''}`,
    refusal === null ? '' : `refused ${Math.min(2, refusal.times)}`,
    writing === null ? '' : 'writing',
  ].join(' ');
}

/** Whether a back-off runs, and a write may still be found undone. */
function describeTries({ tries }: KnownDependant, now: Instant): string {
  if (tries === null || now >= tries.againAt + 60_000) return '';
  const { direction, undone, holds, againAt } = tries;
  if (holds && !undone) return '';
  return [undone ? 'undone' : '', now >= againAt ? '' : `backs off ${direction}`].join(' ');
}

/** Whether the time is over for which it is waited for; what is only said is left out. */
function describeEnds({ snapshot: { context }, now }: WalkPlace, { key, scaleUp, scaleDown }: Dependant): string {
  const { flow, config } = context;
  const since = flow?.triedAt[key];
  if (flow === null || since === undefined) return '';
  if (flow.aim !== 'down') return `${now - since >= scaleUp.timeout}`;
  const isLast = config.dependants.every((one) => one.scaleDown.level <= scaleDown.level);
  return isLast ? '' : `${flow.passed.includes(key) || now - since >= 1_000}`;
}

function describeStep(
  one: Step,
  { now, nextAt }: Readonly<{ now: Instant; nextAt: Instant }>,
  { live }: KnownDependant,
): string {
  // Probes come every 5 s while something is down.
  const probesUntil = (at: Instant) => (nextAt === 0 ? now >= at : Math.max(0, Math.ceil((at - nextAt) / 5_000)));
  switch (one.is) {
    case 'done':
    case 'stuck':
      return one.is;
    case 'settling':
      return `settling ${!live && now >= one.readAt}`;
    case 'pending':
      return `pending ${one.write}`;
    case 'delayed':
      return `delayed ${one.write} ${now >= one.until} ${probesUntil(one.until)}`;
    case 'asking':
    case 'backingOff':
      return `${one.is} ${one.write} ${one.is === 'backingOff' && now >= one.until}`;
  }
}
