import { readCluster } from 'dependency-watchdog/domain/prober/cluster-reading.ts';
import { judgeLifecycle } from 'dependency-watchdog/domain/prober/cluster-view.ts';
import { hasTwoPaths } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { readResource } from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { ShootNamespace, RoleName } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { asObject, type KubeObject } from '@dwd/simulator/store/kube-object.ts';
import { slotOf, tellTo, type Observation, type ProcessDeed, type Seen, type SlotName } from '../observation.ts';
import type { Scene } from '../scene.ts';
import { longestBlindness, silence, Troubles, UnwatchedClusters, type Reason } from './troubles.ts';
import { isOpen } from '../link.ts';

/** A Lease that nobody renews is taken after 15 s, by a standby that asks every 2 s or so. */
const takeOver: Millis = 22_000;
/** Back-offs of requests and watches of the seed, up to the longest. */
const seedRecovery: Millis = 30_000;
/** A request that was lost is sent again after 3 s, and what it held up goes on. */
const requestRecovery: Millis = 10_000;
/** A stream that was out fails again and again in bad weather, and waits for half a minute after each time. */
const seedRelapses: Millis = 90_000;
/** A list that hangs is given up after 30 s, and asked for again half a minute later at most. */
const hungList: Millis = 60_000;
/** Clusters that may not be watched are listed so often. */
const listedWithin: Millis = 35_000;
/** A 429 may ask for no longer pause (6.12). */
const longestPause: Millis = 60_000;

const keeping: readonly Reason[] = ['the way to the seed was closed or slow', 'a process had just begun'];
const seedless: readonly Reason[] = ['the way to the seed was closed or slow', 'the seed was not well', silence];
const untold: Reason = 'by a mistake its leases told nothing';
const ruledOut = 'the Cluster ruled it out, or could not be read';

/** Hears and looks for whatever happens to a seed, and keeps for how long after it the program may be late. */
export class TroublesSeen {
  readonly unwatched: UnwatchedClusters = new UnwatchedClusters();
  readonly #scene: Scene;
  readonly #troubles = new Troubles();
  /** Shoots whose Cluster does not let them be probed; Secrets without a token that is taken, and dependants that are ignored, with their shoots. */
  readonly #ruledOut = new Set<ShootNamespace>();
  readonly #useless = new Map<string, ShootNamespace>();
  readonly #ignored = new Map<string, ShootNamespace>();
  /** By slot, when its process last stood still; Infinity while it does. */
  readonly #stoodStill = new Map<string, Readonly<{ from: Instant; until: Instant }>>();
  /** By slot, when it last had no seed. */
  readonly #seedlessAt = new Map<string, Instant>();
  readonly #kubeletsAhead = new Map<string, Millis>();
  /** The process whose name was last written into the Lease. */
  #holder = '';
  #heldAt: Instant = -Infinity;
  readonly #firstProbe: Millis;
  readonly #probeRecovery: Millis;

  constructor(scene: Scene) {
    this.#scene = scene;
    const { initialDelay, probeInterval, probeTimeout, backoffJitterFactor } = scene.config;
    const leftAlone = hasTwoPaths(scene.config) ? scene.config.internalProbeFailureBackOffDuration : 0;
    this.#firstProbe = initialDelay * (1 + backoffJitterFactor) + 10_000;
    this.#probeRecovery = leftAlone + probeTimeout + probeInterval * (1 + backoffJitterFactor);
  }

  /** The slot that has to act: whose process holds the Lease, or the only one. */
  get leader(): string {
    return this.#isElecting ? slotOf(this.#holder) : 'prober-0';
  }

  /** Why a shoot may be served late at an instant; the process that leads now has to answer for it. */
  reasonAt(shoot: ShootNamespace, at: Instant, among?: readonly Reason[]): Reason | undefined {
    const { leader } = this;
    return this.#troubles.reasonAt(['', shoot, leader, `${leader} to ${shoot}`], at, among);
  }

  /** Whether any of these troubles was about this process, or about all, at an instant or since. */
  has(process: string, since: Instant, among: readonly Reason[]): boolean {
    return this.#troubles.reasonAt(['', slotOf(process)], since, among) !== undefined;
  }

  /** The same, with what befell a shoot. The time for which the process stood still does not count. */
  hasFor(shoot: ShootNamespace, process: string, since: Instant, among: readonly Reason[]): boolean {
    const slot = slotOf(process);
    const { from, until } = this.#stoodStill.get(slot) ?? { from: since, until: since };
    const awake = since < until ? from - (until - since) : since;
    return this.#troubles.reasonAt(['', shoot, slot], awake, among) !== undefined;
  }

  /** Until when any of these troubles may hold up any replica of the role. */
  lastOf(role: RoleName, among: readonly Reason[]): Instant {
    const slots = this.#scene.slots.filter((slot) => slot.role === role);
    return this.#troubles.lastOf(['', ...slots.map(({ name }) => name)], among);
  }

  hear(seen: Observation): void {
    tellTo(this.unwatched, seen);
  }

  process({ at, process, did }: Omit<Seen<'process' | 'blow'>, 'kind'>): void {
    const slot = slotOf(process);
    this.#noteStill(slot, did, at);
    if (did === 'started' || did === 'resumed') this.#begin(slot, at);
    else if (slot === this.leader) this.#troubles.add('', 'the lead was vacant', at + takeOver + requestRecovery);
  }

  blow(seen: Seen<'blow'>): void {
    this.process(seen);
  }

  happening({ at, happening: { kind, shoot, of } }: Seen<'happening'>): void {
    const troubles = this.#troubles;
    if (kind === 'watches abandoned' || kind.startsWith('etcd restored'))
      troubles.add('', silence, at + longestBlindness);
    if (/^(etcd|watches|history)/.test(kind))
      troubles.add('', 'etcd was restored, or watches were lost', at + seedRecovery);
    else if (kind.startsWith('webhook'))
      troubles.add(
        shoot ?? '',
        'a dependant was ignored, or written by others',
        at + (of?.length ?? 0) + this.#probeRecovery,
      );
    else if (kind === 'clock set') troubles.add(String(of?.slot), 'a clock was wrong', at + seedRecovery);
    else if (shoot !== undefined && /^nodes (un)?counted/.test(kind))
      // Within ten minutes a look finds that they tell again, and a probe comes after that (5.8). No such mistake lasts for longer.
      troubles.add(shoot, untold, at + 1_200_000 + this.#probeRecovery);
    else if (shoot !== undefined && !known.test(kind))
      troubles.add(shoot, 'something else happened to the shoot', at + this.#probeRecovery);
  }

  /** What lasts is seen each second for as long as it lasts. */
  look(): void {
    const now = this.#scene.now();
    const { slots, seed, config } = this.#scene;
    const troubles = this.#troubles;
    const isSeedWell = this.#scene.servers().every((server) => server.isWell);
    if (!slots.some(({ role, process }) => role === 'prober' && process !== undefined && !process.isPaused))
      troubles.add('', 'no process lived', now + takeOver + this.#firstProbe);
    for (const { name, links, process } of slots) {
      if (process === undefined || process.isPaused) this.#begin(name, now);
      const hasSeed = isOpen(links.seed) && links.seed.slow === 0;
      if (!(hasSeed && isSeedWell) && this.#isYoung(name, now)) this.#begin(name, now);
      if (!(hasSeed && isSeedWell)) this.#seedlessAt.set(name, now);
      if (!hasSeed) troubles.add(name, 'the way to the seed was closed or slow', now + seedRecovery);
      if (links.seed.out === 'silent' || links.seed.clustersLate > 0)
        troubles.add(name, silence, now + longestBlindness);
      if (!isOpen(links.shoot) || links.shoot.slow + links.shoot.nodesLate > 0)
        troubles.add(name, 'the way to the shoot was closed or slow', now + this.#probeRecovery);
    }
    const isVacant = this.#isElecting && now - this.#heldAt > takeOver;
    if (isVacant && slots.every(({ role, name }) => role !== 'prober' || this.#cannotLead(name, now)))
      troubles.add('', 'the lead was vacant', now + takeOver + requestRecovery);
    if (!isSeedWell) troubles.add('', 'the seed was not well', now + seedRecovery);
    const { shoots } = seed;
    for (const shoot of shoots) {
      const { name, api } = shoot;
      if (!api.isWell || (hasTwoPaths(config) && shoot.paths.internal.fault !== undefined))
        troubles.add(name, 'the shoot did not answer as it should', now + this.#probeRecovery);
      // Kubelets may be wrong for as long as they like, and a change of that is forgotten soon (5.1).
      if (api.clockAhead !== 0 || shoot.kubelets.ahead !== (this.#kubeletsAhead.get(name) ?? 0))
        troubles.add(name, 'a clock was wrong', now + this.#probeRecovery);
      this.#kubeletsAhead.set(name, shoot.kubelets.ahead);
    }
    for (const shoot of this.#ruledOut) troubles.add(shoot, ruledOut, now + this.#firstProbe);
    // Whoever cannot reach the seed, or waits for a silent watch, does not hear either that a shoot may be probed again.
    if (troubles.reasonAt(['', this.leader], now, seedless) !== undefined)
      for (const { name } of shoots)
        if (troubles.reasonAt([name], now, [ruledOut])) troubles.add(name, ruledOut, now + this.#firstProbe);
    for (const shoot of this.#useless.values())
      troubles.add(shoot, 'its Secret did not lead to it', now + this.#probeRecovery);
    for (const shoot of this.#ignored.values())
      troubles.add(shoot, 'a dependant was ignored, or written by others', now + this.#probeRecovery);
  }

  get #isElecting(): boolean {
    const { election, replicas } = this.#scene.plan;
    return election || replicas.prober > 1;
  }

  fault({ at, name, process, shoot }: Seen<'fault'>): void {
    // Shoots are not watched, and a watch without bookmarks is no worse while it is open. That a path fails is what a probe is for.
    if (/^shoot: (watch|path)|no bookmarks$/.test(name)) return;
    const slot = slotOf(process);
    if (name.startsWith('shoot') && shoot !== undefined)
      this.#troubles.add(`${slot} to ${shoot}`, 'a request met a fault', at + this.#probeRecovery);
    else {
      // Whoever waits for a watch that says nothing does not wait for long: it is no reason for a mark.
      if (name === 'seed: watch silent') this.#troubles.add(slot, silence, at + longestBlindness);
      else this.#troubles.add(slot, 'a request met a fault', at + requestRecovery);
      // What may have been a list, the first one or one of those after an outage.
      const isHung = /lost|unanswered/.test(name);
      if (at - (this.#seedlessAt.get(slot) ?? -Infinity) < seedRelapses)
        this.#troubles.add(slot, 'the way to the seed was closed or slow', at + (isHung ? hungList : seedRecovery));
      if (this.#isYoung(slot, at)) this.#begin(slot, isHung ? at + hungList : at);
    }
  }

  /** Scale-ups wait for so long, and go slower after it; so do the first lists of a process (6.12). */
  throttled({ at, process, retryAfter }: Seen<'throttled'>): void {
    const slot = slotOf(process);
    const until = at + Math.min(retryAfter, longestPause);
    this.#troubles.add(slot, 'a request met a fault', until + requestRecovery);
    if (this.#isYoung(slot, at)) this.#begin(slot, until);
  }

  #noteStill(slot: string, did: ProcessDeed, at: Instant): void {
    const { from, until } = this.#stoodStill.get(slot) ?? { from: at, until: at };
    if (did === 'paused') this.#stoodStill.set(slot, { from: until === Infinity ? from : at, until: Infinity });
    else if (did === 'resumed') this.#stoodStill.set(slot, { from, until: at });
    else if (did !== 'told to end') this.#stoodStill.delete(slot);
  }

  #leadsIn(name: ShootNamespace, secret: KubeObject): boolean {
    const shoot = this.#scene.seed.shoots.find((one) => one.name === name);
    const text = Buffer.from(String(asObject(secret['data'])['kubeconfig']), 'base64').toString();
    return shoot !== undefined && [...shoot.api.tokens.keys()].some((token) => text.includes(token));
  }

  /** It has to take the lead, to list the seed, and to wait for its first probes. What happens to the seed meanwhile makes it begin anew. */
  #begin(slot: string, at: Instant): void {
    this.#troubles.add(slot, 'a process had just begun', at + takeOver + this.#firstProbe);
  }

  /** Whether something keeps a candidate from taking a Lease that nobody holds. */
  #cannotLead(slot: SlotName, at: Instant): boolean {
    const process = this.#scene.slot(slot)?.process;
    return process === undefined || process.isPaused || this.#troubles.reasonAt([slot], at, keeping) !== undefined;
  }

  #isYoung(slot: string, at: Instant): boolean {
    return this.#troubles.reasonAt([slot], at, ['a process had just begun']) !== undefined;
  }

  change({ at, of, change }: Seen<'change'>): void {
    const { object, key } = change.revision;
    const shoot = object.metadata.namespace ?? '';
    if (of === kinds.lease && change.writer?.user.startsWith('prober') === true) {
      const { holderIdentity } = asObject(object['spec']);
      const holder = typeof holderIdentity === 'string' ? holderIdentity : '';
      // It is given up at a process's end, or taken by another.
      if (holder !== this.#holder) this.#troubles.add('', 'the lead was vacant', at + requestRecovery);
      if (holder !== '') this.#holder = holder;
      this.#heldAt = at;
    }
    if (of === kinds.cluster) {
      const reading = readCluster(object);
      const isProbed =
        change.type !== 'DELETED' && reading.readable && judgeLifecycle(reading.cluster).kind === 'start';
      if (!isProbed) this.#ruledOut.add(key);
      else if ((this.#ruledOut.delete(key) || change.type === 'ADDED') && this.unwatched.has(at))
        this.#troubles.add(key, ruledOut, at + listedWithin + this.#firstProbe);
    }
    if (of === kinds.secret) {
      if (change.type !== 'DELETED' && this.#leadsIn(shoot, object)) this.#useless.delete(key);
      else this.#useless.set(key, shoot);
      this.#troubles.add(shoot, 'its Secret did not lead to it', at + this.#probeRecovery);
    }
    if (of.scale === undefined) return;
    if (change.type !== 'DELETED' && readResource(object).ignored) this.#ignored.set(key, shoot);
    else this.#ignored.delete(key);
    const { previous } = change;
    if (change.writer === undefined && object.metadata.generation !== previous?.object.metadata.generation)
      this.#troubles.add(shoot, 'a dependant was ignored, or written by others', at + this.#probeRecovery);
  }
}

/** Happenings that are seen by what they do, or that are outages. */
const known =
  /^(nodes (cut off|healed)|zone|gateway|scaled|told|heeded|deleted by|created again|overtaken|paused|crashed|cut off as|nodes|internal path|Secret|API server|hibernated|woken|migrated|reconciled|made|given|reads (held|split)|Cluster|control plane|service|pods end|webhook)/;
