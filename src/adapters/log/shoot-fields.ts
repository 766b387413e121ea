import type { ProbeFailure } from '../../domain/prober/probe-failure.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { ShootCommands, VerdictNote } from '../../machines/shoot-language.ts';
import type { LogFields } from './log.ts';

/** The numbers that a verdict was found by. */
export function numbersOf(verdict: VerdictNote | undefined, at: Instant): LogFields {
  if (verdict === undefined) return {};
  const { crossedAt } = verdict;
  if (verdict.external !== undefined)
    return {
      verdict: verdict.verdict,
      external: verdict.external,
      ...(crossedAt === undefined ? {} : { sinceFirstFailureMs: at - crossedAt }),
    };
  const { expired, candidates } = verdict;
  return {
    verdict: verdict.verdict,
    expired,
    candidates,
    ...(crossedAt === undefined ? {} : { sinceThresholdMs: at - crossedAt }),
  };
}

/** Why the external path failed. */
export function externalFields(failure: ProbeFailure | undefined): LogFields {
  return failure === undefined ? {} : { reason: failure.reason, detail: failure.detail };
}

/** What a write changes. */
export function writeFields({ seen, change }: ShootCommands['scale'], tookMs: Millis): LogFields {
  const { replicas, mark, record } = change;
  return {
    ...(replicas === undefined ? {} : { fromReplicas: seen.replicas, toReplicas: replicas }),
    ...(mark === undefined ? {} : { mark }),
    ...(record === undefined ? {} : { record: record ?? 'removed' }),
    tookMs,
  };
}
