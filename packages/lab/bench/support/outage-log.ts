import type { Chance } from 'dependency-watchdog/effects/ports.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import { replicasAnnotation } from 'dependency-watchdog/domain/prober/resource-view.ts';
import { cutOffAt, expiryOf } from '@dwd/testing/store-laws.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { workloadNumbers } from '@dwd/simulator/store/resource-kind.ts';
import type { CutOff, SeedOutage } from './started-seed.ts';
import { readLease } from 'dependency-watchdog/domain/prober/node-lease.ts';
import { setRenewTimes } from '@dwd/testing/embedded-stage.ts';

const controllerManager = 'kube-controller-manager';

type Watched = {
  readonly shoot: EmbeddedShoot;
  crossedAt: Instant;
  firstMarkAt: Instant;
  /** Of each dependant, before the outage. */
  readonly before: readonly DependantBefore[];
  firstWriteAt?: Instant;
  scaledAt?: Instant;
  goneAt?: Instant;
  healedAt?: Instant;
  renewedAt?: Instant;
  controllerManagerAt: Instant | undefined;
  askedAt: Instant | undefined;
  backAt: Instant | undefined;
};

type DependantBefore = Readonly<{ name: string; asked: string; ready: number }>;

/** What the seed itself sees of each outage: no watchdog has to tell anything. */
export class OutageLog {
  readonly #seed: EmbeddedSeed;
  readonly #outages = new Map<ShootNamespace, Watched>();
  #hasPaths = false;

  constructor(seed: EmbeddedSeed) {
    this.#seed = seed;
    seed.api.storage.store.of(kinds.deployment).onChange(({ revision, previous }) => {
      const { name, namespace = '' } = revision.object.metadata;
      const outage = this.#outages.get(namespace);
      if (outage === undefined || previous === undefined) return;
      const now = seed.api.agenda.clock.now();
      const is = workloadNumbers(kinds.deployment, revision.object);
      const wasScaled = workloadNumbers(kinds.deployment, previous.object).desired !== is.desired;
      if (wasScaled) outage.firstWriteAt ??= now;
      if (name === controllerManager) {
        if (wasScaled && is.desired === 0) outage.scaledAt ??= now;
        if (is.desired === 0 && is.ready === 0) outage.goneAt ??= now;
      }
      compare(outage, now);
    });
  }

  /** Cuts shoots off: now, after leases of these ages or by its load balancer, or each at a moment of its own. */
  cutOff(how: CutOff, chance: Chance): void {
    const { agenda } = this.#seed.api;
    this.#hasPaths = 'path' in how;
    for (const shoot of this.#seed.shoots.slice(0, how.shoots)) {
      const outage: Watched = {
        shoot,
        before: stateOf(shoot),
        crossedAt: Infinity,
        firstMarkAt: Infinity,
        controllerManagerAt: undefined,
        askedAt: undefined,
        backAt: undefined,
      };
      this.#outages.set(shoot.name, outage);
      if ('ages' in how) {
        Object.assign(outage, cutOffWithAges(shoot, how.ages, agenda.clock.now(), chance));
        continue;
      }
      if ('path' in how) {
        void shoot.paths.break('external', { kind: how.path });
        // The leases that are there were renewed just before.
        Object.assign(outage, { ...crossingOf(shoot), crossedAt: agenda.clock.now() });
        continue;
      }
      agenda.after(chance() * how.over, () => {
        shoot.cutOff();
        Object.assign(outage, crossingOf(shoot));
      });
    }
  }

  /** Each at a moment of its own within so long. */
  heal(over: Millis, chance: Chance): void {
    const { agenda } = this.#seed.api;
    for (const outage of this.#outages.values())
      agenda.after(chance() * over, (now) => {
        outage.healedAt = now;
        compare(outage, now);
        followRenewals(outage, this.#seed);
        if (this.#hasPaths) void outage.shoot.paths.heal('external');
        else outage.shoot.heal();
      });
  }

  get all(): readonly SeedOutage[] {
    return [...this.#outages.values()].map(outageOf);
  }
}

function outageOf(outage: Watched): SeedOutage {
  const { shoot, crossedAt, firstMarkAt, firstWriteAt, scaledAt, goneAt } = outage;
  const { healedAt, renewedAt, controllerManagerAt, askedAt, backAt } = outage;
  const healing = healedAt === undefined ? undefined : { healedAt, renewedAt, controllerManagerAt, askedAt, backAt };
  const marks = shoot.marks.length;
  const down = { scaledAt, goneAt };
  return { shoot: shoot.name, crossedAt, firstMarkAt, firstWriteAt, controllerManager: down, marks, healing };
}

function stateOf({ dependants }: EmbeddedShoot): readonly DependantBefore[] {
  return dependants.names.map((name) => {
    const { desired, annotations, ready } = dependants.get(name) ?? { desired: NaN, annotations: {}, ready: NaN };
    // What a watchdog keeps for itself in the record is its own matter; the Go one leaves it.
    const { [replicasAnnotation]: _, ...others } = annotations;
    const asked = JSON.stringify([desired, others]);
    return { name, asked, ready };
  });
}

/** Keeps since when the shoot is as before. What goes down once more is not back. */
function compare(outage: Watched, now: Instant): void {
  const is = new Map(stateOf(outage.shoot).map((one) => [one.name, one]));
  const isAsked = ({ name, asked }: DependantBefore): boolean => is.get(name)?.asked === asked;
  const isBack = (one: DependantBefore): boolean => isAsked(one) && is.get(one.name)?.ready === one.ready;
  const { before, controllerManagerAt, askedAt, backAt } = outage;
  const [own] = before.filter(({ name }) => name === controllerManager);
  outage.controllerManagerAt = own !== undefined && isAsked(own) ? (controllerManagerAt ?? now) : undefined;
  outage.askedAt = before.every(isAsked) ? (askedAt ?? now) : undefined;
  outage.backAt = before.every(isBack) ? (backAt ?? now) : undefined;
}

function followRenewals(outage: Watched, { api: { agenda } }: EmbeddedSeed): void {
  const { shoot } = outage;
  const leave = shoot.api.storage.store.of(kinds.lease).onChange(() => {
    const now = agenda.clock.now();
    if (crossingOf(shoot).crossedAt <= now) return;
    outage.renewedAt = now;
    leave();
  });
}

/** Gardener's. */
const leasePolicy = { grace: 40_000, failureFraction: 0.6 };

/** Cuts a shoot off as if it had been for a while: its leases are so old. Gives when the threshold is crossed, and when the first node would be marked. */
function cutOffWithAges(
  shoot: EmbeddedShoot,
  [youngest, oldest]: readonly [Millis, Millis],
  now: Instant,
  chance: Chance,
): Readonly<{ crossedAt: Instant; firstMarkAt: Instant }> {
  shoot.cutOff();
  setRenewTimes(shoot, () => now - youngest - chance() * (oldest - youngest));
  return crossingOf(shoot);
}

/** When the shoot's threshold is crossed if no lease is renewed any more, and when the first node would be marked. */
function crossingOf(shoot: EmbeddedShoot): Readonly<{ crossedAt: Instant; firstMarkAt: Instant }> {
  const { grace, failureFraction } = leasePolicy;
  const leases = shoot.api.storage.store.of(kinds.lease).list('kube-node-lease');
  const renewals = leases.map(({ object }) => readLease(object)?.renewedAt ?? -Infinity);
  const expiries = renewals.map((renewedAt) => expiryOf(renewedAt, grace));
  return { crossedAt: cutOffAt(expiries, failureFraction), firstMarkAt: Math.min(...renewals) + grace };
}
