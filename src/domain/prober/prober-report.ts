import type { Instant } from '../time.ts';
import type { DependantKey } from './dependant.ts';
import type { ProbeFailureReason } from './probe-failure.ts';
import type { PathCount } from './shoot-path.ts';
import type { DependantStanding, ShootStanding, StandingState } from './standing.ts';

/** What a running prober tells of one shoot, by its inspector or its metrics (SPEC 9.8). Whatever it does not tell is absent. */
export type ProberReport = Readonly<{
  state: 'idle' | 'probing' | 'leaseFailed' | 'scalingDown' | 'scaledDown' | 'scalingUp';
  /** How the shoot stands by what its machine knows. */
  standing: StandingState;
  /** When the shoot came into this state. */
  since?: Instant;
  /** What the last verdict counted, and of leases when they were asked for. */
  verdict?: Readonly<{ at?: Instant }> & (LeasesReport | PathsReport);
  /** When it is looked at again. */
  nextAt?: Instant;
  /** Why the last probe told nothing. */
  failing?: string;
  /** Which part of the shoot is cut off, in words (SPEC 5.6). */
  partial?: string;
  /** Why it is not scaled up yet, in words (SPEC 6.5). */
  waits?: string;
  /** Why nobody can tell whether the shoot is cut off, in words (SPEC 5.8, 5.9). */
  unjudged?: string;
  /** When the prober brought a dependant to 0. */
  downAt?: Readonly<Record<DependantKey, Instant>>;
}>;

type LeasesReport = Readonly<{
  kind: 'cutOff' | 'connected' | 'tooFew' | 'unjudged';
  expired: number;
  candidates: number;
  external?: never;
}>;

/** With the older generation's two paths: how often in a row the external one has failed, or answered (SPEC 4.9). */
type PathsReport = Readonly<{ kind: 'cutOff' | 'connected'; external: PathCount; reason?: ProbeFailureReason }>;

/** What the cluster shows, with what the prober knows beyond it. Where the two disagree, the cluster is right: a watch may be some turns behind. */
export function withProberReport(standing: ShootStanding, report: ProberReport): ShootStanding {
  const dependants = standing.dependants.map((one) => datedBy(one, report));
  const state = stateReported(standing.state, report);
  const isSilent = state === 'notAnswering' || state === 'scaledDownNotAnswering';
  const why = isSilent
    ? (report.failing ?? '')
    : state === 'unjudged'
      ? report.unjudged
      : state === 'watched'
        ? report.partial
        : state === 'scalingUp'
          ? report.waits
          : undefined;
  const reason = why === undefined ? {} : { reason: why };
  return { ...standing, ...reason, state, dependants };
}

function stateReported(shown: StandingState, { state, standing: reported }: ProberReport): StandingState {
  switch (shown) {
    case 'watched':
      if (state === 'scalingDown' || state === 'scaledDown') return 'cutOff';
      return reported === 'cutOff' || reported === 'notAnswering' || reported === 'unjudged' || reported === 'tooFew'
        ? reported
        : shown;
    case 'scaledDown':
      return reported === 'scalingUp' || reported === 'scaledDownNotAnswering' ? reported : shown;
    case 'scaledDownNotAnswering':
    case 'partlyScaledDown':
    case 'scalingDown':
    case 'scalingUp':
      if (reported === 'scalingUp') return reported;
      return reported === 'scalingDown' || reported === 'cutOff' ? 'scalingDown' : shown;
    case 'unreadable':
    case 'cutOff':
    case 'notAnswering':
    case 'scaledDownByOthers':
    case 'unprotected':
    case 'unjudged':
    case 'tooFew':
    case 'waiting':
    case 'leftAlone':
      return shown;
  }
}

function datedBy(standing: DependantStanding, { downAt }: ProberReport): DependantStanding {
  const at = downAt?.[standing.dependant.key];
  if (standing.state !== 'scaledDown' || at === undefined) return standing;
  return { ...standing, downBy: { by: standing.downBy?.by ?? 'the prober', at } };
}
