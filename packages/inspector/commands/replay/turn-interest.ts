import type { JournalTurnOf, JournalTurns } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import { byKind } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { ProbeFailure } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import { judgePath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { Languages, ShootLanguage, WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { LeaseVerdictNote, PathVerdictNote } from 'dependency-watchdog/machines/shoot-language.ts';

/** Whether a machine that ends in this state is named. A connected shoot, or an available service, is only counted. */
export function isNamed<Kind extends keyof Languages>(kind: Kind, state: Languages[Kind]['State']): boolean {
  const named: Readonly<Record<Languages[Kind]['State'], boolean>> = namedStates[kind];
  return named[state];
}

const namedStates: { readonly [Kind in keyof Languages]: Readonly<Record<Languages[Kind]['State'], boolean>> } = {
  shoot: { idle: false, probing: false, leaseFailed: true, scalingDown: true, scaledDown: true, scalingUp: true },
  weeder: { settled: false, down: true, recovering: true, relapsed: true },
};

/** Begins to say of each turn whether an operator wants to see it; every turn must pass through it, in order. */
export function turnInterest(): (turn: JournalTurns[keyof Languages]) => boolean {
  return byKind<JournalTurns, boolean>({ shoot: shootTurnInterest(), weeder: isEventfulForWeeder });
}

/** Events that are no news by themselves. */
const uneventful: ReadonlySet<JournalTurns[keyof Languages]['event']['type']> = new Set([
  'woken',
  'probe.answered',
  'probe.failed',
  'probe.reserved',
  'candidates.answered',
  'candidates.failed',
  'path.answered',
  'cluster.answered',
  'slices.changed',
  'pod.changed',
  'pod.gone',
]);

type ShootJournalTurn = JournalTurnOf<ShootLanguage>;

/**
 * Says of each turn whether an operator wants to see it, the others being probes that found what the one before found.
 * It remembers each shoot's last finding, so every turn must pass through it, in order.
 */
function shootTurnInterest(): (turn: ShootJournalTurn) => boolean {
  const lastFindings = new Map<ShootNamespace, string>();
  /** Why the external path failed; it may fail before the internal one answers, so that the verdict comes with another turn. */
  const lastFailures = new Map<ShootNamespace, string>();

  return (turn) => {
    const { subject: shoot, event, from, to, commands, notes } = turn;
    const isNews = (last: Map<ShootNamespace, string>, found: string | undefined): boolean => {
      if (found === undefined || found === last.get(shoot)) return false;
      last.set(shoot, found);
      return true;
    };
    if (notes.some((note) => note.kind === 'verdict' && note.verdict !== 'cutOff')) lastFailures.delete(shoot);
    const news = [isNews(lastFindings, findingOf(turn)), isNews(lastFailures, externalFailureOf(turn))].includes(true);
    if (event.type === 'ended') for (const last of [lastFindings, lastFailures]) last.delete(shoot);

    if (news || from !== to || notes.some(({ kind }) => kind !== 'verdict')) return true;
    if (commands.some(({ type }) => type === 'scale' || type === 'withdraw')) return true;
    return event.type === 'read.answered' ? event.answer.outcome !== 'read' : !uneventful.has(event.type);
  };
}

/** What a probe found, in so far as another such finding is no news. */
function findingOf({ event, notes }: ShootJournalTurn): string | undefined {
  if (event.type === 'probe.failed' || event.type === 'candidates.failed') return keyOf(event.failure);
  const verdict = notes.find((note) => note.kind === 'verdict');
  if (verdict !== undefined) return verdict.external === undefined ? leaseFinding(verdict) : pathFinding(verdict);
  if (event.type !== 'path.answered' || event.failure === undefined) return undefined;
  // A failure of the external path is counted, and is news by its verdict.
  const told = judgePath(event.failure);
  const isOver = told === 'untold' || (told === 'failed' && event.path === 'internal');
  return isOver ? keyOf(event.failure) : undefined;
}

function keyOf({ stage, reason }: ProbeFailure): string {
  return JSON.stringify([stage, reason]);
}

function externalFailureOf({ event }: ShootJournalTurn): string | undefined {
  const isFailure =
    event.type === 'path.answered' && event.path === 'external' && judgePath(event.failure) === 'failed';
  return isFailure ? event.failure?.reason : undefined;
}

function leaseFinding({ verdict, expired, candidates }: LeaseVerdictNote): string {
  return JSON.stringify([verdict, expired === 0 ? 0 : { expired, candidates }]);
}

/** How often is news until it is often enough. */
function pathFinding({ verdict, external: { count, of } }: PathVerdictNote): string {
  return JSON.stringify([verdict, Math.min(count, of), of]);
}

/** Whether an operator wants to see it, the others being news of pods and endpoints that changed nothing. */
function isEventfulForWeeder({ event, from, to, commands, notes }: JournalTurnOf<WeederLanguage>): boolean {
  if (from !== to || notes.length > 0 || commands.some(({ type }) => type !== 'wake')) return true;
  return !uneventful.has(event.type);
}
