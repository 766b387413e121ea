import type { Instant } from '../../../domain/time.ts';
import { counted, lengthWords } from '../../words/plain-words.ts';
import { nameOf, type TurnName } from '../facts/turns.ts';
import { textOf } from './episode.ts';
import { type Leader, type LeaderOf, tookWords } from './leaders.ts';
import type { ShootOutage, ShootTurn } from './shoot-outages.ts';
import { shortName } from '../words/write-words.ts';
import { accountFields } from '../words/lease-words.ts';

/** A process that crashes every few seconds must not fill the memory: so many runs are kept, the first and the last of them. */
const mostRuns = 10;

/** Another process goes on with the outage that this one left, and a machine that is started has judged nothing yet. */
export function led(outage: ShootOutage, turn: ShootTurn, run: string): ShootOutage {
  const known = outage.runs.at(-1)?.run === run;
  if (known && turn.event.type !== 'started') return outage;
  const judged = false;
  if (known) return outage.judged ? { ...outage, judged } : outage;
  const runs = [...outage.runs, nameOf(turn, run)];
  if (runs.length <= mostRuns) return { ...outage, judged, runs };
  return { ...outage, judged, runs: runs.toSpliced(1, 1), unnamedRuns: outage.unnamedRuns + 1 };
}

/** A dependant that is scaled to and fro for hours must not fill the memory: so many writes are kept of its first, and of its last. */
const [firstWrites, lastWrites] = [10, 40];

export function withScaled(outage: ShootOutage, one: ShootOutage['scaled'][number]): ShootOutage {
  const writes = [...outage.scaled, one];
  if (writes.length <= firstWrites + lastWrites) return { ...outage, scaled: writes };
  return { ...outage, scaled: writes.toSpliced(firstWrites, 1), unnamedWrites: outage.unnamedWrites + 1 };
}

/** What somebody else raised. */
export function raisedIn({ scaled }: ShootOutage): readonly ShootOutage['scaled'][number][] {
  return scaled.filter(({ by }) => by !== undefined);
}

/** A process that took over while the outage went on, and its first turn. */
export type TakenOver = Readonly<{ leader: Leader; turn: TurnName }>;

/** Those that took over, in their order. The first run saw the outage begin, unless it took the lead only then. */
export function takenOver({ runs, cutOffAt }: ShootOutage, leaderOf: LeaderOf): readonly TakenOver[] {
  return runs.flatMap((turn) => {
    const leader = leaderOf(turn.run);
    if (leader === undefined) return [];
    const found = leader.from !== undefined && leader.tookAt > (cutOffAt ?? -Infinity);
    return turn !== runs[0] || found ? [{ leader, turn }] : [];
  });
}

/** When it took the lead, or where its first turn tells another story (clocks differ), when that was. */
export function overAt({ leader, turn }: TakenOver): Instant {
  return Math.min(leader.tookAt, turn.at);
}

/** ` by the prober b, 12.1 s after it took the lead at 12:05:01.2 from a`; empty where the process that began it did it. */
export function doneBy(at: Instant, run: string | undefined, over: readonly TakenOver[]): string {
  const one = over.findLast(({ turn }) => turn.run === run);
  if (one === undefined) return '';
  const { leader } = one;
  return ` by ${leader.words}, ${lengthWords(Math.max(0, at - leader.tookAt))} after it ${tookWords(leader)}`;
}

/** So often it is told who took the lead. */
export const mostLeaders = 2;

/** Who took the lead meanwhile. Who brought it back is said there. */
export function changesWords({ turns, unnamedRuns }: ShootOutage, over: readonly TakenOver[]): readonly string[] {
  const others = over.filter(({ turn }) => turns.back?.run !== turn.run);
  const told = others.slice(-mostLeaders).map(({ leader }) => `${leader.words} ${tookWords(leader)}`);
  const more = others.length - told.length + unnamedRuns;
  return more === 0 ? told : [`the lead changed ${counted(more, 'time')}`, ...told];
}

/** Who did what, for programs. */
export function actorsData(
  { turns, began, runs, unnamedRuns }: ShootOutage,
  leaderOf: LeaderOf,
): Readonly<Record<string, unknown>> {
  if (runs.length < 2) return {};
  const name = (run: string | undefined) => (run === undefined ? undefined : { run, leader: leaderOf(run)?.words });
  return {
    by: {
      began: name(began.run),
      decided: name(turns.decided?.run),
      scaledDown: name(turns.down?.run),
      broughtBack: name(turns.back?.run),
    },
    leaders: runs.map(({ run, at }) => {
      const leader = leaderOf(run);
      return { run, leader: leader?.words, tookAt: textOf(leader?.tookAt ?? at), how: leader?.how, from: leader?.from };
    }),
    ...(unnamedRuns === 0 ? {} : { leadersLeftOut: unnamedRuns }),
  };
}

/** `kube-controller-manager 2 → 0 → 1 (kubectl) → 0 → 2, cluster-autoscaler 1 → 0 → 1`. */
export function scaledWords({ scaled, unnamedWrites }: ShootOutage): string {
  const ways = [...Map.groupBy(scaled, ({ key }) => key)].map(
    ([key, writes]) =>
      `${shortName(key)} ${[writes[0]?.from, ...writes.map(({ to, by }) => (by === undefined ? to : `${to} (${by === '' ? 'somebody else' : by})`))].join(' → ')}`,
  );
  return [...ways, ...(unnamedWrites === 0 ? [] : [`and ${unnamedWrites} writes in between`])].join(', ');
}

/** The same for programs: instants as in the lines, lengths in milliseconds. */
export function outageData(outage: ShootOutage): Readonly<Record<string, unknown>> {
  const { shoot, cutOffAt, leases, decidedAt, downAt, downAgain, firstMarkAt, connectedAt, backAt, endedAt, endedBy } =
    outage;
  const { count, of, ...why } = outage.external ?? {};
  return {
    shoot,
    cutOffAt: textOf(cutOffAt),
    ...leases,
    ...accountFields(outage.witnessed?.account),
    ...(outage.external === null ? {} : { external: { count, of }, ...why }),
    decidedAfterMs: between(cutOffAt, decidedAt),
    scaledDownAfterMs: between(cutOffAt, downAt),
    marginMs: between(downAt, firstMarkAt),
    connectedAt: textOf(connectedAt),
    broughtBackAfterMs: between(connectedAt, backAt),
    endedAt: textOf(endedAt),
    endedBy: endedBy ?? undefined,
    marginAgainMs: downAgain === null ? undefined : downAgain.firstMarkAt - downAgain.at,
    scaled: outage.scaled.map(({ key, from, to, at, by }) => ({
      dependant: key,
      from,
      to,
      at: textOf(at),
      ...(by === undefined ? {} : { by }),
    })),
  };
}

function between(from: Instant | null, to: Instant | null): number | undefined {
  return from === null || to === null ? undefined : to - from;
}
