import type { Instant } from '../time.ts';
import type { DependantKey } from './dependant.ts';
import type { ProbeFailureReason } from './probe-failure.ts';
import type { PathCount } from './shoot-path.ts';
import type { DependantStanding, ShootStanding, StandingState } from './standing.ts';

/** What a running prober tells of one shoot, by its inspector or its metrics (SPEC 9.8). Whatever it does not tell is absent. */
export type ProberTold = Readonly<{
  state: 'idle' | 'probing' | 'leaseFailed' | 'scalingDown' | 'scaledDown' | 'scalingUp';
  /** How the shoot stands by what its machine knows. */
  standing: StandingState;
  /** When the shoot came into this state. */
  since?: Instant;
  /** What the last verdict counted, and of leases when they were asked for. */
  verdict?: Readonly<{ at?: Instant }> & (LeasesTold | PathsTold);
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

type LeasesTold = Readonly<{
  kind: 'cutOff' | 'connected' | 'tooFew' | 'unjudged';
  expired: number;
  candidates: number;
  external?: never;
}>;

/** With the older generation's two paths: how often in a row the external one has failed, or answered (SPEC 4.9). */
type PathsTold = Readonly<{ kind: 'cutOff' | 'connected'; external: PathCount; reason?: ProbeFailureReason }>;

/** What the cluster shows, with what the prober knows beyond it. Where the two disagree, the cluster is right: a watch may be some turns behind. */
export function withProberTold(standing: ShootStanding, told: ProberTold): ShootStanding {
  const dependants = standing.dependants.map((one) => datedBy(one, told));
  const state = stateTold(standing.state, told);
  const isSilent = state === 'notAnswering' || state === 'scaledDownNotAnswering';
  const why = isSilent
    ? (told.failing ?? '')
    : state === 'unjudged'
      ? told.unjudged
      : state === 'watched'
        ? told.partial
        : state === 'scalingUp'
          ? told.waits
          : undefined;
  const reason = why === undefined ? {} : { reason: why };
  return { ...standing, ...reason, state, dependants };
}

function stateTold(shown: StandingState, { state, standing: told }: ProberTold): StandingState {
  switch (shown) {
    case 'watched':
      if (state === 'scalingDown' || state === 'scaledDown') return 'cutOff';
      return told === 'cutOff' || told === 'notAnswering' || told === 'unjudged' || told === 'tooFew' ? told : shown;
    case 'scaledDown':
      return told === 'scalingUp' || told === 'scaledDownNotAnswering' ? told : shown;
    case 'scaledDownNotAnswering':
    case 'partlyScaledDown':
    case 'scalingDown':
    case 'scalingUp':
      if (told === 'scalingUp') return told;
      return told === 'scalingDown' || told === 'cutOff' ? 'scalingDown' : shown;
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

function datedBy(standing: DependantStanding, { downAt }: ProberTold): DependantStanding {
  const at = downAt?.[standing.dependant.key];
  if (standing.state !== 'scaledDown' || at === undefined) return standing;
  return { ...standing, downBy: { by: standing.downBy?.by ?? 'the prober', at } };
}
