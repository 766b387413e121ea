import type { ProbeFailure } from '../../domain/prober/probe-failure.ts';

/** Ends a probe from wherever it stands. Everything but the stage, which only the probe as a whole knows. */
export class ProbeFailed extends Error {
  override readonly name = 'ProbeFailed';
  readonly failure: Omit<ProbeFailure, 'stage'>;
  /** HTTP status; 0 where none was answered. */
  readonly status: number;

  constructor(failure: Omit<ProbeFailure, 'stage'>, told: Readonly<{ status?: number; cause?: unknown }> = {}) {
    super(failure.detail, { cause: told.cause });
    this.failure = failure;
    this.status = told.status ?? 0;
  }
}

export function tooLarge(detail: string): ProbeFailed {
  return new ProbeFailed({ reason: 'tooLarge', detail });
}

export function garbled(detail: string): ProbeFailed {
  return new ProbeFailed({ reason: 'garbled', detail });
}
