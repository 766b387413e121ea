import { isDeepStrictEqual } from 'node:util';
import type { ClusterReading } from 'dependency-watchdog/domain/prober/cluster-view.ts';
import { isOlder } from 'dependency-watchdog/domain/resource-version.ts';
import { pureMachines } from 'dependency-watchdog/machines/kinds.ts';
import { auditShoot, firstShootAccount, obeyed, type ShootAccount } from '@dwd/testing/shoot-laws.ts';
import { auditWeeder, firstWeederAccount, type WeederAccount } from '@dwd/testing/weeder-laws.ts';
import type { Law } from '../law.ts';
import type { ProcessDeed } from '../observation.ts';

// What machines do, turn by turn. A machine's name is its process and its subject.

type Deed = Readonly<{ process: string; did: ProcessDeed }>;

/** What was kept of a process that is gone goes. */
function forget(kept: Map<string, unknown>, { process, did }: Deed): void {
  if (did !== 'crashed' && did !== 'ended') return;
  for (const name of kept.keys()) if (name.startsWith(`${process} `)) kept.delete(name);
}

/** The model's own laws of the shoot machine, on each turn that a living process takes. */
export const machineLaws: Law = {
  name: 'S1 S2 S3 S4 S5 S7 the laws of the machine',
  begin({ config }, { breaks }) {
    const accounts = new Map<string, ShootAccount>();
    return {
      process: (seen) => forget(accounts, seen),
      shootTurn({ turn, process }) {
        const name = `${process} ${turn.subject}`;
        const { event, before, after, commands, notes } = turn;
        if (event.type === 'started') accounts.set(name, obeyed(firstShootAccount, turn));
        const account = accounts.get(name);
        if (event.type === 'started' || event.type === 'ended' || before === undefined || after === undefined) return;
        if (account === undefined) return breaks(`${name} took a turn without a first one`);
        const judged = auditShoot(account, { before, event, after, commands, notes } as AuditedTurn, config);
        accounts.set(name, judged.account);
        if (judged.broken.length > 0) breaks(`${name}, by ${event.type}: ${judged.broken.join('; ')}`);
      },
    };
  },
};

type AuditedTurn = Parameters<typeof auditShoot>[1];

/** The model's own laws of the weeder machine, on each turn that a living process takes. */
export const weederLaws: Law = {
  name: 'S8 the laws of the weeder machine',
  begin({ weederConfig }, { breaks }) {
    const accounts = new Map<string, WeederAccount>();
    return {
      turn({ turn, process }) {
        if (turn.kind !== 'weeder') return;
        const name = `${process} ${turn.subject}`;
        const { event } = turn;
        if (event.type === 'started') accounts.set(name, firstWeederAccount);
        const account = accounts.get(name);
        if (event.type === 'started' || event.type === 'ended' || account === undefined) return;
        const outcome = { state: turn.to, commands: turn.commands, notes: turn.notes };
        const judged = auditWeeder(account, event, outcome, weederConfig.watchDuration);
        accounts.set(name, judged.account);
        if (judged.broken.length > 0) breaks(`${name}, by ${event.type}: ${judged.broken.join('; ')}`);
      },
    };
  },
};

/** One in so many turns is taken again; a prime, so that no rhythm of a machine escapes. */
export const oneIn = 53;

/** A turn that is taken again from its plain state comes to the same (L3). */
export const replayAgrees: Law = {
  name: 'L3 replay agrees',
  begin(_, { breaks }) {
    let turns = 0;
    return {
      turn({ turn, process }) {
        turns += 1;
        if (turns % oneIn !== 0) return;
        const { event, before, after, commands, notes } = turn;
        if (event.type === 'started' || event.type === 'ended' || before === undefined) return;
        const machine = pureMachines[turn.kind] as (typeof pureMachines)['shoot'];
        const again = machine.take(machine.restore(throughJson(before) as never), throughJson(event) as never);
        const recorded = JSON.stringify({ after, commands, notes });
        const came = JSON.stringify({
          after: machine.plain(again.snapshot),
          commands: again.commands,
          notes: again.notes,
        });
        // Nearly always the texts are the same. Where they are not, it may be the order of keys alone.
        if (came === recorded || isDeepStrictEqual(JSON.parse(came), JSON.parse(recorded))) return;
        breaks(`${process}, ${turn.subject}: ${event.type} came to ${came} and not to ${recorded}`);
      },
    };
  },
};

/** As a journal keeps it. */
function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** A bug in a machine, or in an observer of its turns, is survived by the program; here it is one all the same. So is an error that nobody caught. */
export const noBugs: Law = {
  name: 'no bugs',
  begin: (_, { breaks }) => ({
    bug: ({ error }) => breaks(error),
    turn({ process, turn: { subject, event } }) {
      if (event.type === 'ended' && event.because === 'bug') breaks(`${process}, ${subject}: ${event.error}`);
    },
  }),
};

/** A machine takes some turns for each probe, and one for each piece of news; at a start all news comes at once. In 50 lives there were 28 at most. */
const mostTurns = 100;
/** After a pause the news of 20 pods comes at once, which have crashed again and again meanwhile. */
const mostOfCrowds = 1_000;
/** A server that missed a restore tells a new watch at once all that was lost, each of it a piece of news. It may lag by half a minute. */
const longestLag = 30_000;
/** With 20 shoots at most, there were 75 in 50 lives. */
const mostRequests = 400;

/** What a process does in one simulated second is bounded: one that spins would stand still for everybody else, and a life would never end. */
export const noSpinning: Law = {
  name: '1.2 4.6 nobody spins',
  begin({ plan }, { breaks }) {
    const mostOfMachine = plan.largeControlPlanes ? mostOfCrowds : mostTurns;
    const counts = new Map<string, number>();
    let toldAnewUntil = 0;
    const count = (who: string, [did, what]: readonly [string, string], most: number): void => {
      const now = (counts.get(who) ?? 0) + 1;
      counts.set(who, now);
      if (now > most) breaks(`${who} has ${did} ${now} ${what} within a second`);
    };
    return {
      happening({ at, happening: { kind, of } }) {
        if (kind === 'etcd restored') toldAnewUntil = at + (of?.unnoticed ?? 0) + longestLag;
      },
      // What came while it stood still, it hears at once.
      process({ at, did }) {
        if (did === 'resumed') toldAnewUntil = Math.max(toldAnewUntil, at + longestLag);
      },
      turn({ at, process, turn }) {
        if (at < toldAnewUntil && /\.(changed|gone)$/.test(turn.event.type)) return;
        count(`${process} ${turn.subject}`, ['taken', 'turns'], mostOfMachine);
      },
      request: ({ process }) => count(process, ['sent', 'requests'], mostRequests),
      look: () => counts.clear(),
    };
  },
};

/** What a machine was last told, by a stream that is live or not. A GET that is under way may be sent at any time until its answer. */
type LastReading = { reading?: ClusterReading; live: boolean; asked?: boolean; underWay?: boolean };

/** A Cluster is written with each heartbeat of its shoot; a machine hears of it where anything changed that it uses, or once more when the stream is back (3.5). */
export const toldOnce: Law = {
  name: '3.5 what did not change is not told',
  begin(_, { breaks }) {
    const machines = new Map<string, LastReading>();
    let judged = 0;
    return {
      shootTurn({ process, turn: { subject, event, commands } }) {
        const key = `${process} ${subject}`;
        const told = machines.get(key) ?? { live: false };
        machines.set(key, told);
        // A GET may tell what the stream did not, or come to nothing.
        const answers = /^(candidates|cluster)\.(answered|failed)$/.test(event.type);
        const asks = commands.some(
          ({ type, params }) => type === 'readCluster' || (type === 'listCandidates' && params.cluster),
        );
        if (asks || answers) told.asked = true;
        if (asks || answers) told.underWay = asks;
        if (event.type === 'started' || event.type === 'ended') machines.delete(key);
        if (event.type === 'cluster.watched') told.live = event.live;
        if (event.type !== 'cluster.changed') return;
        judged += 1;
        const { reading, asked } = told;
        Object.assign(told, { reading: event.reading, asked: told.underWay === true });
        if (told.live && asked !== true && isDeepStrictEqual(reading, event.reading))
          breaks(`${key} was told of a Cluster that did not change`);
      },
      counts: () => ({ 'Clusters told to a machine': judged }),
    };
  },
};

/** What a machine's own write was answered, or a GET, is newer than what a watch that lags tells: no later write goes by an older version. */
export const ownAnswers: Law = {
  name: '6.6 what a write was answered is not forgotten',
  begin(_, { breaks }) {
    /** By machine and dependant, the version that was answered last. */
    const answered = new Map<string, string>();
    let judged = 0;
    return {
      process: (seen) => forget(answered, seen),
      shootTurn({ process, turn: { subject, event, commands } }) {
        const nameOf = (key: string): string => `${process} ${subject} ${key}`;
        if (event.type === 'started')
          for (const key of answered.keys()) if (key.startsWith(nameOf(''))) answered.delete(key);
        // The seed's history went back.
        if (event.type === 'dependant.changed' && event.rewound === true) answered.delete(nameOf(event.key));
        if (event.type === 'read.answered') answered.delete(nameOf(event.asked.key));
        if (event.type === 'scale.answered' && event.answer.outcome === 'written') {
          const { resourceVersion } = event.answer.view;
          if (resourceVersion !== undefined) answered.set(nameOf(event.asked.key), resourceVersion);
        }
        // What the event has told counts already.
        for (const { type, params } of commands) {
          if (type !== 'scale') continue;
          const name = nameOf(params.key);
          const known = answered.get(name);
          if (known === undefined) continue;
          judged += 1;
          if (isOlder(params.seen.resourceVersion, known))
            breaks(`${name} is written by version ${params.seen.resourceVersion}, and ${known} had been answered`);
        }
      },
      counts: () => ({ 'writes after an answer': judged }),
    };
  },
};
