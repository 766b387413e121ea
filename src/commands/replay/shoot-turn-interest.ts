import type { JournalTurnOf } from '../../adapters/journal/journal-line.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';

type JournalTurn = JournalTurnOf<ShootLanguage>;

/**
 * Says of each turn whether an operator wants to see it, the others being probes that found what the one before found.
 * It remembers each shoot's last finding, so every turn must pass through it, in order.
 */
export function shootTurnInterest(): (turn: JournalTurn) => boolean {
  const lastFindings = new Map<ShootNamespace, string>();

  return (turn) => {
    const { subject: shoot, event, from, to, commands, notes } = turn;
    const finding = findingOf(turn);
    const news = finding !== undefined && finding !== lastFindings.get(shoot);
    if (finding !== undefined) lastFindings.set(shoot, finding);
    if (event.type === 'ended') lastFindings.delete(shoot);

    if (news || from !== to || notes.some(({ kind }) => kind !== 'verdict')) return true;
    if (commands.some(({ type }) => type === 'scale' || type === 'withdraw')) return true;
    switch (event.type) {
      case 'started':
      case 'ended':
      case 'cluster.changed':
      case 'cluster.gone':
      case 'cluster.watched':
      case 'dependant.changed':
      case 'dependant.watched':
      case 'scale.answered':
        return true;
      case 'read.answered':
        return event.answer.outcome !== 'read';
      case 'woken':
      case 'probe.answered':
      case 'probe.failed':
      case 'candidates.answered':
      case 'candidates.failed':
        return false;
    }
  };
}

/** What a probe found, in so far as another such finding is no news. */
function findingOf({ event, notes }: JournalTurn): string | undefined {
  if (event.type === 'probe.failed' || event.type === 'candidates.failed')
    return `failed ${event.failure.stage} ${event.failure.reason}`;
  for (const note of notes)
    if (note.kind === 'verdict')
      return note.expired === 0
        ? `${note.verdict} without expired`
        : `${note.verdict} ${note.expired}/${note.candidates}`;
  return undefined;
}
