import type { Dependant } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { Trouble } from './trouble.ts';

/** A trouble as it befell; instants in ms. `where`: the shoot's namespace, and what of it (a node, a dependant). */
export type Struck = Readonly<{
  kind: Trouble['kind'];
  of: Trouble['of'];
  namespace?: string;
  name?: string;
  from: number;
  to: number;
}>;

/** What a write made of a Deployment, as the seed's audit log has it. `by`: the prober's pod, or undefined if it was somebody else. */
export type Written = Readonly<{
  at: number;
  by: string | undefined;
  namespace: string;
  name: string;
  /** Undefined where it was deleted. */
  replicas: number | undefined;
  annotations: Readonly<Record<string, string>>;
}>;

/** A write of the election's Lease that succeeded. `holds`: whether it names a holder. */
export type Led = Readonly<{ at: number; by: string | undefined; holds: boolean }>;

/** A lease of a node as a shoot's audit log has it: written at `at`, with this time in it. */
export type Renewed = Readonly<{ at: number; namespace: string; node: string; renewTime: number }>;

/** A shoot that no write may go to, by its Cluster in the seed's audit log: it was hibernated or gone. */
export type Away = Readonly<{ namespace: string; from: number; to: number }>;

/** A prober that ended though nobody here ended it. */
export type Fallen = Readonly<{ at: number; pod: string; how: string }>;

export type Marked = Readonly<{ at: number; namespace: string; node: string }>;

/** All that a night is judged by; each list by its instants. */
export type Facts = Readonly<{
  struck: readonly Struck[];
  written: readonly Written[];
  led: readonly Led[];
  renewed: readonly Renewed[];
  marked: readonly Marked[];
  away: readonly Away[];
  fallen: readonly Fallen[];
  /** What was not as it should be at the end, once all had time to come back. */
  notAsBefore: readonly string[];
}>;

/** How the prober judges, which dependants it scales, and how many nodes a shoot has. */
export type Judged = Readonly<{
  graceMillis: number;
  failureFraction: number;
  dependants: readonly Pick<Dependant, 'ref' | 'scaleDown' | 'scaleUp'>[];
  nodes: number;
}>;
