import { instantText } from '../../adapters/words/plain-words.ts';
import { oddityWords } from '../../adapters/words/standing-words.ts';
import { releaseWords } from '../../adapters/words/write-words.ts';
import { writesAtOnce } from '../../domain/prober/dependant.ts';
import { dueChange } from '../../domain/prober/due-change.ts';
import {
  type FieldWrite,
  downSince,
  isAtOdds,
  shootStates,
  type DependantStanding,
  type ShootStanding,
} from '../../domain/prober/standing.ts';
import type { ProberTold } from '../../domain/prober/prober-told.ts';
import type { Instant } from '../../domain/time.ts';
import type { LeaderSeen } from './leader-line.ts';

/** One look at a seed, for all forms of the output. */
export type SeedStatus = Readonly<{
  at: Instant;
  server: string;
  leader: LeaderSeen;
  /** Where a prober's address was given; `problem`: why it tells nothing. */
  prober?: Readonly<{ address: string; problem?: string }>;
  /** Worst first. */
  shoots: readonly ShootStatus[];
}>;

export type ShootStatus = Readonly<{ standing: ShootStanding; told?: ProberTold }>;

/** Whether the command ends with code 1: a shoot is at odds, nobody leads, or the prober does not answer. */
export function isSeedAtOdds({ leader, prober, shoots }: SeedStatus): boolean {
  return leader.is === 'nobody' || prober?.problem !== undefined || shoots.some(({ standing }) => isAtOdds(standing));
}

/** How many shoots are in each state; only those states that some are in. */
export function stateCounts(shoots: readonly ShootStatus[]): Readonly<Partial<Record<ShootStanding['state'], number>>> {
  const counted = shootStates.map(
    (state) => [state, shoots.filter(({ standing }) => standing.state === state).length] as const,
  );
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

/** The status as programs read it (docs/status.md). A field that is not known is left out; `since` says so instead. */
export function statusJson(status: SeedStatus): object {
  const { at, server, leader, prober, shoots } = status;
  return {
    status: 1,
    at: instantText(at),
    seed: server,
    leader: leader.is === 'led' ? { ...leader, renewedAt: instantText(leader.renewedAt) } : leader,
    ...(prober === undefined ? {} : { prober }),
    atOdds: isSeedAtOdds(status),
    summary: {
      shoots: shoots.length,
      atOdds: shoots.filter(({ standing }) => isAtOdds(standing)).length,
      states: stateCounts(shoots),
    },
    shoots: shoots.map(shootJson),
  };
}

/** One shoot of it. */
export function shootJson({ standing, told }: ShootStatus): object {
  const down = downSince(standing);
  return {
    shoot: standing.shoot,
    state: standing.state,
    ...(standing.reason === undefined ? {} : { reason: standing.reason }),
    atOdds: standing.dependants.flatMap((one) => oddityWords(one, standing)),
    ...(down === undefined ? {} : { down: writeJson(down) }),
    dependants: standing.dependants.map(dependantJson),
    ...(told === undefined ? {} : { prober: toldJson(told) }),
  };
}

function dependantJson(standing: DependantStanding): object {
  const { dependant, state, view, downBy, problem, odd } = standing;
  const change = view && dueChange(view, 'upOurs', writesAtOnce(dependant.ref));
  return {
    ...dependant.ref,
    optional: dependant.optional,
    state,
    ...(problem === undefined ? {} : { problem }),
    ...(view === undefined
      ? {}
      : {
          replicas: view.replicas,
          readyReplicas: view.readyReplicas,
          marked: view.marked,
          ...(view.record === undefined ? {} : { record: view.record }),
        }),
    ...(state === 'down' || state === 'downByOthers' ? { down: writeJson(downBy ?? { by: '' }) } : {}),
    ...(odd.length === 0 ? {} : { odd }),
    ...(view === undefined || change === undefined
      ? {}
      : { release: releaseWords(view, dependant.ref, change, 'command') }),
  };
}

function writeJson({ by, at }: FieldWrite): object {
  return { since: at === undefined ? 'unknown' : instantText(at), by: by === '' ? 'unknown' : by };
}

function toldJson({ since, verdict, nextAt, downAt: _downAt, ...rest }: ProberTold): object {
  return {
    ...rest,
    ...(since === undefined ? {} : { since: instantText(since) }),
    ...(verdict === undefined ? {} : { verdict: { ...verdict, at: instantText(verdict.at) } }),
    ...(nextAt === undefined ? {} : { nextAt: instantText(nextAt) }),
  };
}
