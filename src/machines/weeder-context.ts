import type { OwnerRounds } from '../domain/weeder/pod.ts';
import type { PodLedger } from '../domain/weeder/pod-ledger.ts';
import type { Slices } from '../domain/weeder/service-slices.ts';
import type { Instant } from '../domain/time.ts';
import type { WeederCommand, WeederInput } from './weeder-language.ts';

/** Everything a weeder machine remembers; plain data, so that it can be journaled and restored. */
export type WeederContext = WeederInput &
  Readonly<{
    slices: Slices;
    /** The last number given to a watch or a deletion. */
    numbered: number;
    /** Open while the service is recovering or relapsed. */
    window: Readonly<{ number: number; endsAt: Instant; deleted: number; rounds: OwnerRounds }> | null;
    pods: PodLedger;
  }>;

/** What a decision comes to: all that is remembered from now on, and what to command. */
export type WeederDecision = Readonly<{ context: WeederContext; commands: readonly WeederCommand[] }>;

export function firstWeederContext(input: WeederInput): WeederContext {
  return { ...input, slices: {}, numbered: 0, window: null, pods: [] };
}
