import type { Languages, ShootLanguage, WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { byKind } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import {
  type EpisodeKind,
  follow,
  type FollowedTurn,
  type Follower,
} from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { episodeLedger, episodeLimits, type EpisodeLimits } from './episode-ledger.ts';
import { followFailingDeletions, followRefusals } from './refusals.ts';
import { followFailingProbes, followPauses } from './silences.ts';
import { followOutages } from 'dependency-watchdog/adapters/record/episodes/outage-episode.ts';
import { leaseWitness } from 'dependency-watchdog/adapters/record/facts/lease-witness.ts';
import { followBugs, followOddLeases, followPartialOutages } from './oddities.ts';
import { leaderOf, type LeaderOf, type LedRun } from 'dependency-watchdog/adapters/record/episodes/leaders.ts';
import { recoveriesOf, recoveryEpisode, type ServiceRecovery, tellsSomething } from './recoveries.ts';

export type Episodes = ReturnType<typeof followEpisodes>;

type EpisodesOf<Kind extends keyof Languages> = Readonly<{
  /** Which of its episodes a replay sums up at its end, and what several of them are called. */
  summed: EpisodeKind;
  plural: string;
  /** Begins to follow one machine. */
  begin(leaderOf: LeaderOf): Follower<Languages[Kind]>;
}>;

/** What may happen to the machines of each kind. */
export const kindEpisodes: { readonly [Kind in keyof Languages]: EpisodesOf<Kind> } = {
  shoot: {
    summed: 'outage',
    plural: 'outages',
    begin(leaderOf) {
      const leases = leaseWitness();
      return followAll<ShootLanguage>([
        followOutages(leaderOf, leases),
        followPartialOutages(leases),
        followPauses(),
        followRefusals(),
        followFailingProbes(),
        followOddLeases(),
        followBugs(),
      ]);
    },
  },
  weeder: {
    summed: 'recovery',
    plural: 'recoveries',
    begin: () =>
      followAll<WeederLanguage>([
        follow<WeederLanguage, ServiceRecovery>({
          kind: 'recovery',
          next: recoveriesOf(),
          tells: tellsSomething,
          beganAt: ({ down, began }) => (down ?? began).at,
          words: recoveryEpisode,
        }),
        followFailingDeletions(),
        followBugs(),
      ]),
  },
};

/**
 * Tells from the turns of all machines what happened, by its consequence: an outage with its way down and up is one episode. A turn that brings
 * nothing new costs some calls; nothing is put into words before somebody asks.
 */
export function followEpisodes(limits: Partial<EpisodeLimits> = {}) {
  const { put, ...ledger } = episodeLedger({ ...episodeLimits, ...limits });
  const runs = new Map<string, LedRun>();
  let run = '';
  const leader: LeaderOf = (name) => {
    const one = runs.get(name);
    return one && leaderOf(one);
  };
  const following = <Kind extends keyof Languages>(kind: Kind) => {
    const followers = new Map<string, Follower<Languages[Kind]>>();
    return (turn: FollowedTurn<Languages[Kind]>): void => {
      const { subject, event } = turn;
      let follower = followers.get(subject);
      if (follower === undefined) followers.set(subject, (follower = kindEpisodes[kind].begin(leader)));
      for (const draft of follower(turn, run)) put(draft);
      // Its machine is no more. One that a bug ended begins afresh.
      if (event.type === 'ended' && event.because === 'gone') followers.delete(subject);
    };
  };
  const take = byKind<FollowedTurns, void>({ shoot: following('shoot'), weeder: following('weeder') });
  return {
    ...ledger,
    /** Every turn of every machine must pass, in order, as it is taken or from a journal. `run`: of the process that took it. */
    take(turn: FollowedTurns[keyof Languages], of: string): void {
      run = of;
      take(turn);
    },
    /** Who writes, as the head of its journal tells it, and again whenever that changes. */
    hear(one: LedRun): void {
      runs.set(one.run, { ...one, openedAt: runs.get(one.run)?.openedAt ?? one.openedAt });
    },
  };
}

/** By kind, such turns. */
type FollowedTurns = { [Kind in keyof Languages]: FollowedTurn<Languages[Kind]> };

/** A follower of all of these. */
function followAll<Spoken extends Languages[keyof Languages]>(
  followers: readonly Follower<Spoken>[],
): Follower<Spoken> {
  return (turn, run) => {
    let found: ReturnType<Follower<Spoken>> = [];
    for (const follower of followers) {
      const one = follower(turn, run);
      if (one.length > 0) found = found.length === 0 ? one : [...found, ...one];
    }
    return found;
  };
}
