import type { ProbeFailure } from '../../domain/prober/probe-failure.ts';

/** Ends a probe at any point. It says everything but the stage, which only the whole probe knows. */
export class ProbeFailed extends Error {
  override readonly name = 'ProbeFailed';
  readonly failure: Omit<ProbeFailure, 'stage'>;
  /** HTTP status; 0 where there was none. */
  readonly status: number;
  /** The token that came with a 410. */
  readonly next: string | undefined;

  constructor(
    failure: Omit<ProbeFailure, 'stage'>,
    details: Readonly<{ status?: number; next?: string; cause?: unknown }> = {},
  ) {
    super(failure.detail, { cause: details.cause });
    this.failure = failure;
    this.status = details.status ?? 0;
    this.next = details.next;
  }
}

export function tooLarge(detail: string): ProbeFailed {
  return new ProbeFailed({ reason: 'tooLarge', detail });
}

export function garbled(detail: string): ProbeFailed {
  return new ProbeFailed({ reason: 'garbled', detail });
}
