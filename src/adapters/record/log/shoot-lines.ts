import { downDependants } from '../../../domain/prober/down-dependants.ts';
import type { ProbeFailure } from '../../../domain/prober/probe-failure.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { ShootCommands, ShootNote, ShootState, VerdictNote } from '../../../machines/shoot-language.ts';
import { verdictWords, type Witnesses } from '../words/probe-words.ts';
import { downWords, waitWords } from '../words/write-words.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { Pause } from '../facts/shoot-standing.ts';
import { pauseWords } from '../words/shoot-words.ts';
import type { LogFields } from './log.ts';

/** A shoot that is in another state than before, as a sentence that stands alone. */
export function stateSentence(turn: ShootTurn, verdict: VerdictNote | undefined, witnesses: Witnesses): string {
  const { subject: shoot, from, to, notes, at } = turn;
  const because = verdict === undefined ? '' : `: ${verdictWords.cause(verdict, witnesses)}`;
  switch (to) {
    case 'idle':
      return `${shoot} is not probed any more`;
    case 'probing':
      return probingSentence(shoot, from, because);
    case 'leaseFailed':
      return `${shoot} is cut off${because}; it is scaled down if the next probes find the same`;
    case 'scalingDown':
      return `${shoot} is cut off${because}; it is scaled down${from === 'scaledDown' ? ' again, since somebody raised it' : ''}`;
    case 'scaledDown':
      // A prober that begins, or begins again, may find all at 0.
      return from === 'scalingDown'
        ? `${shoot} is scaled down`
        : `${shoot} is cut off${because}; it is scaled down already`;
    case 'scalingUp': {
      const waits = notes.find((note) => note.kind === 'returnWaits');
      const tooFew = verdict?.verdict === 'tooFew';
      if (waits !== undefined)
        return `${shoot} ${tooFew ? 'has too few leases to tell' : 'is connected again'}${because}; ${waitWords(waits, at)}`;
      if (tooFew) return `${shoot} has too few leases to tell${because}; what the watchdog scaled down is scaled up`;
      if (verdict?.verdict === 'unjudged')
        return `nobody can tell whether ${shoot} is cut off, but its nodes renew their leases; what the watchdog scaled down is scaled up`;
      return from === 'probing'
        ? `${shoot} is connected${because}; ${raiseWords(turn)}`
        : `${shoot} is connected again${because}; it is scaled up`;
    }
  }
}

/** Why a shoot that was not found cut off is scaled up. */
function raiseWords({ after }: ShootTurn): string {
  const down = downDependants(after?.context.known ?? {});
  if (down.some(({ by }) => by === 'ours')) return 'it is scaled up, since the watchdog had scaled it down';
  if (down.length > 0) return `it is scaled up, since somebody else had scaled ${downWords(down)} to 0`;
  return 'what still bears a mark of the watchdog, or is not known of it, is looked after';
}

function probingSentence(shoot: string, from: ShootState | undefined, because: string): string {
  switch (from) {
    case 'scalingUp':
      return `${shoot} is connected, and nothing of it is left to scale up`;
    case 'scalingDown':
    case 'scaledDown':
      return `${shoot} is connected again${because}; nothing of it is left to scale up`;
    case 'leaseFailed':
      return `${shoot} is connected again${because}`;
    case undefined:
    case 'idle':
    case 'probing':
      return `${shoot} is probed from now on`;
  }
}

/** A shoot is paused, and what stays scaled down meanwhile. */
export function pauseSentence({ subject: shoot, after }: ShootTurn, pause: Pause): string {
  const down = downDependants(after?.context.known ?? {}).filter(({ by }) => by === 'ours');
  const rest = down.length === 0 ? '' : `; ${downWords(down)} ${down.length === 1 ? 'stays' : 'stay'} scaled down`;
  return `${shoot} is paused: ${pauseWords(pause)}${rest}`;
}

/** The numbers that a verdict was found by. */
export function numbersOf(verdict: VerdictNote | undefined, at: Instant): LogFields {
  if (verdict === undefined) return {};
  const { crossedAt } = verdict;
  if (verdict.external !== undefined)
    return {
      verdict: verdict.verdict,
      external: verdict.external,
      ...(crossedAt === undefined ? {} : { sinceFirstFailureMs: at - crossedAt }),
    };
  const { expired, candidates } = verdict;
  return {
    verdict: verdict.verdict,
    expired,
    candidates,
    ...(crossedAt === undefined ? {} : { sinceThresholdMs: at - crossedAt }),
  };
}

/** Why the external path failed. */
export function externalFields(failure: ProbeFailure | undefined): LogFields {
  return failure === undefined ? {} : { reason: failure.reason, detail: failure.detail };
}

/** What a write changes. */
export function writeFields({ seen, change }: ShootCommands['scale'], tookMs: Millis): LogFields {
  const { replicas, mark, record } = change;
  return {
    ...(replicas === undefined ? {} : { fromReplicas: seen.replicas, toReplicas: replicas }),
    ...(mark === undefined ? {} : { mark }),
    ...(record === undefined ? {} : record === null ? { recordRemoved: true } : { record }),
    tookMs,
  };
}

/** The line of one kind of note (SPEC 9.4); `at`: its turn's. Null where another line tells it. */
type NoteLine<Note extends ShootNote> = Readonly<{
  level: 'info' | 'warn' | 'error';
  line: string;
  fields?(note: Note, at: Instant): LogFields;
}> | null;

/** A new note does not compile before it is decided how the log tells it. */
const noteLines: { readonly [Kind in ShootNote['kind']]: NoteLine<Extract<ShootNote, { kind: Kind }>> } = {
  verdict: null,
  paused: null,
  probeLost: { level: 'error', line: 'probe was never answered', fields: ({ number }) => ({ number }) },
  dependantMissing: {
    level: 'warn',
    line: 'dependant missing',
    fields: ({ key, direction }) => ({ resource: key, direction }),
  },
  dependantRefused: {
    level: 'warn',
    line: 'dependant may not be read',
    fields: ({ key, detail }) => ({ resource: key, detail }),
  },
  clockDiffers: { level: 'warn', line: 'clock differs', fields: ({ ahead }) => ({ aheadMs: ahead }) },
  leasesAhead: { level: 'warn', line: 'leases ahead', fields: ({ leases }) => ({ leases: leases.count }) },
  leasesAheadOver: { level: 'info', line: 'leases no longer ahead' },
  leasesInDoubt: { level: 'info', line: 'leases in doubt', fields: ({ leases }) => ({ leases }) },
  leasesNotRenewed: { level: 'warn', line: 'leases not renewed', fields: ({ leases }) => ({ leases: leases.count }) },
  leasesNotRenewedOver: { level: 'info', line: 'leases renewed again' },
  partialOutage: {
    level: 'warn',
    line: 'partial outage',
    fields: ({ by, groups, expired, nodes, firstMarkAt }, at) => ({
      [by]: groups,
      expired,
      nodes,
      firstMarkMs: firstMarkAt - at,
    }),
  },
  partialOutageOver: { level: 'info', line: 'partial outage over' },
  renewalsLate: {
    level: 'info',
    line: 'leases late',
    fields: ({ late, candidates, crossesAt }, at) => ({
      late,
      candidates,
      ...(crossesAt === undefined ? {} : { crossesMs: crossesAt - at }),
    }),
  },
  renewalsLateOver: { level: 'info', line: 'leases no longer late' },
  unjudged: {
    level: 'warn',
    line: 'cannot be judged',
    fields: ({ nodes, leases, untold }) => ({
      nodes,
      leases,
      untold: Object.fromEntries(untold.map((one) => [one.because, one.nodes])),
    }),
  },
  unjudgedOver: { level: 'info', line: 'can be judged again' },
  leasesLeftOut: { level: 'warn', line: 'leases left out', fields: ({ leases }) => ({ leases }) },
  internalFailed: {
    level: 'warn',
    line: 'internal path fails',
    fields: ({ failures, leftAloneUntil }, at) => ({ failures, leftAloneMs: leftAloneUntil - at }),
  },
  earlyProbesSpent: { level: 'warn', line: 'early probes used up' },
  stepTimedOut: {
    level: 'warn',
    line: 'scaling not done in time',
    fields: ({ key, direction, timeout }) => ({ resource: key, direction, timeoutMs: timeout }),
  },
  recordUnreadable: {
    level: 'warn',
    line: 'recorded replicas unreadable',
    fields: ({ key, record }) => ({ resource: key, found: record }),
  },
  raised: {
    level: 'warn',
    line: 'raised by others',
    fields: ({ key, to, by }) => ({ resource: key, replicas: to, ...(by === undefined ? {} : { by }) }),
  },
  decided: null,
  shielded: {
    level: 'info',
    line: 'shielded',
    fields: ({ again, crossedAt, firstMarkAt }, at) => ({
      ...(again ? { again } : {}),
      afterMs: at - crossedAt,
      marginMs: firstMarkAt - at,
    }),
  },
  // Its words are the change of state's.
  returnWaits: null,
  restored: { level: 'info', line: 'restored', fields: ({ begunAt }, at) => ({ afterMs: at - begunAt }) },
};

export function noteLine({ kind }: ShootNote): NoteLine<ShootNote> {
  return noteLines[kind];
}
