import type { Languages } from '../../machines/kinds.ts';
import type { Language, OutcomeOf } from '../../machines/pure-machine.ts';
import type { ShootInput } from '../../machines/shoot-language.ts';

type ShootContext = Languages['shoot']['Context'];
type Seen = NonNullable<ShootContext['seen']>;

/** Before version 5 a shoot's machine decided otherwise when to probe and when to look. Older journals are replayed by that. */
const asThen = { decidesAs: 4 } as const satisfies Pick<ShootInput, 'decidesAs'>;

/** A line of a journal of version 4, as far as it differs from one of today. */
type Line4 = Readonly<{
  kind?: unknown;
  event?: Readonly<{ type?: unknown; input?: unknown }>;
  before?: Readonly<{ value: unknown; context: unknown }>;
}>;

/** Makes lines of today out of the lines of one journal of version 4. */
export function fromVersion4(): (line: unknown) => unknown {
  return (value) => (isObject(value) ? { ...lineOfThen(value), writtenAs: 4 } : value);
}

/** What an older journal tells of a shoot's machine, completed so that it decides as it did then. */
export function decidingAsThen(line: unknown): unknown {
  return isObject(line) ? lineOfThen(line) : line;
}

function lineOfThen(line: Line4): Line4 {
  if (line.kind !== 'shoot') return line;
  const { event, before } = line;
  return {
    ...line,
    ...(event?.type === 'started' ? { event: { ...event, input: { ...(event.input as ShootInput), ...asThen } } } : {}),
    // A machine that threw in its first turn has no context.
    ...(isObject(before?.context)
      ? { before: { ...before, context: contextOfToday(before.context as ShootContext) } }
      : {}),
  };
}

function contextOfToday(context: ShootContext): ShootContext {
  return { ...context, ...asThen, seen: context.seen && { ...context.seen, ...seenOfLooks } };
}

/** What a shoot's machine remembers of its last look, as version 4 did not. Nothing depends on it while it decides as it did then. */
export const seenOfLooks = { lookedAt: null } as const satisfies Pick<Seen, 'lookedAt'>;

/** What of a turn's outcome a journal of version 4 told. */
export function asVersion4<Spoken extends Language>({ commands, ...outcome }: OutcomeOf<Spoken>): OutcomeOf<Spoken> {
  return {
    ...outcome,
    commands: commands.map(({ type, params }) => {
      const { by: _by, ...told } = params as Readonly<Record<string, unknown>>;
      const { urgent: _urgent, ...toldOfLook } = told;
      return { type, params: type === 'listCandidates' ? toldOfLook : told };
    }),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
