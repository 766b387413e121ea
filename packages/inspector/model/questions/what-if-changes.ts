import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { MachineView, NodeView } from 'dependency-watchdog/domain/prober/candidates.ts';
import type { ClusterReading } from 'dependency-watchdog/domain/prober/cluster-view.ts';
import { clockDifference, type NodeLease } from 'dependency-watchdog/domain/prober/node-lease.ts';
import type { ProbeFailure, ProbeFailureReason } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import {
  hasTwoPaths,
  type LeaseConfig,
  type TwoPathConfig,
  type ProberConfig,
} from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';
import type { ShootEvent, ShootEventOf } from 'dependency-watchdog/machines/shoot-language.ts';

/** What of the configuration can be imagined otherwise. The fraction has an effect on leases alone, the back-off on two paths alone. */
export type ImaginedConfig = Pick<
  LeaseConfig,
  'nodeLeaseFailureFraction' | 'kcmNodeMonitorGraceDuration' | 'failureThreshold' | 'successThreshold' | 'probeInterval'
> &
  Pick<TwoPathConfig, 'internalProbeFailureBackOffDuration'>;

export type ImaginedAnswer = 'answered' | ProbeFailureReason;

/** What is imagined otherwise about one turn. What is absent stays as it was. */
export type Changes = Readonly<{
  /** How old a lease was when it was asked for; null where its `renewTime` cannot be read. */
  allAges?: Millis | null;
  /** The same of single nodes; outranks `allAges`. */
  ages?: ReadonlyMap<string, Millis | null>;
  /** The probe, or the look, was answered, or failed for this reason. */
  answer?: ImaginedAnswer;
  config?: Readonly<Partial<ImaginedConfig>>;
}> &
  /** One of the two paths of the probe answered, or failed for this reason (SPEC 4.9). */
  Readonly<Partial<Record<ShootPath, ImaginedAnswer>>>;

export function isUnchanged(changes: Changes): boolean {
  return Object.keys(changes).length === 0;
}

export function hasAges({ allAges, ages }: Changes): boolean {
  return allAges !== undefined || ages !== undefined;
}

/** Why something cannot be imagined, and what to do: one sentence. `field`: of the form. */
export type Refusal = Readonly<{ field: string; sentence: string }>;

/** What is imagined cannot be. */
export class Unimaginable extends Error {
  override readonly name = 'Unimaginable';
  readonly refusal: Refusal;
  constructor(field: string, because: string) {
    super(because);
    this.refusal = refusal(field, because);
  }
}

/** `because` is a clause, and may have further sentences; it ends without a point. */
export function refusal(field: string, because: string): Refusal {
  return { field, sentence: `${fieldNames[field] ?? field.replace(/^age\./, 'age of ')}: ${because}.` };
}

/** As the form calls them; others have the name of their key. */
const fieldNames: Readonly<Record<string, string>> = {
  allAges: 'age of all leases',
  internal: 'internal path',
  external: 'external path',
};

export const failureReasons = [
  'unreachable',
  'timeout',
  'certificate',
  'unauthorized',
  'throttled',
  'refused',
  'garbled',
  'tooLarge',
  'kubeconfig',
  'local',
] as const satisfies readonly ProbeFailureReason[];

/** Which keys mean something to a shoot of this configuration. */
export function fieldsOf(config: ProberConfig): readonly (keyof ImaginedConfig)[] {
  const own = hasTwoPaths(config) ? 'internalProbeFailureBackOffDuration' : 'nodeLeaseFailureFraction';
  return [own, 'kcmNodeMonitorGraceDuration', 'probeInterval', 'failureThreshold', 'successThreshold'];
}

/** A configuration with other values. Throws Unimaginable where a value would have no effect. */
export function imaginedConfig(config: ProberConfig, { config: changed = {} }: Changes): ProberConfig {
  const { nodeLeaseFailureFraction: fraction, internalProbeFailureBackOffDuration: backOff, ...either } = changed;
  if (hasTwoPaths(config)) {
    if (fraction !== undefined)
      throw new Unimaginable(
        'nodeLeaseFailureFraction',
        'this shoot is judged by two paths, and no lease is read. Take it back',
      );
    const internalProbeFailureBackOffDuration = backOff ?? config.internalProbeFailureBackOffDuration;
    return { ...config, ...either, internalProbeFailureBackOffDuration };
  }
  if (backOff !== undefined)
    throw new Unimaginable(
      'internalProbeFailureBackOffDuration',
      'this shoot is judged by its leases, and has no internal path. Take it back',
    );
  return { ...config, ...either, nodeLeaseFailureFraction: fraction ?? config.nodeLeaseFailureFraction };
}

/** What the machine remembers, with another configuration. The shoot's own grace outranks the configuration's (SPEC 3.3), so both are changed. */
export function imaginedContext(
  context: ShootContext,
  changes: Changes,
): Readonly<{ context: ShootContext; assumed: readonly string[] }> {
  const changed = { ...context, config: imaginedConfig(context.config, changes) };
  const grace = changes.config?.kcmNodeMonitorGraceDuration;
  const { cluster } = context;
  if (grace === undefined || cluster?.nodeMonitorGrace === undefined) return { context: changed, assumed: [] };
  const assumed = ['The shoot has a grace of its own, which outranks the configuration: that one is changed.'];
  return { context: { ...changed, cluster: { ...cluster, nodeMonitorGrace: grace } }, assumed };
}

type ProbeEvent = ShootEventOf<'probe.answered'> | ShootEventOf<'probe.failed'>;
export type LookEvent = ShootEventOf<'candidates.answered'> | ShootEventOf<'candidates.failed'>;

/** A Cluster that an event brings would bring the shoot's own grace back. */
export function imaginedEvent(event: ShootEvent, { config = {} }: Changes): ShootEvent {
  const { kcmNodeMonitorGraceDuration: grace } = config;
  if (grace === undefined) return event;
  const changed = (reading: ClusterReading): ClusterReading =>
    reading.readable && reading.cluster.nodeMonitorGrace !== undefined
      ? { readable: true, cluster: { ...reading.cluster, nodeMonitorGrace: grace } }
      : reading;
  if (event.type === 'cluster.changed') return { ...event, reading: changed(event.reading) };
  if (event.type !== 'candidates.answered' && event.type !== 'cluster.answered') return event;
  if (event.cluster?.outcome !== 'read') return event;
  return { ...event, cluster: { outcome: 'read', reading: changed(event.cluster.reading) } };
}

/** The answer of a probe as it is imagined; a probe that failed is answered with the leases that were seen last. Throws Unimaginable. */
export function imaginedProbe(event: ProbeEvent, context: ShootContext, changes: Changes): ProbeEvent {
  const { answer } = changes;
  const { at, number, askedAt } = event;
  if (answer !== undefined && answer !== 'answered') {
    if (hasAges(changes))
      throw new Unimaginable('answer', 'a probe that fails brings no leases. Take back the ages, or the failure');
    const stage = event.type === 'probe.failed' ? event.failure.stage : 'leases';
    return { type: 'probe.failed', at, number, askedAt, failure: imaginedFailure(stage, answer) };
  }
  if (event.type === 'probe.failed' && answer === undefined) {
    if (!hasAges(changes)) return event;
    const because = 'this probe failed, so it brought no leases. Choose "answered" as its answer as well';
    throw new Unimaginable('allAges', because);
  }
  const leases = event.type === 'probe.answered' ? event.leases : leasesSeen(context);
  if (leases.length === 0 && event.type === 'probe.failed')
    throw new Unimaginable(
      'answer',
      'no lease had been seen before this probe, so nobody knows what it would have brought. Choose a later turn',
    );
  const strange = [...(changes.ages?.keys() ?? [])].find((node) => !leases.some((lease) => lease.node === node));
  if (strange !== undefined) {
    const because = `this node has no lease in this turn. Choose one of its ${counted(leases.length, 'lease')}`;
    throw new Unimaginable(`age.${strange}`, because);
  }
  const served = event.type === 'probe.answered' && event.served !== undefined ? { served: event.served } : {};
  // A lease is judged on our clock; the kubelet writes it on the shoot's.
  const now = askedAt + clockDifference(served.served);
  const aged = leases.map((lease) => agedLease(lease, now, changes));
  return { type: 'probe.answered', at, number, askedAt, ...served, leases: aged };
}

/** The answer of a look as it is imagined. */
export function imaginedLook(event: LookEvent, { answer }: Changes, assumed: LookEvent): LookEvent {
  if (answer === undefined) return event;
  if (answer === 'answered') return event.type === 'candidates.answered' ? event : assumed;
  const { at, number } = event;
  const stage = event.type === 'candidates.failed' ? event.failure.stage : 'nodes';
  return { type: 'candidates.failed', at, number, failure: imaginedFailure(stage, answer) };
}

/** Where no look is recorded: every node with a lease is there and well, and its Machine runs. The Cluster is as it was, where it was asked for. */
export function assumedLook(
  number: number,
  context: ShootContext,
  at: ShootEvent['at'],
): ShootEventOf<'candidates.answered'> {
  const names = (context.seen?.leases ?? []).map(({ node }) => node);
  const nodes = names.map((name): NodeView => ({ name, unmanaged: false, trueConditions: [], inPlaceUpdate: false }));
  const machines = names.map((node): MachineView => ({ node, phase: 'Running' }));
  const answer = { type: 'candidates.answered', at, number, nodes, machines } as const;
  if (context.probe.asked?.cluster === undefined || context.cluster === null) return answer;
  return { ...answer, cluster: { outcome: 'read', reading: { readable: true, cluster: context.cluster } } };
}

/** The answer of a path as it is imagined. */
export function imaginedPath(
  event: ShootEventOf<'path.answered'>,
  answer: ImaginedAnswer,
): ShootEventOf<'path.answered'> {
  const { failure: _, ...plain } = event;
  return answer === 'answered' ? plain : { ...plain, failure: imaginedFailure(event.path, answer) };
}

function agedLease(lease: NodeLease, now: number, { allAges, ages }: Changes): NodeLease {
  const own = ages?.get(lease.node);
  const age = own === undefined ? allAges : own;
  if (age === undefined) return lease;
  return { node: lease.node, renewedAt: age === null ? null : now - age };
}

function leasesSeen({ seen }: ShootContext): readonly NodeLease[] {
  return (seen?.leases ?? []).map(({ node, renewTime }) => ({ node, renewedAt: renewTime }));
}

function imaginedFailure(stage: ProbeFailure['stage'], reason: ProbeFailureReason): ProbeFailure {
  return { stage, reason, detail: 'imagined' };
}
