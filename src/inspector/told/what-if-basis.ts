import { isEnded, isStarted } from '../../adapters/turns/runtime-events.ts';
import type { ProberConfig } from '../../domain/prober/prober-config.ts';
import type { Millis } from '../../domain/time.ts';
import { expiresAt } from '../../domain/prober/verdict.ts';
import { leasePolicy, type ShootContext } from '../../machines/shoot-context.ts';
import type { WhatIf } from './what-if.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';

/** What of a turn can be imagined otherwise, and how it was. */
export type Basis = Readonly<{
  /** Whose answer the turn is; `none`: only the configuration can be changed. */
  answer: 'probe' | 'look' | 'none';
  config: ProberConfig | undefined;
  /** From this age on a lease is expired. */
  expiredFrom: Millis | undefined;
}>;

export function basisOf(one: ShootTurnTaken | undefined): Basis {
  const event = one?.turn.event;
  const context = one?.before?.context ?? one?.after?.context;
  const config = event !== undefined && isStarted(event) ? event.input.config : context?.config;
  const isOver = event === undefined || isEnded(event);
  return {
    answer:
      isOver || isStarted(event)
        ? 'none'
        : event.type.startsWith('probe.') && event.type !== 'probe.reserved'
          ? 'probe'
          : event.type.startsWith('candidates.')
            ? 'look'
            : 'none',
    config,
    expiredFrom: context === undefined ? undefined : Number(expiresAt(0, leasePolicy(context).grace)),
  };
}

/** One node's lease, as old as it was judged then, and as it would be; null where its time cannot be read, undefined where there was none. */
export type LeaseBeside = Readonly<{ node: string; did: Millis | null | undefined; would: Millis | null | undefined }>;

/** The leases of both, the oldest first. */
export function leasesBeside(
  did: ShootContext | undefined,
  would: Extract<WhatIf, { ok: true }> | undefined,
): readonly LeaseBeside[] {
  const [then, now] = [agesOf(did), agesOf(would?.context)];
  const nodes = [...new Set([...then.keys(), ...now.keys()])];
  return nodes
    .map((node) => ({ node, did: then.get(node), would: now.get(node) }))
    .toSorted((one, other) => (other.did ?? -Infinity) - (one.did ?? -Infinity) || (one.node < other.node ? -1 : 1));
}

function agesOf(context: ShootContext | undefined): ReadonlyMap<string, Millis | null> {
  const { seen } = context ?? {};
  if (seen === undefined || seen === null) return new Map();
  const { leases, askedAt } = seen;
  return new Map(leases.map(({ node, renewedAt }) => [node, renewedAt === null ? null : askedAt - renewedAt]));
}
