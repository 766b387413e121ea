/** Whether this process may write to the seed at all: only the leader does (SPEC S6), and nobody who is ending (SPEC 1.4). */
export interface WritePermission {
  /** Looked at in the very moment before a write is sent. */
  granted(): boolean;
  /** Aborted when the permission ends for good; cuts writes in flight. */
  readonly ended: AbortSignal;
}

/** For a process that runs without leader election. */
export const unconditional: WritePermission = { granted: () => true, ended: new AbortController().signal };
