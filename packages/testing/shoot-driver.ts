import type { MachineView, NodeView } from 'dependency-watchdog/domain/prober/candidates.ts';
import type { ClusterAnswer, ClusterView } from 'dependency-watchdog/domain/prober/cluster-view.ts';
import { writesAtOnce, type Dependant, type DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { NodeLease } from 'dependency-watchdog/domain/prober/node-lease.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { ProbeFailure } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type {
  ReadAnswer,
  ResourceChange,
  WriteAnswer,
  PresentResource,
  ResourceView,
} from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { expiryFraction } from 'dependency-watchdog/domain/prober/verdict.ts';
import { probeDueAt } from 'dependency-watchdog/machines/probe-plan.ts';
import { leasePolicy, type ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';
import type { ShootNote, ShootCommands, ShootEvent, ShootState } from 'dependency-watchdog/machines/shoot-language.ts';
import { pureMachines, shootWakeAt, type ShootOutcome } from 'dependency-watchdog/machines/kinds.ts';
import { activeCluster } from './sim-world.ts';
import { present } from './views.ts';

/** The result of a whole probe. */
export type ProbeOutcome = 'cutOff' | 'connected' | 'tooFew';

type Scale = ShootCommands['scale'];
type Effective = ShootOutcome['commands'][number];

const nodes = ['a', 'b'];
const nodeViews: readonly NodeView[] = nodes.map((name) => ({
  name,
  pool: 'pool',
  unmanaged: false,
  trueConditions: ['Ready'],
  inPlaceUpdate: false,
}));
const running: readonly MachineView[] = nodes.map((node) => ({ node, phase: 'Running' }));
const kept: ClusterAnswer = { outcome: 'read', reading: { readable: true, cluster: activeCluster } };
export const oneLeft: readonly MachineView[] = running.map((one, index) =>
  index === 0 ? one : { ...one, phase: 'Failed' },
);

/**
 * Plays the whole world of one shoot machine by hand: it sends events one by one, and keeps the machine's commands in words
 * (`probe`, `down mcm`, `up mcm`, `unmark mcm`, `read mcm`, `withdraw mcm`, `say cutOff` …). A `wake` is kept as `alarm`,
 * and a `reserveProbe` as `asked`, and not in words. Two nodes; each turn is one event.
 */
export class ShootDriver {
  now: Instant = 1_000_000;
  outcome: ShootOutcome;
  alarm: Instant | undefined;
  /** The last commanded write of each dependant, answered or not. */
  readonly writes = new Map<DependantKey, Scale>();
  /** The last place that was asked for among the probes of the whole seed. */
  asked: ShootCommands['reserveProbe'] | undefined;
  readonly #config: ProberConfig;
  readonly #names = new Map<number, string>();

  constructor(config: ProberConfig, options: Readonly<{ followed?: boolean; chance?: number }> = {}) {
    this.#config = config;
    // By this chance the first pause between two probes is nearly a whole interval.
    const { followed = false, chance = 3_434 } = options;
    this.outcome = pureMachines.shoot.first({ shoot: 'shoot--desk--one', config, followed, chance });
    this.#obey(this.outcome.commands);
    this.clustersWatched(true);
  }

  get state(): ShootState {
    return this.outcome.state;
  }

  get probe(): 'off' | 'resting' | 'asking' | 'looking' | 'askingPaths' | 'readingCluster' {
    return this.outcome.snapshot.value.probe;
  }

  get context(): ShootContext {
    return this.outcome.snapshot.context;
  }

  /** The next instant at which time alone moves the machine. */
  get wakeAt(): Instant | undefined {
    return shootWakeAt(this.outcome.snapshot);
  }

  /** The number of the probe under way, or of the last one; before the first it is 0, which no command has. */
  get probeNumber(): number {
    return this.context.probe.asked?.number ?? 0;
  }

  /** When the next probe is due by the clock; a pause that the shoot asked for does not count. */
  get nextProbeAt(): Instant {
    return this.context.probe.nextAt ?? Infinity;
  }

  take(event: ShootEvent): readonly string[] {
    this.now = Math.max(this.now, event.at);
    // The alarm that rings is used up; all others go on.
    if (event.type === 'woken' && this.alarm !== undefined && event.at >= this.alarm) this.alarm = undefined;
    this.outcome = pureMachines.shoot.take(this.outcome.snapshot, event);
    return [...this.#obey(this.outcome.commands), ...this.outcome.notes.map(wordsOf)];
  }

  // Events from the seed.

  cluster(change: Partial<ClusterView> = {}): readonly string[] {
    const cluster = { ...activeCluster, ...change };
    return this.take({ type: 'cluster.changed', at: this.now, reading: { readable: true, cluster } });
  }

  unreadableCluster(): readonly string[] {
    return this.take({ type: 'cluster.changed', at: this.now, reading: { readable: false, problem: 'no spec.shoot' } });
  }

  clustersWatched(live: boolean): readonly string[] {
    return this.take({ type: 'cluster.watched', at: this.now, live });
  }

  gone(): readonly string[] {
    return this.take({ type: 'cluster.gone', at: this.now });
  }

  sees({ key }: Pick<Dependant, 'key'>, view: ResourceView): readonly string[] {
    return this.take({ type: 'dependant.changed', at: this.now, key, view });
  }

  watches({ key }: Pick<Dependant, 'key'>, live: boolean): readonly string[] {
    return this.take({ type: 'dependant.watched', at: this.now, key, live });
  }

  /** Every dependant that can be watched is watched, and runs. */
  allWell(): this {
    for (const one of this.#config.dependants.filter(({ ref }) => writesAtOnce(ref))) {
      this.sees(one, present({ replicas: 1, readyReplicas: 1 }));
      this.watches(one, true);
    }
    return this;
  }

  // Events from time, and answers of the shoot and the seed.

  wait(length: Millis): readonly string[] {
    return this.wake(this.now + length);
  }

  wake(at: Instant = this.now): readonly string[] {
    return this.take({ type: 'woken', at });
  }

  /** Wakes the machine when the next probe is due. */
  wakeProbe(): readonly string[] {
    return this.wake(Math.max(this.now, probeDueAt(this.context) ?? this.now));
  }

  leases(ages: readonly (Millis | null)[], number = this.probeNumber, askedAt = this.now): readonly string[] {
    const leases = ages.map((age, index): NodeLease => {
      const node = nodes[index] ?? `node-${index}`;
      return { node, renewedAt: age === null ? null : this.#renewTime(node, askedAt, age) };
    });
    return this.take({
      type: 'probe.answered',
      at: this.now,
      number,
      askedAt,
      leases,
      ...clockSetFor(leases, this.context),
    });
  }

  /** One path of the probe under way answers, or fails as given. */
  path(path: ShootPath, failure?: Partial<ProbeFailure>, number = this.probeNumber): readonly string[] {
    const answered = { type: 'path.answered', at: this.now, number, path, askedAt: this.now } as const;
    return this.take(
      failure === undefined ? answered : { ...answered, failure: asFailure({ stage: path, ...failure }) },
    );
  }

  /** Plays a probe of both paths from its due instant to its end. */
  wholePaths(outcome: 'cutOff' | 'connected' | 'internalFails'): readonly string[] {
    const asked = this.wakeProbe();
    if (outcome === 'internalFails') return [...asked, ...this.path('internal', {})];
    const told = [...asked, ...this.path('internal'), ...this.path('external', outcome === 'cutOff' ? {} : undefined)];
    return this.probe === 'readingCluster' ? [...told, ...this.answersCluster(kept)] : told;
  }

  answersCluster(cluster: ClusterAnswer, number = this.probeNumber): readonly string[] {
    return this.take({ type: 'cluster.answered', at: this.now, number, cluster });
  }

  /** Where the Cluster is asked for as well, it is as it was. */
  candidates(machines = running, number = this.probeNumber, views = nodeViews): readonly string[] {
    const { asked } = this.context.probe;
    const cluster = asked?.cluster === undefined ? {} : { cluster: kept };
    return this.take({ type: 'candidates.answered', at: this.now, number, nodes: views, machines, ...cluster });
  }

  /** The look got the Cluster as well. */
  candidatesWith(cluster: ClusterAnswer, number = this.probeNumber): readonly string[] {
    return this.take({
      type: 'candidates.answered',
      at: this.now,
      number,
      nodes: nodeViews,
      machines: running,
      cluster,
    });
  }

  probeFails(failure: Partial<ProbeFailure> = {}, number = this.probeNumber): readonly string[] {
    return this.take({ type: 'probe.failed', at: this.now, number, askedAt: this.now, failure: asFailure(failure) });
  }

  candidatesFail(failure: Partial<ProbeFailure> = {}, number = this.probeNumber): readonly string[] {
    return this.take({
      type: 'candidates.failed',
      at: this.now,
      number,
      failure: asFailure({ stage: 'nodes', ...failure }),
    });
  }

  /** The seed has a place for a probe at the instant that was asked for, or at another one. */
  reserves(probeAt = this.asked?.wanted ?? null): readonly string[] {
    const asked = this.asked ?? { wanted: this.now, latest: this.now };
    return this.take({ type: 'probe.reserved', at: this.now, asked, probeAt });
  }

  /** Plays a probe from its due instant to its verdict. If the machine does not ask, the answers come all the same. */
  wholeProbe(outcome: ProbeOutcome): readonly string[] {
    const asked = this.wakeProbe();
    const age = outcome === 'connected' ? 1_000 : this.#config.kcmNodeMonitorGraceDuration;
    const told = [...asked, ...this.leases([age, age])];
    if (this.probe !== 'looking') return told;
    return [...told, ...this.candidates(outcome === 'tooFew' ? oneLeft : running)];
  }

  answersWrite(
    { key }: Pick<Dependant, 'key'>,
    answer: WriteAnswer,
    number = this.underWay(key, 'writing'),
  ): readonly string[] {
    const asked = { ...(this.writes.get(key) ?? scaleOf(this.#dependant(key))), number };
    return this.take({ type: 'scale.answered', at: this.now, askedAt: this.now, asked, answer });
  }

  /** The write under way is done as commanded; the replicas have not followed yet. */
  written({ key }: Pick<Dependant, 'key'>): readonly string[] {
    const { seen, change } = this.writes.get(key)!;
    return this.answersWrite({ key }, { outcome: 'written', view: writtenOn(seen, change) });
  }

  /** The replicas have followed the spec. */
  follows({ key }: Pick<Dependant, 'key'>): readonly string[] {
    const { view } = this.context.known[key]!;
    if (view?.found !== true) throw new Error(`nothing is known of ${key}`);
    return this.sees({ key }, { ...view, ...next(view), readyReplicas: view.replicas, observed: true });
  }

  answersRead(
    { key }: Pick<Dependant, 'key'>,
    answer: ReadAnswer,
    number = this.underWay(key, 'reading'),
  ): readonly string[] {
    const { ref } = this.#dependant(key);
    const asked = { number, key, ref, urgent: false };
    return this.take({ type: 'read.answered', at: this.now, askedAt: this.now, asked, answer });
  }

  /** What we saw last, in a newer version. */
  readsAgain({ key }: Pick<Dependant, 'key'>): readonly string[] {
    const view = this.context.known[key]?.view ?? present();
    return this.answersRead({ key }, { outcome: 'read', view: view.found ? { ...view, ...next(view) } : view });
  }

  #dependant(key: DependantKey): Dependant {
    const strange: Dependant = { ...this.#config.dependants[0]!, key };
    return this.#config.dependants.find((one) => one.key === key) ?? strange;
  }

  /** The number of the request under way; if there is none, it is 0, which no command has. */
  underWay(key: DependantKey, what: 'writing' | 'reading'): number {
    const known = this.context.known[key];
    return (what === 'writing' ? known?.writing : known?.reading?.number) ?? 0;
  }

  /** A lease that is given as expired has stood still since it was last given. */
  #renewTime(node: string, askedAt: Instant, age: Millis): Instant {
    const { grace } = leasePolicy(this.context);
    const before = this.context.seen?.leases.find((lease) => lease.node === node)?.renewTime ?? Infinity;
    return age < expiryFraction * grace ? askedAt - age : Math.min(before, askedAt - age);
  }

  #obey(commands: readonly Effective[]): readonly string[] {
    return commands.flatMap((command) => {
      switch (command.type) {
        case 'wake':
          this.alarm = command.params.at;
          return [];
        case 'scale': {
          const { number, key, ref, change, urgent } = command.params;
          this.writes.set(key, command.params);
          this.#names.set(number, ref.name);
          return [`${changeWord(change)} ${ref.name}${urgent === isDown(change) ? '' : ` (urgent: ${urgent})`}`];
        }
        case 'read':
          this.#names.set(command.params.number, command.params.ref.name);
          return [`read ${command.params.ref.name}`];
        case 'withdraw':
          return [`withdraw ${this.#names.get(command.params.number) ?? 'what was never sent'}`];
        case 'reserveProbe':
          this.asked = command.params;
          return [];
        case 'askPath':
          return [`ask ${command.params.path} path`];
        case 'probe':
        case 'readCluster':
          return [command.type];
        case 'listCandidates':
          return [command.type + (command.params.cluster ? ' and the Cluster' : '')];
      }
    });
  }
}

/** Leases of a test may become older than they were at any time: then our own clock was set meanwhile, and it is a first look. */
export function clockSetFor(leases: readonly NodeLease[], { seen }: ShootContext): Readonly<{ clockSet?: number }> {
  const known = new Map(seen?.leases.map(({ node, renewTime }) => [node, renewTime]));
  const isBack = leases.some(({ node, renewedAt }) => (renewedAt ?? Infinity) < (known.get(node) ?? -Infinity));
  const clockSet = (seen?.clockSet ?? 0) + (isBack ? 1 : 0);
  return clockSet === 0 ? {} : { clockSet };
}

/** A scale-down that nobody has commanded, with the given fields. */
export function scaleOf(
  { key, ref }: Pick<Dependant, 'key' | 'ref'>,
  rest: Partial<ShootCommands['scale']> = {},
): ShootCommands['scale'] {
  return { number: 1, key, ref, seen: present(), change: { replicas: 0 }, urgent: true, ...rest };
}

/** The resource after a write, before its replicas have followed. */
export function writtenOn(seen: PresentResource, change: ResourceChange): PresentResource {
  const { record: before, ...rest } = seen;
  const record = change.record === undefined ? before : change.record === null ? undefined : String(change.record);
  return {
    ...rest,
    ...next(seen),
    replicas: change.replicas ?? seen.replicas,
    marked: change.mark ?? seen.marked,
    observed: change.replicas === undefined || change.replicas === seen.replicas ? seen.observed : false,
    ...(record === undefined ? {} : { record }),
  };
}

function next({ resourceVersion }: PresentResource): Pick<PresentResource, 'resourceVersion'> {
  return { resourceVersion: String(Number(resourceVersion) + 1) };
}

function isDown({ replicas, mark }: ResourceChange): boolean {
  return replicas === 0 || mark === true;
}

function changeWord(change: ResourceChange): string {
  if (change.replicas === undefined) return change.mark === true ? 'mark' : 'unmark';
  return change.replicas === 0 ? 'down' : 'up';
}

function wordsOf(note: ShootNote): string {
  return `say ${note.kind === 'verdict' ? note.verdict : note.kind}`;
}

function asFailure(failure: Partial<ProbeFailure>): ProbeFailure {
  return { stage: 'version', reason: 'unreachable', detail: 'no answer', ...failure };
}
