import type { Languages } from '../../machines/kinds.ts';
import type { PlainOf } from '../../machines/pure-machine.ts';
import type { Instant } from '../../domain/time.ts';
import type { Kind } from '../wire/wire.ts';
import type { Rows } from './history.ts';
import { serviceRow, shootRow } from '../told/rows.ts';

/** A turn, as far as it tells how its machine stands now. */
type StandingTurn<Of extends Kind> = Readonly<{
  kind: Of;
  subject: string;
  at: Instant;
  event: Readonly<{ type: string }>;
  from?: Languages[Of]['State'] | undefined;
  to: Languages[Of]['State'];
  after?: PlainOf<Languages[Of]> | undefined;
}>;

type Known<Of extends Kind> = Readonly<{
  state: Languages[Of]['State'];
  since: Instant | null;
  lastAt: Instant;
  after: PlainOf<Languages[Of]> | undefined;
}>;

export type Standings = Readonly<{
  /** Every turn must pass, in order; `after` is left out where nobody knows it. */
  take<Of extends Kind>(turn: StandingTurn<Of>): void;
  rows(): Rows;
}>;

/** Keeps of each machine where its last turn left it, and nothing else: a turn costs one entry of a map. */
export function standings(): Standings {
  const shoots = new Map<string, Known<'shoot'>>();
  const services = new Map<string, Known<'weeder'>>();
  const byKind = { shoot: shoots, weeder: services };

  return {
    take<Of extends Kind>({ kind, subject, at, event, from, to, after }: StandingTurn<Of>): void {
      const those = byKind[kind] as unknown as Map<string, Known<Of>>;
      if (event.type === 'ended') {
        those.delete(subject);
        return;
      }
      const last = those.get(subject);
      const changed = from !== to || event.type === 'started';
      const since = changed ? at : last?.state === to ? last.since : null;
      those.set(subject, { state: to, since, lastAt: at, after: after ?? last?.after });
    },
    rows: () => ({
      shoots: sorted(shoots).map(([subject, { after, ...known }]) => shootRow({ subject, ...known }, after)),
      services: sorted(services).map(([subject, { after, ...known }]) => serviceRow({ subject, ...known }, after)),
    }),
  };
}

function sorted<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  return [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
