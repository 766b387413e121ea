import type { Observable } from 'rxjs';
import type { ShootNamespace } from '../domain/names.ts';
import type { ShootCommands, ShootEvent } from '../machines/shoot-language.ts';
import { atOnce, fromAbortable, Withdrawals, wakeEffect, carryOutBy, type EffectsOf } from './carry-out.ts';
import type { Clock, ClusterApi, MachineApi, Scaler, ShootApi, Chance, SeedWatch } from './ports.ts';
import { ProbeTimetable } from './probe-timetable.ts';
import type { ProbeFailure } from '../domain/prober/probe-failure.ts';
import type { Millis } from '../domain/time.ts';
import type { ProberConfig } from '../domain/prober/prober-config.ts';
import { seedOfChance } from '../domain/backoff.ts';
import { pureMachines, type ShootLanguage } from '../machines/kinds.ts';
import { supervise } from './supervise.ts';
import type { ShootTurn } from './turn.ts';

export type ShootPorts = Readonly<{
  clock: Clock;
  /** How often that clock was set so far; never, unless given. */
  timesSet?: () => number;
  shoots: ShootApi;
  machines: MachineApi;
  clusters: ClusterApi;
  scaler: Scaler;
}>;

/** While a slow shoot lists its nodes, gardenlet may put it to sleep: an older Cluster is asked for again. */
const clusterLasts: Millis = 5_000;

const clockWasSet: ProbeFailure = {
  stage: 'version',
  reason: 'local',
  detail: "this machine's clock was set meanwhile",
};

/** Carries out what one shoot's machine commands, each once, and reports back as events. Decides nothing. */
export function shootEffects(
  shoot: ShootNamespace,
  { clock, timesSet = () => 0, shoots, machines, clusters, scaler }: ShootPorts,
  timetable: ProbeTimetable,
): EffectsOf<ShootCommands, ShootEvent> {
  const withdrawals = new Withdrawals(clock);

  return {
    wake: wakeEffect(clock),

    probe: ({ number, deadlineAt, by }) => {
      const setBefore = timesSet();
      return fromAbortable(
        clock,
        ({ signal }) => shoots.listLeases(shoot, deadlineAt, signal, by),
        // The leases are as old as the question: a slow answer must not make them look expired (SPEC 5.1).
        (answer, { at, askedAt }): ShootEvent => {
          const clockSet = timesSet();
          // By such a clock nobody can say how old they are (SPEC 4.4).
          if (clockSet !== setBefore) return { type: 'probe.failed', at, number, askedAt, failure: clockWasSet };
          if (!answer.ok) return { type: 'probe.failed', at, number, askedAt, failure: answer.failure };
          const set = clockSet === 0 ? {} : { clockSet };
          return { type: 'probe.answered', at, number, askedAt, ...answer.value, ...set };
        },
      );
    },

    listCandidates: ({ number, deadlineAt, cluster: asksCluster, urgent, by }) =>
      fromAbortable(
        clock,
        async ({ signal }) => {
          const askedAt = clock.now();
          const askCluster = () => (asksCluster ? clusters.readCluster(shoot, deadlineAt, signal, by) : undefined);
          const [nodes, listed, cluster] = await Promise.all([
            shoots.listNodes(shoot, deadlineAt, signal),
            machines.listMachines(shoot, deadlineAt, signal, { urgent, by }),
            askCluster(),
          ]);
          const isOld = clock.now() - askedAt > clusterLasts;
          return { nodes, listed, cluster: isOld ? await askCluster() : cluster };
        },
        ({ nodes, listed, cluster }, { at }): ShootEvent => {
          if (!nodes.ok) return { type: 'candidates.failed', at, number, failure: nodes.failure };
          if (!listed.ok) return { type: 'candidates.failed', at, number, failure: listed.failure };
          return {
            type: 'candidates.answered',
            at,
            number,
            nodes: nodes.value,
            machines: listed.value,
            ...(cluster === undefined ? {} : { cluster }),
          };
        },
      ),

    askPath: ({ number, path, deadlineAt, by }) =>
      fromAbortable(
        clock,
        ({ signal }) => shoots.askPath(shoot, path, deadlineAt, signal, by),
        (failure, { at, askedAt }): ShootEvent => {
          const answered = { type: 'path.answered', at, number, path, askedAt } as const;
          return failure === undefined ? answered : { ...answered, failure };
        },
      ),

    readCluster: ({ number, deadlineAt, by }) =>
      fromAbortable(
        clock,
        ({ signal }) => clusters.readCluster(shoot, deadlineAt, signal, by),
        (cluster, { at }): ShootEvent => ({ type: 'cluster.answered', at, number, cluster }),
      ),

    reserveProbe: (asked) =>
      atOnce((): ShootEvent => {
        const at = clock.now();
        const probeAt = timetable.reserve(at, asked.wanted, asked.latest) ?? null;
        return { type: 'probe.reserved', at, asked, probeAt };
      }),

    scale: (asked) => {
      const { number, ref, seen, change, urgent, by } = asked;
      return withdrawals.run(
        number,
        (withdrawn) => scaler.write(shoot, ref, seen, change, { urgent, by, withdrawn }),
        (answer, { at, askedAt }) => ({ type: 'scale.answered', at, askedAt, asked, answer }),
      );
    },

    withdraw: ({ number }) => withdrawals.withdraw(number),

    read: (asked) => {
      const { number, ref, urgent, by } = asked;
      return withdrawals.run(
        number,
        (withdrawn) => scaler.read(shoot, ref, { urgent, by, withdrawn }),
        (answer, { at, askedAt }) => ({ type: 'read.answered', at, askedAt, asked, answer }),
      );
    },
  };
}

export type Guarding = ShootPorts &
  Readonly<{
    config: ProberConfig;
    chance: Chance;
    seed: SeedWatch;
    /** Shoots that this process followed as a standby before it became leader (SPEC 2, initialDelay). */
    followed: ReadonlySet<ShootNamespace>;
  }>;

/** Runs one machine for each shoot of the seed, from its arrival to its departure, and tells every turn. */
export function guardShoots(guarding: Guarding): Observable<ShootTurn> {
  const { clock, chance, config, seed, followed } = guarding;
  const timetable = new ProbeTimetable();
  return supervise<ShootLanguage>({
    clock,
    kind: 'shoot',
    machine: pureMachines.shoot,
    present$: seed.shoots$,
    events$: (shoot) => seed.events$(shoot),
    departure: 'cluster.gone',
    input: (shoot, again) => ({
      shoot,
      config,
      followed: again || followed.has(shoot),
      chance: seedOfChance(chance()),
    }),
    nowhere: 'idle',
    effects: (shoot) => carryOutBy(shootEffects(shoot, guarding, timetable)),
  });
}
