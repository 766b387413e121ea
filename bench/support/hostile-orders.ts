import type { Instant } from '../../src/domain/time.ts';

/** The orders for the seed process of hostile shoots. Each is answered by a report. */
export type HostileOrder =
  /** Begins with honest shoots, and so many whose owner does what `attack` names; those are reached by the kubeconfig `elsewhere`. */
  | Readonly<{
      order: 'start';
      configFile: string;
      honest: number;
      hostile: number;
      attack: string;
      elsewhere: string;
    }>
  /** One of the honest ones, whose leases are old already. */
  | Readonly<{ order: 'cutOff' }>
  | Readonly<{ order: 'report' }>;

export type HostileReport = Readonly<{
  kubeconfig: string;
  /** When each of the honest shoots was asked for its version. */
  probes: readonly (readonly Instant[])[];
  crossedAt: Instant | undefined;
  firstMarkAt: Instant | undefined;
  firstWriteAt: Instant | undefined;
}>;
