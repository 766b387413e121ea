import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { asObject, type JsonObject, type KubeObject } from '@dwd/simulator/store/kube-object.ts';
import { wrongWriter, type LeaseClaim } from '@dwd/testing/store-laws.ts';
import type { Law } from '../law.ts';
import { isOpen } from '../link.ts';
import type { Scene } from '../scene.ts';
import { roleOf, slotOf, tellTo, type Seen } from '../observation.ts';

/** Whose name is in a Lease; '' where it is free, or is none. */
export function holderOf(lease: JsonObject | undefined): string {
  const { holderIdentity } = asObject(lease?.['spec']);
  return typeof holderIdentity === 'string' ? holderIdentity : '';
}

/** How often it has passed from one holder to another. */
function transitionsOf(lease: JsonObject | undefined): number {
  const { leaseTransitions } = asObject(lease?.['spec']);
  return typeof leaseTransitions === 'number' ? leaseTransitions : 0;
}

/** The default of `--leader-elect-lease-duration`, as a drifting clock may measure it. */
const leaseDuration: Millis = 15_000 * 0.99;

/** When a process first asked, and was shown this version. */
type Shown = Readonly<{ version: number; askedAt: Instant }>;

/** The default of `--leader-elect-renew-deadline`. */
const renewDeadline: Millis = 10_000;

/**
 * Which version of its Lease each process has been shown, as is certain from outside: whoever asks a second time, and met no fault meanwhile, was answered the
 * first time.
 */
export class LeasesKnown {
  readonly #current: Record<RoleName, number> = { prober: 0, weeder: 0 };
  /** By process: what the answer that is under way shows at least, and what the last one showed. */
  readonly #asked = new Map<string, Shown>();
  readonly #shown = new Map<string, Shown>();
  /** Whose last GET nobody answered: a watch may have shown them what nobody sees from outside. */
  readonly #unanswered = new Set<string>();
  readonly #reaches: (slot: string) => boolean;

  /** `reaches`: whether a slot's requests get to a seed that answers. */
  constructor(reaches: (slot: string) => boolean = () => true) {
    this.#reaches = reaches;
  }

  change({ of, change: { type, revision, resourceVersion } }: Seen<'change'>): void {
    if (of === kinds.lease)
      this.#current[roleOfLease(revision.object.metadata.name)] = type === 'DELETED' ? 0 : resourceVersion;
  }

  request({ at, process, to, request: { method, url } }: Seen<'request'>): void {
    if (method !== 'GET' || !/\/leases\/[^?]+$/.test(url) || to !== undefined) return;
    if (!this.#reaches(slotOf(process))) {
      this.#asked.delete(process);
      return;
    }
    const before = this.#asked.get(process);
    // It asks again within 4.4 s, unless the answer never came.
    const wasAnswered = before !== undefined && at - before.askedAt < renewDeadline / 2;
    if (wasAnswered) this.#unanswered.delete(process);
    else if (before !== undefined) this.#unanswered.add(process);
    if (wasAnswered && this.#shown.get(process)?.version !== before.version) this.#shown.set(process, before);
    this.#asked.set(process, { version: this.#current[roleOf(process)], askedAt: at });
  }

  fault({ process }: Pick<Seen<'fault'>, 'process'>): void {
    const slot = slotOf(process);
    for (const one of this.#asked.keys()) if (slotOf(one) === slot) this.#asked.delete(one);
  }

  process(seen: Seen<'process'>): void {
    this.fault(seen);
  }

  /** Those that a Lease of this version, or none, shows that the seed went back. */
  newerThan(version: number, role: RoleName): ReadonlySet<string> {
    const shown = [...this.#shown].filter(([process, known]) => roleOf(process) === role && known.version > version);
    return new Set(shown.map(([process]) => process));
  }

  /** Whether a process saw this version of the Lease so long ago that the Lease has run out for it. A backup may have brought the version back. */
  hasRunOut(lease: KubeObject | undefined, process: string, now: Instant): boolean {
    if (this.#unanswered.has(process)) return true;
    const shown = this.#shown.get(process);
    const isSame = shown !== undefined && shown.version === Number(lease?.metadata.resourceVersion);
    return isSame && now - shown.askedAt >= leaseDuration;
  }
}

function reachesIn(scene: Scene): (slot: string) => boolean {
  return (slot) => {
    const own = scene.slots.find(({ name }) => name === slot);
    return own === undefined || (isOpen(own.links.seed) && scene.servers().every(({ isWell }) => isWell));
  };
}

/** `dwd-prober-leader-election` is the prober's. */
function roleOfLease(name: string): RoleName {
  return name.includes('weeder') ? 'weeder' : 'prober';
}

/**
 * Whoever sends a write held the Lease in the store at that moment, and its last renewal is not older than the renew deadline. What the processes
 * believe plays no part.
 */
export const onlyLeadersWrite: Law = {
  name: 'S6 only who holds the Lease writes',
  begin(scene, { breaks }) {
    const { plan } = scene;
    /** By when they were sent. */
    const claims: Partial<Record<RoleName, LeaseClaim>> = {};
    const known = new LeasesKnown(reachesIn(scene));
    /** When etcd was restored, and the Lease went back to a former state, and who knows from the Lease itself that it did. */
    const wentBack: Partial<Record<RoleName, Readonly<{ at: Instant; knowing: ReadonlySet<string> }>>> = {};
    /** Who led when somebody took a Lease that a backup showed as free, or as run out, and could not know better. Its next renewal tells it. */
    const unaware: Partial<Record<RoleName, LeaseClaim | undefined>> = {};
    const counts = { 'writes of leaders': 0, 'Leases taken after they went back': 0 };
    // The deadline is measured by the steady clock of the process, which may drift.
    const longest = renewDeadline * (1 + 2 * plan.clocks.drift) + 1;
    return {
      hear: (seen) => tellTo(known, seen),
      change({ at, of: kind, change: { revision, previous, writer, type } }) {
        if (kind !== kinds.lease) return;
        if (writer === undefined) {
          const of = roleOfLease(revision.object.metadata.name);
          const version = type === 'DELETED' ? 0 : Number(revision.object.metadata.resourceVersion);
          // Nobody has led since an earlier restore whose Lease nobody has taken: who led before it is still the last that may not know.
          const earlier = wentBack[of];
          const knowing = known.newerThan(version, of).union(earlier?.knowing ?? new Set<string>());
          wentBack[of] = { at: earlier?.at ?? at, knowing };
        }
        if (writer === undefined || type === 'DELETED') return;
        const role = roleOf(writer.user);
        const claim = { holder: holderOf(revision.object), at: writer.sentAt };
        const former = holderOf(previous?.object);
        const led = claims[role];
        const leader = led?.holder ?? '';
        claims[role] = claim;
        const back = wentBack[role];
        delete wentBack[role];
        // Who led may lead on. Whoever has just begun cannot know that what a backup shows as free is not; nor can whoever saw the same version of it 15 s before.
        const seemsFree = former === '' || known.hasRunOut(previous?.object, claim.holder, claim.at);
        const couldNotKnow = seemsFree && back?.knowing.has(claim.holder) !== true;
        unaware[role] = back !== undefined && couldNotKnow ? led : undefined;
        if (back === undefined || claim.holder === '' || claim.holder === leader || couldNotKnow) return;
        counts['Leases taken after they went back'] += 1;
        const after = claim.at - back.at;
        if (after < leaseDuration)
          breaks(
            `${claim.holder} took the Lease ${after} ms after it went back, and ${leader || former} may not know yet`,
          );
      },
      write({ at, process, role, path }) {
        if (!plan.election && plan.replicas[role] < 2) return;
        counts['writes of leaders'] += 1;
        const claim = claims[role];
        const before = unaware[role];
        if (before?.holder === process && at - before.at < longest) return;
        const wrong = wrongWriter(claim, { by: process, at }, longest);
        if (wrong !== undefined) breaks(`${process} wrote ${path} ${wrong}`);
      },
      counts: () => counts,
    };
  },
};

/**
 * A Lease is let go by its holder alone, and taken from another only when that one has not renewed for as long as a Lease lasts. Renewals of a history
 * that a restored backup undid count as well: who made them may not know it yet. They do not count for a candidate that saw, 15 s before, the very version that the backup brought back. A renewal is no transition.
 */
export const leaseProtocol: Law = {
  name: 'S6 8 a Lease is let go by its holder, and taken when it has run out',
  begin(scene, { breaks }) {
    /** When each process last put its own name into the Lease of its role, unless it let it go since. */
    const claims: Record<RoleName, Map<string, Instant>> = { prober: new Map(), weeder: new Map() };
    const known = new LeasesKnown(reachesIn(scene));
    const counts = { 'Leases let go': 0, 'Leases taken from another': 0 };
    return {
      hear: (seen) => tellTo(known, seen),
      change({ of, change: { revision, previous, writer } }) {
        if (of !== kinds.lease || writer === undefined) return;
        const { user, sentAt } = writer;
        const own = claims[roleOf(user)];
        const former = holderOf(previous?.object);
        const holder = holderOf(revision.object);
        if (holder === '') {
          own.delete(user);
          counts['Leases let go'] += 1;
          if (former !== '' && former !== user) breaks(`${user} let the Lease of ${former} go`);
          return;
        }
        if (holder === former && transitionsOf(revision.object) !== transitionsOf(previous?.object))
          return breaks(`${user} counted a transition of a Lease that ${holder} goes on holding`);
        const before = own.get(holder) ?? -Infinity;
        own.set(holder, sentAt);
        // What was let go is free; after a restore nobody who has just begun can know that it is not.
        if (former === '') return;
        if (former !== holder) counts['Leases taken from another'] += 1;
        if (known.hasRunOut(previous?.object, holder, sentAt)) return;
        for (const [other, at] of own)
          // A backup may show the name of one who held it before another did.
          if (other !== holder && (former !== holder || at > before) && sentAt - at < leaseDuration)
            return breaks(`${holder} took the Lease ${Math.round(sentAt - at)} ms after ${other} had renewed it`);
      },
      counts: () => counts,
    };
  },
};

/** Since a fault a request may be under way that nobody answers. */
const faultsLast = 10_000;
/** A process that takes longer to end has waited for an answer that was slow, and has given it up. */
const answeredWithin = 2_000;

/** A process that ends because it was told to has let its Lease go, wherever it met no fault in doing so: nobody has to wait for it to run out. */
export const leasesLetGo: Law = {
  name: '1.4 who ends lets its Lease go',
  begin(scene, { breaks }) {
    const faultAt = new Map<string, Instant>();
    const toldAt = new Map<string, Instant>();
    const counts = { 'processes that ended as they were told': 0 };
    return {
      fault: ({ at, process }) => faultAt.set(process, at),
      process({ at, slot, process, did, why }) {
        if (did === 'paused' || did === 'resumed') faultAt.set(slot, at);
        if (did === 'told to end') toldAt.set(process, at);
        const way = scene.slot(slot)?.links.seed;
        if (did !== 'ended' || why !== 'SIGTERM' || (way && !isOpen(way)) || way?.slow !== 0) return;
        if (at - (faultAt.get(slot) ?? -Infinity) < faultsLast || !scene.servers().every(({ isWell }) => isWell))
          return;
        if (at - (toldAt.get(process) ?? -Infinity) > answeredWithin) return;
        counts['processes that ended as they were told'] += 1;
        const leases = scene.seed.api.storage.store.of(kinds.lease).list();
        const held = leases.find(({ object }) => holderOf(object) === process);
        if (held !== undefined) breaks(`${process} has ended, and ${held.key} still bears its name`);
      },
      counts: () => counts,
    };
  },
};
