import type { Millis } from '../time.ts';
import type { ShootPath } from './shoot-path.ts';

/** What was asked when the probe failed: `/version`, the leases, the nodes, or the seed's Machines; in the older generation `/version` on one of the two paths (SPEC 4.9). */
export type ProbeStage = 'version' | 'leases' | 'nodes' | 'machines' | ShootPath;

/**
 * Why a probe told nothing about the nodes (SPEC 4).
 * `kubeconfig`: missing, unreadable, refused, or without a token yet. `unreachable`: no connection, or it broke.
 * `certificate`: TLS did not verify. `timeout`: the probe's deadline. `unauthorized`: 401 or 403. `throttled`: 429.
 * `refused`: another status. `garbled`: the answer was not what was asked for. `tooLarge`: an answer beyond its limit.
 * `local`: this machine could not open a connection (no more files, no more ports), so nothing is known about the shoot.
 */
export type ProbeFailureReason =
  | 'kubeconfig'
  | 'unreachable'
  | 'certificate'
  | 'timeout'
  | 'unauthorized'
  | 'throttled'
  | 'refused'
  | 'garbled'
  | 'tooLarge'
  | 'local';

export type ProbeFailure = Readonly<{
  stage: ProbeStage;
  reason: ProbeFailureReason;
  /** One line for the operator; never a token, certificate or kubeconfig. */
  detail: string;
  /** As the server asked for with a 429 (SPEC 4.5); not yet clamped. */
  retryAfter?: Millis;
  /** With a 429 the server closed the connection, as one does that shuts down: the next one may find another server (SPEC 4.5). */
  closes?: true;
  /** Of `unreachable`: a machine answered that nobody serves there, or broke off. Absent: nobody was reached. */
  turnedAway?: true;
}>;
