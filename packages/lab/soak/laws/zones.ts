import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import { hasTwoPaths } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { zoneOf } from '@dwd/simulator/shoot/shoot-objects.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { Law } from '../law.ts';
import type { Shoot } from '../scene.ts';
import { LateRenewals } from './late-renewals.ts';
import { graceFor, renewalsOf } from './marks.ts';

/** A kubelet that can renew does so within 10.4 s, and this law looks each second. */
const renewedWithin: Millis = 12_000;
/** By the clock of the process, or a date in whole seconds, a lease may be older or younger. */
const nearly: Millis = 5_000;
/** Kubelets that are cut off together have renewed within one interval. */
const oneInterval: Millis = 10_500;
/** Whoever says it goes by what was asked before: leases, then nodes and Machines, each within its time-out. */
const longestProbe: Millis = 60_000;
/** What is known of Machines, Clusters and clocks may be so old (5.1, 5.4). */
const knownFor: Millis = 120_000;
/** For the answers, and for a look each second. */
const slack: Millis = 5_000;

/** Of one shoot. */
type ZoneTruth = {
  /** When a kubelet could last not renew. */
  impairedAt: Instant;
  /** When what counts last changed, and when its clocks last were wrong. */
  changedAt: Instant;
  wrongAt: Instant;
  /** How it is, and since when nothing stands in the way of saying it. */
  is: Standing;
  since: Instant;
  /** When each zone was last silent while the rest renewed. */
  readonly silentAt: Map<string, Instant>;
};

/** `apart`: some zones are silent, and all else renews. */
type Standing = 'well' | 'apart' | 'otherwise';

/** A zone that is cut off is told while it is away, and said to be over when it is back; no zone is told that was not silent while the others renewed. */
export const partialOutages: Law = {
  name: '5.6 a zone that goes is told, and no other',
  begin(scene, { troubles, breaks }) {
    const { nodeLeaseFailureFraction, probeInterval, initialDelay, backoffJitterFactor } = scene.config;
    const within = probeInterval * (1 + backoffJitterFactor) + slack;
    // Leases come back one by one, and a first look tells nothing.
    const settledAfter = within + renewedWithin;
    const shoots = new Map<ShootNamespace, ZoneTruth>();
    const late = new LateRenewals(scene);
    /** By process and shoot, what was said and is not over. */
    const told = new Set<string>();
    const counts = { 'zones that were told': 0, 'looks at zones that had to be told': 0 };

    const seenOf = (shoot: ShootNamespace): ZoneTruth => {
      const known = shoots.get(shoot);
      if (known !== undefined) return known;
      const never = { impairedAt: -Infinity, changedAt: -Infinity, wrongAt: -Infinity, since: -Infinity };
      const first: ZoneTruth = { ...never, is: 'otherwise', silentAt: new Map() };
      shoots.set(shoot, first);
      return first;
    };

    const standingOf = ({ name, api }: Shoot, { silentAt }: ZoneTruth): Standing => {
      const now = scene.now();
      const expiry = 0.75 * graceFor(scene, name);
      const renewals = renewalsOf(scene, name);
      const zones = Map.groupBy(renewals, ({ node }) => zoneOf(api.storage, node));
      let [apart, fresh] = [0, 0];
      for (const [zone = '', own] of zones) {
        const last = Math.max(...own.map(({ at }) => at));
        // Another zone may be silent, too.
        const others = renewals.filter((one) => !own.includes(one) && now - one.at < expiry);
        const later = others.filter(
          ({ node, at }) => at + late.lagOf(troubles.leader, name, node) > last + oneInterval,
        );
        if (own.length > 1 && now - last > expiry - nearly && later.length * 2 > others.length) silentAt.set(zone, now);
        if (own.length > 1 && now - last >= expiry) apart += own.length;
        if (own.every(({ at }) => now - at < renewedWithin)) fresh += own.length;
      }
      if (fresh === renewals.length) return 'well';
      const isPart = fresh > 0 && apart + fresh === renewals.length;
      return isPart && apart < nodeLeaseFailureFraction * renewals.length ? 'apart' : 'otherwise';
    };

    return {
      change({ at, of, change: { revision } }) {
        if (of === kinds.machine) seenOf(revision.object.metadata.namespace ?? '').changedAt = at;
        if (of === kinds.cluster) seenOf(revision.key).changedAt = at;
      },
      happening({ at, happening: { kind, shoot = '' } }) {
        if (kind.includes('clock')) seenOf(shoot).wrongAt = at;
      },
      shootTurn(seen) {
        late.shootTurn(seen);
        const { at, process, turn } = seen;
        const { subject, event, notes, to } = turn;
        const key = `${process} ${subject}`;
        if (event.type === 'started')
          seenOf(subject).since = at + initialDelay * (1 + backoffJitterFactor) + settledAfter;
        if (event.type === 'started' || event.type === 'ended' || to === 'idle') told.delete(key);
        // It may be the shoot's own API server that is silent, and leases come back one by one after that.
        if (event.type === 'probe.failed') seenOf(subject).since = at + settledAfter;
        for (const note of notes) {
          if (note.kind === 'verdict' && note.verdict === 'cutOff') seenOf(subject).since = at + settledAfter;
          if (note.kind === 'partialOutageOver') told.delete(key);
          if (note.kind !== 'partialOutage') continue;
          told.add(key);
          const truth = seenOf(subject);
          const { silentAt, changedAt, wrongAt } = truth;
          // It may have become so since the last look.
          for (const shoot of scene.seed.shoots) if (shoot.name === subject) standingOf(shoot, truth);
          if (at - Math.max(changedAt, wrongAt) < knownFor) continue;
          counts['zones that were told'] += 1;
          const wrong = note.groups.find((zone) => at - (silentAt.get(zone) ?? -Infinity) > longestProbe);
          if (wrong !== undefined)
            breaks(
              `${process} said that ${wrong} of ${subject} was cut off alone, and it was not silent while the others renewed`,
            );
        }
      },
      look() {
        if (hasTwoPaths(scene.config)) return;
        const now = scene.now();
        const { leader } = troubles;
        const process = scene.slots.find(({ name }) => name === leader)?.process?.name;
        for (const shoot of scene.seed.shoots) {
          const { name, kubelets, api } = shoot;
          const seen = seenOf(name);
          if (kubelets.isImpaired) seen.impairedAt = now;
          if (kubelets.ahead !== 0 || api.clockAhead !== 0) seen.wrongAt = now;
          const is = now - seen.impairedAt > renewedWithin ? 'well' : standingOf(shoot, seen);
          const stands = process === undefined || troubles.reasonAt(name, now) !== undefined;
          if (is !== seen.is || stands || now - seen.wrongAt < knownFor) seen.since = Math.max(seen.since, now);
          seen.is = is;
          if (is === 'otherwise' || now - seen.since < within) continue;
          const isTold = told.has(`${process} ${name}`);
          if (is === 'apart') counts['looks at zones that had to be told'] += 1;
          if (isTold !== (is === 'apart'))
            breaks(
              `${process} ${isTold ? 'still says that a zone is cut off' : 'has not said that a zone is cut off'}, though ${name} has been ${is} for ${now - seen.since} ms`,
            );
        }
      },
      process({ process, did }) {
        if (did === 'crashed' || did === 'ended')
          for (const key of told) if (key.startsWith(`${process} `)) told.delete(key);
      },
      counts: () => counts,
    };
  },
};
