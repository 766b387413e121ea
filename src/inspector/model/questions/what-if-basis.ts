import { isEnded, isStarted } from '../../../adapters/turns/runtime-events.ts';
import type { ProberConfig } from '../../../domain/prober/prober-config.ts';
import type { Millis } from '../../../domain/time.ts';
import { expiresAt, isExpired } from '../../../domain/prober/verdict.ts';
import { leasePolicy, type ShootContext } from '../../../machines/shoot-context.ts';
import type { WhatIf } from './what-if.ts';
import { fieldsOf, type ImaginedConfig } from './what-if-changes.ts';
import { isOfPaths } from './what-if-recorded.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';

/** What of a turn can be imagined otherwise, and how it was. */
export type Basis = Readonly<{
  /** Whose answer the turn is; `none`: only the configuration can be changed. */
  answer: 'probe' | 'look' | 'paths' | 'none';
  config: ProberConfig | undefined;
  /** Which values of the configuration can be changed. */
  fields: readonly (keyof ImaginedConfig)[];
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
            : isOfPaths(event)
              ? 'paths'
              : 'none',
    config,
    fields: config === undefined ? [] : fieldsOf(config),
    expiredFrom: context === undefined ? undefined : Number(expiresAt(0, leasePolicy(context).grace)),
  };
}

/** The turn brings leases, or tells which of them count. */
export function hasLeases({ answer }: Basis): boolean {
  return answer === 'probe' || answer === 'look';
}

/** How old a lease was judged to be; null where its time cannot be read. */
type LeaseAge = Readonly<{ age: Millis | null; expired: boolean }>;

/** One node's lease, as it was judged, and as it would be; undefined where there is none. */
export type LeaseBeside = Readonly<{ node: string; did: LeaseAge | undefined; would: LeaseAge | undefined }>;

/** The leases of both, the oldest first. */
export function leasesBeside(
  did: ShootContext | undefined,
  would: Extract<WhatIf, { ok: true }> | undefined,
): readonly LeaseBeside[] {
  const [then, now] = [agesOf(did), agesOf(would?.context)];
  const nodes = [...new Set([...then.keys(), ...now.keys()])];
  const ageThen = (node: string) => then.get(node)?.age ?? -Infinity;
  return nodes
    .toSorted((one, other) => ageThen(other) - ageThen(one) || (one < other ? -1 : 1))
    .map((node) => ({ node, did: then.get(node), would: now.get(node) }));
}

function agesOf(context: ShootContext | undefined): ReadonlyMap<string, LeaseAge> {
  if (context === undefined || context.seen === null) return new Map();
  const { leases, askedAt } = context.seen;
  const { grace } = leasePolicy(context);
  return new Map(
    leases.map((lease) => [
      lease.node,
      {
        age: lease.renewedAt === null ? null : askedAt - lease.renewedAt,
        expired: isExpired(lease, askedAt, grace),
      },
    ]),
  );
}
