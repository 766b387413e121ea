import type { ShootLanguage } from '../../../machines/kinds.ts';
import {
  type EpisodeOdd,
  type EpisodeWords,
  firstLine,
  follow,
  type Follower,
  listWords,
  stagesOf,
} from './episode.ts';
import { pathProbes } from '../facts/path-probes.ts';
import type { LeaderOf } from './leaders.ts';
import { askedWitness, oddsOf } from './outage-odds.ts';
import { leaseWitness } from '../facts/lease-witness.ts';
import { type ExternalFailures, isOutage, outagesOf, type ShootOutage } from './shoot-outages.ts';
import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import { clockWords, counted, lengthWords } from '../../words/plain-words.ts';
import { accountWords } from '../words/lease-words.ts';
import { expiredWords, externalWords, thresholdWords } from '../words/probe-words.ts';
import { shortName } from '../words/write-words.ts';
import {
  actorsData,
  changesWords,
  doneBy,
  mostLeaders,
  outageData,
  overAt,
  raisedIn,
  scaledWords,
  takenOver,
  type TakenOver,
} from './outage-runs.ts';

/** Follows the outages of one shoot. `leaderOf`: who led in a run. `leases` hears each turn here. */
export function followOutages(leaderOf: LeaderOf = () => undefined, leases = leaseWitness()): Follower<ShootLanguage> {
  const [paths, probes] = [pathProbes(), askedWitness()];
  const nextOutage = outagesOf({
    leases: () => leases.account(),
    external: () => paths.external(),
    asked: probes.asked,
  });
  return follow<ShootLanguage, ShootOutage>({
    kind: 'outage',
    next(open, turn, run) {
      leases.observe(turn);
      paths.observe(turn);
      probes.observe(turn);
      const after = nextOutage(open, turn, run);
      if (turn.notes.some(({ kind }) => kind === 'verdict')) probes.judged();
      return after;
    },
    tells: isOutage,
    beganAt: ({ cutOffAt, began }) => cutOffAt ?? began.at,
    words: (outage) => outageEpisode(outage, leaderOf),
  });
}

/** A sentence holds so many names of dependants; more are counted. */
const mostNamed = 4;

/** And so often what somebody else raised is told of. */
const mostRaised = 2;

/** An outage as an episode: from the leases that told of it to the dependants that are back. */
export function outageEpisode(outage: ShootOutage, leaderOf: LeaderOf = () => undefined): EpisodeWords {
  const { began, turns, cutOffAt, decidedAt, downAt, downAgain, firstMarkAt, connectedAt, backAt, endedAt, endedBy } =
    outage;
  const raised = raisedIn(outage);
  const over = takenOver(outage, leaderOf);
  const odds = oddsOf(outage, over);
  const isLate = downAt !== null && firstMarkAt !== null && downAt > firstMarkAt;
  return {
    weight: weightOf(outage),
    sentence: [...cutOffWords(outage), ...downWords(outage), ...raisedWords(outage), ...endWords(outage, over)].join(
      '; ',
    ),
    brief: briefWords(outage, odds, over),
    lines: linesOf(outage, odds),
    stages: stagesOf(
      [
        { name: 'cut off', at: cutOffAt, turn: turns.cutOff },
        { name: 'decided', at: decidedAt, turn: turns.decided },
        { name: isLate ? 'too late' : 'protected', at: downAt, turn: turns.down },
        { name: 'raised', at: raised[0]?.at ?? null, turn: turns.raised },
        { name: 'scaled down again', at: downAgain?.at ?? null, turn: turns.downAgain },
        { name: 'connected again', at: connectedAt, turn: turns.connected },
        { name: 'brought back', at: backAt, turn: turns.back },
        { name: 'ended', at: endedBy === null ? null : endedAt, turn: turns.ended },
        ...over.slice(-mostLeaders).map((one) => ({ name: 'new leader', at: overAt(one), turn: one.turn })),
      ].toSorted(byTime),
    ),
    turn: turns.decided ?? turns.cutOff ?? began,
    odds,
    data: { ...outageData(outage), ...actorsData(outage, leaderOf) },
  };
}

/** What has not come stays where it is: it is left out anyway. */
function byTime(one: Readonly<{ at: Instant | null }>, other: Readonly<{ at: Instant | null }>): number {
  return (one.at ?? Infinity) - (other.at ?? Infinity) || 0;
}

/** One request through the load balancer that failed is no more than worth knowing (SPEC 4.9). */
function weightOf({ overdue, external, reached }: ShootOutage): EpisodeWords['weight'] {
  if (overdue) return 'bad';
  return external !== null && reached === 'leaseFailed' ? 'notable' : 'grave';
}

/** `cut off: 3 of 5 leases were 30 s old at 12:00:44.1; decided 0.05 s later`. */
function cutOffWords(outage: ShootOutage): readonly string[] {
  const { cutOffAt, external, decidedAt } = outage;
  if (cutOffAt === null) return ['found scaled down by the watchdog, and nobody saw since when'];
  return [
    `cut off: ${external === null ? leasesWords(outage, cutOffAt) : externalFailuresWords(external, cutOffAt)}`,
    ...(decidedAt === null ? [] : [`decided ${lengthWords(decidedAt - cutOffAt)} later`]),
  ];
}

/** `from 12:00:20.3 on the external path failed 3 times in a row, while the internal one answered (no answer in time)`. */
function externalFailuresWords(external: ExternalFailures, cutOffAt: Instant): string {
  const why = external.detail ?? external.reason;
  const because = why === undefined ? '' : ` (${firstLine(why)})`;
  return `from ${clockWords(cutOffAt)} on the external path ${externalWords.failed(external)}${because}, while the internal one answered`;
}

function leasesWords({ turns, leases, witnessed, decidedAt }: ShootOutage, cutOffAt: Instant): string {
  const old = witnessed === undefined ? 'expired' : `${lengthWords(witnessed.expiry)} old`;
  // Leases that nobody could ask for may have crossed the threshold long before a probe saw them.
  const seenAt = decidedAt ?? turns.cutOff?.at ?? cutOffAt;
  const when =
    seenAt - cutOffAt < 1_000
      ? ` at ${clockWords(cutOffAt)}`
      : `${witnessed === undefined ? '' : ' or more'}, and the threshold was crossed at ${clockWords(cutOffAt)}`;
  return `${leases === null ? `the leases were ${old}` : expiredWords.sentence(leases, old, 'then')}${when}`;
}

function downWords(outage: ShootOutage): readonly string[] {
  const { cutOffAt, decidedAt, downAt, firstMarkAt, connectedAt, endedAt, reached, witnessed, external, overdue } =
    outage;
  if (cutOffAt === null) return [];
  const over = connectedAt !== null || endedAt !== null;
  if (downAt !== null && firstMarkAt !== null) {
    const keys = scaledDown(outage);
    const who = `${keys.length === 0 ? 'everything' : namesOf(keys)} ${keys.length > 1 ? 'were' : 'was'}`;
    const margin = marginWords(firstMarkAt - downAt);
    if (downAt <= firstMarkAt) return [`${who} at 0 after ${lengthWords(downAt - cutOffAt)}, ${margin}`];
    const setAt = outage.scaled.findLast(({ to, at }) => to === 0 && at <= downAt)?.at ?? downAt;
    if (setAt > firstMarkAt) return [`${who} seen at 0 after ${lengthWords(downAt - cutOffAt)}, ${margin}`];
    // When the last pod ended, nobody knows: it is said what was seen (SPEC 9.2).
    const set = `set to 0 after ${lengthWords(setAt - cutOffAt)}, ${marginWords(firstMarkAt - setAt)}`;
    return [`${who} ${set}, and the pods were seen to be gone ${margin}`];
  }
  if (decidedAt !== null) {
    const what = over ? 'not everything is known to be scaled down' : 'not everything is scaled down yet';
    return [overdue ? `${what}, and a node may have been marked` : what];
  }
  if (reached !== 'leaseFailed') return ['nothing was left to scale down'];
  const needed = external?.of ?? witnessed?.failureThreshold;
  const often = needed === undefined ? '' : `, since ${thresholdWords(needed)}`;
  return [`nothing was scaled down${over ? '' : ' yet'}${often}`];
}

function marginWords(margin: Millis): string {
  return `${lengthWords(Math.abs(margin))} ${margin < 0 ? 'after a node may have been marked' : 'before a node could be marked'}`;
}

/** `kubectl raised kube-controller-manager to 1 at 12:01:02.0, and it was scaled to 0 again 4.1 s later; everything was at 0 again 35.2 s before a node could be marked`. */
function raisedWords(outage: ShootOutage): readonly string[] {
  const { scaled, downAgain } = outage;
  const raised = raisedIn(outage);
  const told = raised.slice(0, mostRaised).map(({ key, to, at, by }) => {
    const down = scaled.find((one) => one.key === key && one.to === 0 && one.at > at);
    const then = down === undefined ? '' : `, and it was scaled to 0 again ${lengthWords(down.at - at)} later`;
    return `${by === '' ? 'somebody else' : by} raised ${shortName(key)} to ${to} at ${clockWords(at)}${then}`;
  });
  if (raised.length > mostRaised) told.push(`so it went ${counted(raised.length - mostRaised, 'time')} more`);
  if (downAgain !== null) {
    const margin = downAgain.firstMarkAt - downAgain.at;
    told.push(`everything was ${margin < 0 ? 'seen ' : ''}at 0 again ${marginWords(margin)}`);
  }
  return told;
}

function endWords(outage: ShootOutage, over: readonly TakenOver[]): readonly string[] {
  return [...changesWords(outage, over), ...lastWords(outage, over)];
}

/** `3 of 5 leases expired; it was 0.45 s too late: …; kubectl raised …; brought back by the prober b, …`. */
function briefWords(outage: ShootOutage, odds: readonly EpisodeOdd[], over: readonly TakenOver[]): string {
  const { leases, external, backAt, turns } = outage;
  const cause = leases === null ? 'found scaled down' : expiredWords.phrase(leases);
  const back = backAt === null ? '' : doneBy(backAt, turns.back?.run, over);
  return [
    external === null ? cause : `the external path ${externalWords.failed(external)}`,
    ...odds.flatMap(({ what, words }) => (what === 'tooLate' || what === 'notReady' ? [`it ${words}`] : [])),
    ...raisedWords({ ...outage, downAgain: null }),
    ...changesWords(outage, over),
    ...(back === '' ? [] : [`brought back${back}`]),
  ].join('; ');
}

function lastWords(outage: ShootOutage, over: readonly TakenOver[]): readonly string[] {
  const { connectedAt, backAt, endedAt, endedBy, decidedAt, scaled, again } = outage;
  const more = again === 0 ? '' : `, after it was cut off ${again === 1 ? 'once more' : `${again} times more`}`;
  const connected = connectedAt === null ? [] : [`connected again at ${clockWords(connectedAt)}${more}`];
  if (endedAt === null)
    return connectedAt === null ? ['still cut off'] : [...connected, 'not everything is brought back yet'];
  if (endedBy !== null) {
    const down = staysDown(outage);
    const rest = down.length === 0 ? '' : `, and ${namesOf(down)} ${down.length === 1 ? 'stays' : 'stay'} scaled down`;
    return [...connected, `ended at ${clockWords(endedAt)}, because ${endedBy}${rest}`];
  }
  if (backAt !== null && scaled.length > 0)
    return [
      ...connected,
      `everything was brought back ${lengthWords(backAt - (connectedAt ?? backAt))} later${doneBy(backAt, outage.turns.back?.run, over)}`,
    ];
  return decidedAt === null ? connected : [...connected, 'nothing was left to scale up'];
}

function linesOf(outage: ShootOutage, odds: readonly EpisodeOdd[]): readonly string[] {
  const { witnessed, late, leases } = outage;
  const scaled = scaledWords(outage);
  return [
    ...odds.flatMap(({ what, words }) => (what === 'tooLate' ? [`it ${words}`] : [])),
    ...(witnessed === undefined || leases === null
      ? []
      : [`leases: ${expiredWords.line(leases)}${accountWords(witnessed.account)}`]),
    ...(scaled === '' ? [] : [`replicas: ${scaled}`]),
    ...late.map(
      ({ key, direction, timeout }) =>
        `${shortName(key)} ${direction === 'down' ? 'was not scaled down' : 'had no ready replica'} after ${lengthWords(timeout)}`,
    ),
  ];
}

/** Those that were scaled to 0, in that order. */
function scaledDown({ scaled }: ShootOutage): readonly DependantKey[] {
  return [...new Set(scaled.filter(({ to }) => to === 0).map(({ key }) => key))];
}

function staysDown({ scaled }: ShootOutage): readonly DependantKey[] {
  const last = new Map(scaled.map(({ key, to }) => [key, to]));
  return [...last].filter(([, to]) => to === 0).map(([key]) => key);
}

function namesOf(keys: readonly DependantKey[]): string {
  return listWords(keys.map(shortName), mostNamed);
}
