import type { Dependant, ScaleStep } from 'dependency-watchdog/domain/prober/dependant.ts';
import { pathPatience, pauseWhileCounting } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import { probeBackoff } from 'dependency-watchdog/domain/prober/probe-schedule.ts';
import { hasTwoPaths, type ProberConfig, type TwoPathConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { returnWait } from 'dependency-watchdog/machines/shield.ts';
import { renewEvery } from '../../../shoot/kubelets.ts';
import { healthTimeout } from '../../../shoot/machine-health.ts';
import type { StoryPart } from '../story/story.ts';
import { isAsBefore, isDown, type Phase, type ObservedShoot } from './network-model.ts';

/** The part of the story that belongs to a phase; undefined once the story is over. `nth`: which outage it is. */
export function networkStoryPart(
  phase: Phase,
  lengths: NetworkStoryLengths,
  nth = 1,
): StoryPart<Phase, ObservedShoot> | undefined {
  const { calm, quiet, internal, down, outage, back, pause } = lengths;
  switch (phase) {
    case 'calm':
      return {
        next: internal === null ? 'outage' : 'internalOutage',
        awaits: ({ state, verdict }) => state !== 'probing' || verdict === null,
        inVain: 'was never found connected in the calm',
        least: 0,
        pause: quiet,
        deadline: calm + quiet,
      };
    case 'internalOutage':
      return {
        next: 'internalHealing',
        awaits: ({ unasked, leftAlone }) => unasked && !leftAlone,
        inVain: 'was not left alone while its internal path failed',
        least: 0,
        pause,
        deadline: (internal?.noticed ?? 0) + pause,
      };
    case 'internalHealing':
      return {
        next: 'outage',
        awaits: ({ leftAlone, state }) => leftAlone || state !== 'probing',
        inVain: 'was not found connected when its internal path was back',
        least: 0,
        pause,
        deadline: (internal?.back ?? 0) + pause,
      };
    case 'outage':
      return {
        next: 'healing',
        awaits: (row) => row.threat !== null && (row.state !== 'scaledDown' || !isDown(row)),
        inVain: 'was not scaled down while it was cut off',
        least: outage,
        pause,
        deadline: Math.max(down, outage) + pause,
      };
    case 'healing':
      return {
        next: 'over',
        awaits: (row) => row.state !== 'probing' || !isAsBefore(row),
        inVain: 'was not brought back when the outage was over',
        // After an outage that healed early, nothing may have to be waited for but the renewals.
        least: renewal,
        pause,
        // A shoot that is cut off once more within ten minutes waits before it is scaled up (SPEC 6.5).
        deadline: back + pause + (nth === 1 ? 0 : returnWait.longest),
      };
    case 'over':
      return undefined;
  }
}

/** How long the parts of the story take at most if all goes well, by the simulated clock. */
export type NetworkStoryLengths = Readonly<{
  /** Until every shoot was probed once. */
  calm: Millis;
  /** The time after it in which nothing happens. It shows what a quiet seed costs. */
  quiet: Millis;
  /** Where there are two paths: until a shoot is left alone whose internal path fails, and from its healing until it is asked again. */
  internal: Readonly<{ noticed: Millis; back: Millis }> | null;
  /** Until every shoot that is cut off has everything at 0. */
  down: Millis;
  /** The shortest outage. Without a watchdog every node is marked by then, and every Machine replaced. */
  outage: Millis;
  /** From the healing until everything is as it was. */
  back: Millis;
  /** The pause between a goal and the next phase, so that a reader sees the goal reached. */
  pause: Millis;
  total: Millis;
}>;

/** A kubelet is up to 4 % late. */
const renewal: Millis = 1.04 * renewEvery;

/** The controller-manager looks every 5 s. It may see the last renewal one look late, and the end of the grace another look late. */
const twoLooks: Millis = 10_000;

/** What one level takes apart from its delay: writes, watches, and pods that end within 0.3 s or start within 3 s. */
const levelDown: Millis = 1_000;
const levelUp: Millis = 4_000;

const pause: Millis = 4_000;

/** The lengths of the shortest story that shows everything, for any configuration. */
export function networkStoryLengths(config: ProberConfig): NetworkStoryLengths {
  const jittered = (length: Millis) => length * (1 + config.backoffJitterFactor);
  const probes = (count: number) => count * jittered(config.probeInterval);
  const grace = config.kcmNodeMonitorGraceDuration;

  const calm = jittered(config.initialDelay);
  const quiet = Math.min(config.probeInterval, 10_000);
  // The first probe comes with the crossing. Further verdicts, if several are wanted, come with later probes. A path that
  // breaks is met by the next probe, and then asked until it failed often enough; no answer may come at all.
  const noticed = hasTwoPaths(config)
    ? probes(1) + config.failureThreshold * Math.max(pauseWhileCounting(config.probeInterval), patienceOf(config))
    : grace + probes(config.failureThreshold - 1);
  const down = noticed + levels(config.dependants, 'scaleDown', levelDown);
  const outage = grace + twoLooks + healthTimeout;
  const back = renewal + probes(config.successThreshold) + levels(config.dependants, 'scaleUp', levelUp);
  const internal = hasTwoPaths(config) ? internalLengths(config) : null;
  const first = internal === null ? 0 : internal.noticed + pause + internal.back + pause;
  const total = calm + quiet + first + Math.max(down, outage) + pause + back + pause;
  return { calm, quiet, internal, down, outage, back, pause, total };
}

/** The path refuses, so its failures cost no time but that of the pauses between them. */
function internalLengths(config: TwoPathConfig): NonNullable<NetworkStoryLengths['internal']> {
  const interval = config.probeInterval * (1 + config.backoffJitterFactor);
  const failures = Array.from({ length: config.failureThreshold }, (_, index) => index + 1);
  const [last = 0, ...others] = failures.map((count) => probeBackoff(count, config.probeInterval)).toReversed();
  const noticed = interval + others.reduce((sum, length) => sum + length, 0);
  return { noticed, back: Math.max(last, config.internalProbeFailureBackOffDuration) + patienceOf(config) };
}

function patienceOf({ probeTimeout, kcmNodeMonitorGraceDuration }: ProberConfig): Millis {
  return pathPatience(probeTimeout, kcmNodeMonitorGraceDuration);
}

/** The levels run one after the other; each takes as long as its slowest dependant. */
function levels(dependants: readonly Dependant[], direction: 'scaleUp' | 'scaleDown', each: Millis): Millis {
  const delays = new Map<number, Millis>();
  for (const dependant of dependants) {
    const { level, initialDelay }: ScaleStep = dependant[direction];
    delays.set(level, Math.max(delays.get(level) ?? 0, initialDelay));
  }
  return [...delays.values()].reduce((sum, delay) => sum + delay + each, 0);
}

/** The real time that a story may take if no speed is given: under a minute, including start and end. */
const longestWatch: Millis = 48_000;

/** How fast the clock must run for the story to fit; never slower than real time. */
export function speedFor({ total }: NetworkStoryLengths): number {
  return Math.max(1, Math.ceil((10 * total) / longestWatch) / 10);
}
