import type { RoleName } from 'dependency-watchdog/domain/names.ts';

/** At once where the stage is in this process, and later on real servers. */
type Soon<Value = void> = Value | Promise<Value>;

/** `name: desired replicas` of a shoot's dependants. */
export type Replicas = Readonly<Record<string, number>>;

/** A seed with a shoot, for roles to guard: embedded over loopback, or real servers. What it needs to begin and to end is its own. */
export interface Stage {
  /** All nodes lose their way, and their leases look as if they had long ago. */
  cutOff(): Soon;
  /** They find it again, and have all renewed just now. */
  heal(): Soon;
  replicas(): Soon<Replicas>;
  /** Who holds a role's Lease; undefined if there is none. */
  leaseOf(role: RoleName): Soon<Readonly<Record<string, unknown>> | undefined>;
}

/** On a dependant that is down by us, and how many replicas it had: said once more, since a test that asked the program would believe its mistakes. */
export const mark = 'dependency-watchdog.gardener.cloud/meltdown-protection-active';
export const record = 'dependency-watchdog.gardener.cloud/replicas';
