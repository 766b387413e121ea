import { hasTwoPaths, type ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ShootOutcome, ShootSnapshot } from 'dependency-watchdog/machines/kinds.ts';
import type { PathVerdictNote, ShootCommands, ShootEvent } from 'dependency-watchdog/machines/shoot-language.ts';

/** What the events alone tell of the two paths; the machine's own counts are judged by it. */
export type PathAccount = Readonly<{
  /** The last probe that asked a path, and what each has told of it. */
  number: number;
  internal: PathOutcome;
  external: PathOutcome;
  /** How often in a row the external path failed, or answered, by the verdicts. */
  failed: number;
  answered: number;
  /** How often in a row the internal path failed, and until when the shoot is left alone for it. */
  internalFailed: number;
  aloneUntil: Instant;
}>;

type PathOutcome = 'nothing' | 'answered' | 'failed' | 'untold';

type Plain = Pick<ShootSnapshot, 'value' | 'context'>;
type Turn = Readonly<{ before: Plain; event: ShootEvent; after: Plain }> & Pick<ShootOutcome, 'commands' | 'notes'>;

const noCounts = { failed: 0, answered: 0, internalFailed: 0 };

export const firstPathAccount: PathAccount = {
  number: 0,
  internal: 'nothing',
  external: 'nothing',
  ...noCounts,
  aloneUntil: -Infinity,
};

/** The account after a turn, and the laws of 4.9 that the turn broke, each in words. */
export function auditPaths(
  before: PathAccount,
  turn: Turn,
  config: ProberConfig,
): Readonly<{ account: PathAccount; broken: readonly string[] }> {
  const told = comesTooLate(turn) ? before : toldAfter(before, turn.event);
  const account = countedAfter(told, turn, config);
  return { account, broken: pathLawsBroken(told, account, turn, config) };
}

/** A second after the probe's time-out an answer is none (4.4). */
function comesTooLate({ before, event }: Turn): boolean {
  const { asked } = before.context.probe;
  return asked !== null && event.at >= asked.deadlineAt + 1_000;
}

function toldAfter(before: PathAccount, event: ShootEvent): PathAccount {
  if (event.type !== 'path.answered' || event.number !== before.number || before[event.path] !== 'nothing')
    return before;
  // What comes when the internal path has failed comes to late.
  if (before.internal === 'failed' || before.internal === 'untold') return before;
  return { ...before, [event.path]: toldBy(event) };
}

/** As the rule has it, in other words than the machine. */
function toldBy({ failure }: Extract<ShootEvent, { type: 'path.answered' }>): PathOutcome {
  if (failure === undefined || ['unauthorized', 'throttled'].includes(failure.reason)) return 'answered';
  return ['kubeconfig', 'local'].includes(failure.reason) ? 'untold' : 'failed';
}

function countedAfter(told: PathAccount, turn: Turn, config: ProberConfig): PathAccount {
  const { event, before, after, commands, notes } = turn;
  let account = told;
  const isCurrent = event.type === 'path.answered' && event.number === before.context.probe.asked?.number;
  const path = isCurrent && !comesTooLate(turn) ? event.path : null;
  if (path === 'internal' && told.internal === 'answered') account = { ...account, internalFailed: 0 };
  if (
    path === 'internal' &&
    told.internal === 'failed' &&
    before.value.probe === 'askingPaths' &&
    hasTwoPaths(config)
  ) {
    const internalFailed = account.internalFailed + 1;
    const isAlone = internalFailed >= config.failureThreshold;
    const aloneUntil = isAlone ? event.at + config.internalProbeFailureBackOffDuration : account.aloneUntil;
    account = { ...account, internalFailed, aloneUntil };
  }
  const verdict = pathVerdictIn(notes);
  if (verdict?.verdict === 'cutOff') account = { ...account, failed: account.failed + 1, answered: 0 };
  if (verdict?.verdict === 'connected') account = { ...account, failed: 0, answered: account.answered + 1 };
  if (after.value.shield === 'idle') account = { ...account, ...noCounts };
  const asked = askedIn(commands)[0];
  if (asked !== undefined && asked.number !== account.number)
    account = { ...account, number: asked.number, internal: 'nothing', external: 'nothing' };
  return account;
}

function pathLawsBroken(
  told: PathAccount,
  account: PathAccount,
  { event, before, after, commands, notes }: Turn,
  config: ProberConfig,
): readonly string[] {
  const broken: string[] = [];
  const check = (law: string, holds: boolean) => {
    if (!holds) broken.push(law);
  };
  const two = hasTwoPaths(config);
  const types = new Set<string>(commands.map(({ type }) => type));
  check('4.9 no lease and no node is asked for', !two || (!types.has('probe') && !types.has('listCandidates')));
  check('4.9 no path is asked for where leases are', two || (!types.has('askPath') && !types.has('readCluster')));
  if (!two) return broken;

  const asked = askedIn(commands);
  const begins = asked.some(({ path }) => path === 'internal');
  check(
    '4.9 the paths of a probe share its number',
    asked.every(({ number }) => number === account.number),
  );
  check(
    '4.9 the external path is asked where the internal one answered last',
    !asked.some(({ path }) => path === 'external') || told.internal === 'answered',
  );
  check('4.9 the shoot is left alone', !begins || event.at >= told.aloneUntil);

  const verdict = pathVerdictIn(notes);
  if (verdict !== undefined) {
    check('S1 4.9 a verdict needs an internal path that answered', told.internal === 'answered');
    check('4.9 cut off is an external path that failed', verdict.verdict !== 'cutOff' || told.external === 'failed');
    check('4.9 connected is one that answered', verdict.verdict !== 'connected' || told.external === 'answered');
    const count = verdict.verdict === 'cutOff' ? account.failed : account.answered;
    check('4.9 it is counted in a row', verdict.external.count === count);
  }
  const moved = before.value.shield !== after.value.shield;
  check(
    '4.9 down after failureThreshold failures',
    !moved || after.value.shield !== 'scalingDown' || account.failed >= config.failureThreshold,
  );
  check(
    '4.9 up after successThreshold answers',
    !moved || after.value.shield !== 'scalingUp' || account.answered >= config.successThreshold,
  );
  const said = notes.some(({ kind }) => kind === 'internalFailed');
  check(
    '4.9 a failing internal path is said once',
    said === (begun(told, account) && account.internalFailed === config.failureThreshold),
  );
  return broken;
}

/** This turn has counted one more failure of the internal path. */
function begun(told: PathAccount, account: PathAccount): boolean {
  return account.internalFailed > told.internalFailed;
}

function askedIn(commands: Turn['commands']): readonly ShootCommands['askPath'][] {
  return commands.flatMap((one) => (one.type === 'askPath' ? [one.params] : []));
}

function pathVerdictIn(notes: Turn['notes']): PathVerdictNote | undefined {
  return notes.find((note): note is PathVerdictNote => note.kind === 'verdict' && note.external !== undefined);
}
