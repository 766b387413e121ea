import type { Instant } from '../domain/time.ts';

type Named = Readonly<{ type: string; params: unknown }>;
type Wake = Readonly<{ type: 'wake'; params: Readonly<{ at: Instant }> }>;

/**
 * Sorts a machine's actions into commands and notes. The one wake is read off the snapshot (`wakeAt`) rather than
 * commanded by each transition, so that no path can forget it; it is repeated only where it moved from `pending`, or was
 * just used up.
 */
export function sortedActions<Command extends Named, Note>(
  actions: readonly Readonly<{ type: string }>[],
  wakeAt: Instant | undefined,
  pending: Instant | undefined,
): Readonly<{ commands: readonly Command[]; notes: readonly Note[] }> {
  const commands: Named[] = [];
  const notes: unknown[] = [];
  for (const { type, params } of actions as readonly Named[]) {
    if (type === 'note') notes.push(params);
    // XState also lists what it did itself: a raised verdict, which was carried out within the turn.
    else if (!type.startsWith('xstate.')) commands.push({ type, params });
  }
  if (wakeAt !== undefined && wakeAt !== pending)
    commands.push({ type: 'wake', params: { at: wakeAt } } satisfies Wake);
  // The machine's own declaration says which actions it has, and with which parameters.
  return { commands: commands as unknown as readonly Command[], notes: notes as readonly Note[] };
}
