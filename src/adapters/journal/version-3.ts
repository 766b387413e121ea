import { noOddLeases } from '../../domain/prober/odd-leases.ts';
import type { Languages } from '../../machines/kinds.ts';
import type { Language, OutcomeOf } from '../../machines/pure-machine.ts';
import { asVersion4 } from './version-4.ts';

type ShootContext = Languages['shoot']['Context'];
type Seen = NonNullable<ShootContext['seen']>;

/** What a shoot's machine remembers of doubtful leases, as version 3 did not (SPEC 5.1, 5.5): nothing was said of them. */
export const saidOfLeases = { aheadAt: null, notRenewed: false } as const;
export const seenOfLeases = { ahead: noOddLeases, calmSince: null } as const satisfies Pick<
  Seen,
  'ahead' | 'calmSince'
>;

type ShootContext3 = Omit<ShootContext, 'said' | 'seen'> &
  Readonly<{
    said: Omit<ShootContext['said'], keyof typeof saidOfLeases>;
    seen: Omit<Seen, keyof typeof seenOfLeases> | null;
  }>;

/** A line of a journal of version 3, as far as it differs from one of today. */
type Line3 = Readonly<{ kind?: unknown; before?: Readonly<{ value: unknown; context: unknown }> }>;

/** Makes lines of today out of the lines of one journal of version 3. Throws where a snapshot is damaged. */
export function fromVersion3(): (line: unknown) => unknown {
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const line: Line3 & Readonly<{ writtenAs: 3 }> = { ...value, writtenAs: 3 };
    const { before } = line;
    // A machine that threw in its first turn has no context.
    if (line.kind !== 'shoot' || before === undefined || before.context === null) return line;
    return { ...line, before: { ...before, context: shootContext(before.context as ShootContext3) } };
  };
}

function shootContext({ said, seen, ...rest }: ShootContext3): ShootContext {
  return { ...rest, said: { ...said, ...saidOfLeases }, seen: seen && { ...seen, ...seenOfLeases } };
}

const unsaid: ReadonlySet<string> = new Set([
  'leasesAhead',
  'leasesAheadOver',
  'leasesNotRenewed',
  'leasesNotRenewedOver',
]);

/** What of a turn's outcome a journal of version 3 told. */
export function asVersion3<Spoken extends Language>(today: OutcomeOf<Spoken>): OutcomeOf<Spoken> {
  const { notes, ...outcome } = asVersion4(today);
  return {
    ...outcome,
    notes: notes
      .filter(({ kind }) => !unsaid.has(kind))
      .map((one) => {
        const { ahead: _ahead, notRenewed: _notRenewed, ...told } = one as Readonly<Record<string, unknown>>;
        return told as Spoken['Note'];
      }),
  };
}
