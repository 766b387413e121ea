import { headlineJson, type Headline } from '../../adapters/record/episodes/headline.ts';
import { instantText } from '../../adapters/words/plain-words.ts';
import { countStandings, oddityWords, shootStandings } from '../../adapters/record/words/standing-words.ts';
import { releaseWords } from '../../adapters/record/words/write-words.ts';
import { writesAtOnce } from '../../domain/prober/dependant.ts';
import { dueChange } from '../../domain/prober/due-change.ts';
import type { ProberReport } from '../../domain/prober/prober-report.ts';
import {
  downSince,
  isAtOdds,
  isWrong,
  type DependantStanding,
  type FieldWrite,
  type ShootStanding,
} from '../../domain/prober/standing.ts';
import type { Instant } from '../../domain/time.ts';
import type { ProcessLead } from '../../adapters/record/journal/journal-kinds.ts';
import { leadFault, type LeaderSeen } from './leader-line.ts';

/** One look at a seed, for all forms of the output. */
export type SeedStatus = Readonly<{
  at: Instant;
  server: string;
  leader: LeaderSeen;
  /** Where a prober's address was given: whether it leads and what happened in the last day, where it says so, or why it tells nothing. */
  prober?: Readonly<{ address: string; lead?: ProcessLead; headline?: Headline; problem?: string }>;
  /** Worst first. */
  shoots: readonly ShootStatus[];
}>;

export type ShootStatus = Readonly<{ standing: ShootStanding; report?: ProberReport }>;

/** Whether the command ends with code 1: a shoot is at odds, no prober is known to lead, or the one that was asked does not answer. */
export function isSeedAtOdds(status: SeedStatus): boolean {
  const { prober, shoots } = status;
  return (
    leadFault(status) !== undefined ||
    prober?.problem !== undefined ||
    shoots.some(({ standing }) => isAtOdds(standing))
  );
}

/** Who is in which state, worst first; only those states that some are in. */
export function stateCounts(shoots: readonly ShootStatus[]) {
  return countStandings(
    shootStandings,
    shoots.map(({ standing }) => [standing.shoot, standing.state] as const),
  );
}

/** The status as programs read it (docs/status.md). A field that is not known is left out; `since` says so instead. */
export function statusJson(status: SeedStatus): object {
  const { at, server, leader, prober, shoots } = status;
  return {
    status: 1,
    at: instantText(at),
    seed: server,
    leader: leader.is === 'led' ? ledJson(leader) : leader,
    ...(prober === undefined ? {} : { prober: proberJson(prober) }),
    atOdds: isSeedAtOdds(status),
    summary: {
      shoots: shoots.length,
      atOdds: shoots.filter(({ standing }) => isAtOdds(standing)).length,
      states: Object.fromEntries(stateCounts(shoots).map(({ standing, those }) => [standing, those.length])),
    },
    shoots: shoots.map(shootJson),
  };
}

function ledJson(led: Extract<SeedStatus['leader'], { is: 'led' }>): object {
  return { ...led, renewedAt: instantText(led.renewedAt), endsAt: instantText(led.endsAt) };
}

function proberJson({ lead, headline, ...prober }: NonNullable<SeedStatus['prober']>): object {
  return { ...prober, ...lead, ...(headline && headlineJson(headline)) };
}

/** One shoot of it. */
export function shootJson({ standing, report }: ShootStatus): object {
  const down = downSince(standing);
  return {
    shoot: standing.shoot,
    state: standing.state,
    ...(standing.reason === undefined ? {} : { reason: standing.reason }),
    atOdds: standing.dependants.flatMap((one) => oddityWords({ ...one, odd: one.odd.filter(isWrong) }, standing)),
    ...(down === undefined ? {} : { scaledDown: writeJson(down) }),
    dependants: standing.dependants.map(dependantJson),
    ...(report === undefined ? {} : { prober: reportJson(report) }),
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
    ...(state === 'scaledDown' || state === 'scaledDownByOthers'
      ? { scaledDown: writeJson(downBy ?? { by: '' }) }
      : {}),
    ...(odd.length === 0 ? {} : { odd }),
    ...(view === undefined || change === undefined
      ? {}
      : { release: releaseWords(view, dependant.ref, change, 'command') }),
  };
}

function writeJson({ by, at }: FieldWrite): object {
  return { since: at === undefined ? 'unknown' : instantText(at), by: by === '' ? 'unknown' : by };
}

function reportJson({ since, verdict, nextAt, downAt: _downAt, standing: _standing, ...rest }: ProberReport): object {
  return {
    ...rest,
    ...(since === undefined ? {} : { since: instantText(since) }),
    ...(verdict === undefined
      ? {}
      : { verdict: { ...verdict, ...(verdict.at === undefined ? {} : { at: instantText(verdict.at) }) } }),
    ...(nextAt === undefined ? {} : { nextAt: instantText(nextAt) }),
  };
}
