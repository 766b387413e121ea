import type { StreamTrouble } from './stream-state.ts';

/**
 * What an operator may want to know of the seed's streams, and what is counted. `stream` names one: `clusters`, `secrets`,
 * `deployments/x`; or, so that what is counted by it stays small, many that come and go: `pods`. `of` then says which.
 */
export type StreamNotice = Readonly<{ of?: string }> & StreamOccurrence;

type StreamOccurrence =
  /** The stream had to begin anew, for whatever reason; a watch that the server ended in good order is one, too. */
  | Readonly<{ kind: 'restarted'; stream: string; why: StreamTrouble | 'ended'; problem: string }>
  /** Said once for each time that the stream cannot be relied on. */
  | Readonly<{ kind: 'out'; stream: string; refused: boolean; problem: string }>
  | Readonly<{ kind: 'live'; stream: string }>
  /** A line or an item that is no object of Kubernetes. */
  | Readonly<{ kind: 'badLine'; stream: string; problem: string }>
  /** What was made of an object threw: a bug of ours. The object stays as it was known before. */
  | Readonly<{ kind: 'unprojected'; stream: string; object: string; problem: string }>
  /** There are more objects than the stream keeps; this one was not. */
  | Readonly<{ kind: 'overLimit'; stream: string; object: string; limit: number }>
  /** SPEC 3.4; said once for each problem. */
  | Readonly<{ kind: 'unreadable'; stream: string; object: string; problem: string }>;
