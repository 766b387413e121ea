import type { ShootNamespace } from '../../../domain/names.ts';
import type { ProbeStage } from '../../../domain/prober/probe-failure.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { Instruments } from './metric-list.ts';

type Paths = NonNullable<NonNullable<ShootTurn['after']>['context']['paths']>;

type CountFailure = (shoot: ShootNamespace, failure: Readonly<{ stage: ProbeStage; reason: string }>) => void;

/** Counts what the two paths of the older generation tell (SPEC 4.9), each probe once, at its end. */
export function pathTurnMetrics(metrics: Instruments, countFailure: CountFailure) {
  const forget = (shoot: ShootNamespace) => metrics.internalPathFailed.remove({ shoot });

  return {
    answered({ subject: shoot, event, at, before, after }: ShootTurn): void {
      const paths = after?.context.paths;
      const asked = before?.context.probe.asked ?? undefined;
      if (event.type !== 'path.answered' || paths === undefined || asked === undefined) return;
      // An answer that nobody waits for any more changes nothing.
      const isHeard = before?.context.paths?.asked[event.path] === 'asked' && paths.asked[event.path] !== 'asked';
      if (!isHeard || !isOver(paths)) return;
      metrics.probeDuration.observe(Math.max(0, at - asked.askedAt) / 1_000);
      if (paths.internalFailures === 0) forget(shoot);
      // Where the internal path failed, its own answer has ended the probe.
      const stage = paths.asked.internal === 'answered' ? 'external' : 'internal';
      const failed = stage === 'internal' ? event.failure?.reason : paths.reason;
      // The internal path took most of the time as well, so this tells nothing.
      const reason = paths.asked[stage] === 'untold' && failed === 'timeout' ? 'slow' : failed;
      if (reason && paths.asked[stage] !== 'answered') countFailure(shoot, { stage, reason });
    },
    internalFailed(shoot: ShootNamespace): void {
      metrics.internalPathFailed.set({ shoot }, 1);
    },
    forget,
  };
}

/** What a probe waited for that was never answered. */
export function lostStage(paths: Paths | undefined): ProbeStage {
  if (paths === undefined) return 'version';
  return paths.asked.internal === 'asked' ? 'internal' : 'external';
}

/** The internal path gave no answer, or both have told. */
function isOver({ asked: { internal, external } }: Paths): boolean {
  if (internal === 'failed' || internal === 'untold') return true;
  return internal === 'answered' && external !== 'asked' && external !== 'notAsked';
}
