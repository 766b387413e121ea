import { moreKinds } from '@dwd/simulator/commands/simulate/network-outage/more-kinds.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { WeederConfig } from 'dependency-watchdog/domain/weeder/weeder-config.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import type { MemoryApiServer } from '@dwd/simulator/memory/memory-api-server.ts';
import { MemoryDisk } from './memory/memory-disk.ts';
import { MemoryOutput } from './memory/memory-output.ts';
import type { Backup } from '@dwd/simulator/store/object-store.ts';
import type { MemoryNetwork } from '@dwd/simulator/memory/memory-network.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { ResourceKind } from '@dwd/simulator/store/resource-kind.ts';
import type { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { chanceOf } from './chance-of.ts';
import { Link } from './link.ts';
import { roleOf, type Director, type Observation, type ProcessDeed, type SlotName } from './observation.ts';
import { slotNames, type SeedPlan } from './seed-plan.ts';
import { SimulatedProcess } from './simulated-process.ts';

/** Half an hour of a seed is then some hundred MiB, or so many that its first files have to go. */
const magnified = [200, 2_000] as const;

export type SceneParts = Readonly<{
  plan: SeedPlan;
  clock: VirtualClock;
  network: MemoryNetwork;
  seed: EmbeddedSeed<MemoryApiServer>;
  endsLater: Map<string, Millis>;
  config: ProberConfig;
  weederConfig: WeederConfig;
  director: Director;
  keepsProcesses: boolean;
  observe: (observation: Observation) => void;
}>;

export type Shoot = Scene['seed']['shoots'][number];

/** One replica of a role, as its Deployment keeps it: a process that is started again when it has ended. */
export type Slot = {
  readonly name: SlotName;
  readonly role: RoleName;
  readonly links: Readonly<{ seed: Link; shoot: Link }>;
  /** A volume that outlives its processes. */
  readonly disk: MemoryDisk;
  readonly output: MemoryOutput;
  /** How far ahead the clock of its machine is, beside what each process draws. */
  ahead: Millis;
  process: SimulatedProcess | undefined;
  /** Processes so far. */
  incarnation: number;
  /** Ends since it last ran for 10 minutes, which the kubelet's back-off goes by. */
  failures: number;
  startedAt: Instant;
  /** Cancels the start that is planned. */
  unplan: () => void;
};

/** A simulated seed with its processes, while it lives: what happenings move, and laws look at. */
export class Scene {
  readonly plan: SeedPlan;
  readonly clock: VirtualClock;
  readonly seed: EmbeddedSeed<MemoryApiServer>;
  readonly network: MemoryNetwork;
  /** So much longer the pods of these dependants take to end, by the object's key. */
  readonly endsLater: Map<string, Millis>;
  readonly config: ProberConfig;
  readonly weederConfig: WeederConfig;
  readonly slots: readonly Slot[];
  readonly startedAt: Instant;
  /** Of its etcd, the last one. */
  backup: Backup | undefined;
  /** Since the weather ended. */
  calmSince: Instant | undefined;
  readonly #parts: SceneParts;
  /** By shoot, since one that is created anew begins anew. */
  readonly #marksTold = new WeakMap<object, number>();
  #processes = 0;
  readonly #kept: SimulatedProcess[] = [];
  #isOver = false;

  constructor(parts: SceneParts) {
    this.#parts = parts;
    this.plan = parts.plan;
    this.clock = parts.clock;
    this.seed = parts.seed;
    this.network = parts.network;
    this.endsLater = parts.endsLater;
    this.config = parts.config;
    this.weederConfig = parts.weederConfig;
    this.startedAt = parts.clock.now();
    this.slots = slotNames(parts.plan).map((name) => this.#slot(name));
    this.#watchTruth();
  }

  now(): Instant {
    return this.clock.now();
  }

  /** The API servers of the seed, over one etcd. */
  servers(): readonly MemoryApiServer[] {
    return this.network.at(this.seed.api.url);
  }

  /** Since the beginning of the life. */
  get age(): Millis {
    return this.clock.now() - this.startedAt;
  }

  slot(name: SlotName): Slot | undefined {
    return this.slots.find((slot) => slot.name === name);
  }

  /** Starts the slot's next process now. */
  start(slot: Slot): void {
    slot.unplan();
    if (this.#isOver || slot.process !== undefined) return;
    slot.incarnation += 1;
    slot.startedAt = this.now();
    const name = `${slot.name}#${slot.incarnation}`;
    slot.process = new SimulatedProcess({
      scene: this,
      slot,
      name,
      processId: (this.#processes += 1),
      token: tokenOf(this.seed.api, name),
      args: this.#args(slot.role),
      director: this.#parts.director,
      gone: (did, why) => this.#gone(slot, did, why),
    });
    if (this.#parts.keepsProcesses) this.#kept.push(slot.process);
    this.#tell(slot, 'started');
  }

  crash(slot: Slot): void {
    if (slot.process === undefined) return;
    slot.process.crash();
    this.#gone(slot, 'crashed');
  }

  pause(slot: Slot, length: Millis): void {
    if (slot.process === undefined) return;
    slot.process.pause(length);
    this.#tell(slot, 'paused');
  }

  /** SIGTERM, and SIGKILL 5 s later. */
  terminate(slot: Slot): void {
    const { process } = slot;
    if (process === undefined) return;
    this.#tell(slot, 'told to end');
    process.terminate();
    this.seed.api.agenda.after(5_000, () => {
      if (slot.process === process) this.crash(slot);
    });
  }

  observe(
    observation: Observation extends infer Seen ? (Seen extends Observation ? Omit<Seen, 'at'> : never) : never,
  ): void {
    this.#parts.observe({ at: this.now(), ...observation });
  }

  /** All there ever were, where they are kept; else those that live. */
  processes(): readonly SimulatedProcess[] {
    return this.#parts.keepsProcesses ? this.#kept : this.slots.flatMap(({ process }) => process ?? []);
  }

  /** Tells of the nodes that were marked since the last time. */
  tellMarks(): void {
    for (const shoot of this.seed.shoots) {
      const { name, marks } = shoot;
      const told = this.#marksTold.get(shoot) ?? 0;
      if (marks.length === told) continue;
      for (const { node } of marks.slice(told)) this.observe({ kind: 'marked', shoot: name, node });
      this.#marksTold.set(shoot, marks.length);
    }
  }

  /** Ends every process without a word. */
  close(): void {
    this.#isOver = true;
    for (const slot of this.slots) {
      slot.unplan();
      slot.process?.crash();
    }
  }

  #slot(name: SlotName): Slot {
    const { number, links } = this.plan;
    const link = (to: 'seed' | 'shoot'): Link =>
      new Link(links[to], chanceOf(number, `${name} ${to}`), (fault, shoot) =>
        this.observe({
          kind: 'fault',
          name: `${to}: ${fault}`,
          process: name,
          ...(shoot === undefined ? {} : { shoot }),
        }),
      );
    const { agenda } = this.seed.api;
    const disk = new MemoryDisk(agenda);
    if (this.plan.hostFails) disk.magnifies = magnified[this.plan.number % 2] ?? 1;
    return {
      name,
      role: roleOf(name),
      links: { seed: link('seed'), shoot: link('shoot') },
      disk,
      output: new MemoryOutput(agenda),
      ahead: 0,
      process: undefined,
      incarnation: 0,
      failures: 0,
      startedAt: 0,
      unplan: () => undefined,
    };
  }

  #gone(slot: Slot, did: ProcessDeed, why?: string): void {
    this.#tell(slot, did, why);
    if (this.now() - slot.startedAt > 600_000) slot.failures = 0;
    slot.failures += 1;
    slot.process = undefined;
    // In calm nothing has to be waited for: what is judged is the program, not the kubelet.
    const wait = this.calmSince === undefined ? backOff(slot) : 1_000;
    slot.unplan();
    slot.unplan = this.seed.api.agenda.after(wait, () => this.start(slot));
  }

  #tell(slot: Slot, did: ProcessDeed, why?: string): void {
    const process = `${slot.name}#${slot.incarnation}`;
    this.observe({ kind: 'process', slot: slot.name, process, did, ...(why === undefined ? {} : { why }) });
  }

  #args(role: RoleName): readonly string[] {
    const { replicas, election, journals, qps, hostFails } = this.plan;
    return [
      `--kube-api-qps=${qps}`,
      '--kube-api-burst=100',
      `--zap-log-level=${hostFails ? 'DEBUG' : 'ERROR'}`,
      ...(journals ? ['--journal-dir=/journal'] : []),
      ...(election || replicas[role] > 1 ? ['--enable-leader-election'] : []),
    ];
  }

  #watchTruth(): void {
    // With the kinds of dependants that only this plan has.
    const custom = moreKinds(this.config.dependants.map(({ ref }) => ref));
    for (const kind of [...Object.values<ResourceKind>(kinds), ...custom]) {
      const of = this.seed.api.storage.store.of(kind);
      of.onChange((change) => this.observe({ kind: 'change', of: kind, change }));
    }
  }
}

/** The kubelet's CrashLoopBackOff: 10 s, doubled up to 5 minutes; the first start is at once. */
function backOff({ failures }: Slot): Millis {
  return failures <= 1 ? 1_000 : Math.min(10_000 * 2 ** (failures - 2), 300_000);
}

function tokenOf(api: MemoryApiServer, user: string): string {
  const token = `token-of-${user}`;
  api.tokens.set(token, user);
  return token;
}
