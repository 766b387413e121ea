import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { ProbeFailure } from '../../../domain/prober/probe-failure.ts';
import type { ShootPath } from '../../../domain/prober/shoot-path.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { ShootEventOf, ShootNote, VerdictNote } from '../../../machines/shoot-language.ts';
import { flapLog, openTroubles, outageLog, readTroubles } from './troubles.ts';
import type { Log } from './log.ts';
import { externalFields, noteLine, numbersOf, pauseSentence, stateSentence, writeFields } from './shoot-lines.ts';
import type { LeaderOf } from '../episodes/leaders.ts';
import { leaseAccounts } from '../facts/lease-witness.ts';
import { accountFields } from '../words/lease-words.ts';
import { allPathProbes } from '../facts/path-probes.ts';
import { type Pause, pauseIn } from '../facts/shoot-standing.ts';
import { failureWords, verdictWords } from '../words/probe-words.ts';
import { doneWords, loweredByOthersWords, shortName, undoneWords, whyNotWritten } from '../words/write-words.ts';
import { counted, seconds } from '../../words/plain-words.ts';
import { shootNoteWords } from '../words/shoot-words.ts';

/**
 * `probes`: they fail. `internal`, `external`: this path told nothing. `tooFew`: too few candidates are left, with expired ones among them. `refused`: it may not
 * be read. `unwritten`: a write on it failed.
 */
type ShootTrouble = 'probes' | ShootPath | 'tooFew' | `${'missing' | 'refused' | 'unwritten'} ${DependantKey}`;

/** The lines of the prober's turns (SPEC 9.4). `leader`: this process, once it leads. */
export function shootTurnLog(loud: Log, leader?: LeaderOf): (turn: ShootTurn) => void {
  const flapping = flapLog(loud);
  let log = loud;
  let warnings = loud;
  const troubles = openTroubles<ShootTrouble>();
  const reads = readTroubles(loud);
  const paths = allPathProbes();
  const accounts = leaseAccounts();
  const tellOutage = outageLog(leader);

  return (turn) => {
    const { subject: shoot, event, from, to, notes } = turn;
    accounts.observe(turn);
    const failure = paths.observe(turn);
    if (event.type === 'ended') {
      tellOutage(turn, loud);
      for (const each of [troubles, reads, paths, flapping]) each.forget(shoot);
      return;
    }
    ({ log, warnings } = flapping.after(turn));
    const verdict = notes.find((note) => note.kind === 'verdict');
    if (failure !== undefined) tellFailure(shoot, failure, turn.at);
    tellAnswer(turn);
    if (verdict !== undefined) tellVerdict(turn, verdict);
    // A pause is said with its reason.
    const isPaused = to === 'idle' && notes.some((note) => note.kind === 'paused');
    const pause = isPaused ? pauseIn(turn) : undefined;
    if (pause !== undefined) tellPause(turn, pause);
    else if (from !== undefined && from !== to) tellState(turn, verdict);
    for (const note of notes) tellNote(turn, note);
    tellOutage(turn, log);
  };

  function tellState(turn: ShootTurn, verdict: VerdictNote | undefined): void {
    const { subject: shoot, from, to, at } = turn;
    const account = accounts.of(turn);
    const external = verdict?.verdict === 'cutOff' ? paths.external(shoot) : undefined;
    const found = { ...numbersOf(verdict, at), ...accountFields(account), ...externalFields(external) };
    log.info(stateSentence(turn, verdict, { account, external }), { line: 'state changed', shoot, from, to, ...found });
  }

  function tellPause(turn: ShootTurn, pause: Pause): void {
    const { subject: shoot, from, to } = turn;
    const fields = { line: 'paused', shoot, ...(from === to ? {} : { from, to }), reason: pause.reason };
    log.info(pauseSentence(turn, pause), fields);
  }

  function tellFailure(shoot: ShootNamespace, failure: ProbeFailure, at: Instant): void {
    const { stage, reason, detail } = failure;
    const isFirst = troubles.begins(shoot, 'probes', at);
    // Once the internal path answers, it is another trouble that the external one cannot be asked.
    const isPath = stage === 'internal' || stage === 'external';
    if (isPath ? troubles.begins(shoot, stage, at) : isFirst)
      log.warn(failureWords.sentence(failure, shoot), { line: 'probe fails', shoot, stage, reason, detail });
  }

  function tellAnswer(turn: ShootTurn): void {
    const { subject: shoot, event } = turn;
    if (event.type === 'scale.answered') tellWrite(shoot, event);
    if (event.type === 'read.answered') tellRead(turn, event);
    // Nothing is read any more where the watch shows it.
    if (event.type === 'dependant.watched' && event.live) reads.works(shoot, event.key);
    if (event.type !== 'dependant.changed') return;
    if (event.view.found) tellFound(shoot, event.key);
    tellOtherHand(turn, event.key);
  }

  function tellWrite(shoot: ShootNamespace, { asked, askedAt, answer, at }: ShootEventOf<'scale.answered'>): void {
    const fields = { shoot, resource: asked.key, outcome: answer.outcome, ...writeFields(asked, at - askedAt) };
    const name = shortName(asked.key);
    const why = whyNotWritten(asked, answer);
    if (answer.outcome === 'written') {
      troubles.ends(shoot, `unwritten ${asked.key}`);
      log.info(`${shoot}: ${doneWords(name, asked)}`, { line: 'written', ...fields });
    } else if (why === undefined)
      log.info(`${shoot}: ${undoneWords(name, asked, answer)}`, { line: 'write came to nothing', ...fields });
    else {
      // It is tried again every few seconds, for as long as the seed refuses it.
      const level = troubles.begins(shoot, `unwritten ${asked.key}`, at) ? 'error' : 'debug';
      const message = `${shoot}: ${undoneWords(name, asked, answer)}; it is tried again`;
      log[level](message, { line: 'write failed', ...fields, detail: why });
    }
  }

  function tellRead(turn: ShootTurn, { asked: { key }, answer }: ShootEventOf<'read.answered'>): void {
    const { subject: shoot } = turn;
    // A refusal is a note of the machine's.
    if (answer.outcome === 'refused') return;
    if (answer.outcome === 'failed') {
      reads.fails(shoot, key, answer.detail);
      return;
    }
    reads.works(shoot, key);
    if (answer.view.found) tellFound(shoot, key);
    tellOtherHand(turn, key);
  }

  /** Somebody scaled to 0 what was running. What is down by our own hand carries our mark. */
  function tellOtherHand({ subject: shoot, before, after, to }: ShootTurn, key: DependantKey): void {
    const [was, is] = [before, after].map((plain) => plain?.context.known[key]?.view);
    // Gardener scales what is paused as it likes: a shoot that hibernates, say.
    if (to === 'idle') return;
    if (was?.found !== true || is?.found !== true || was.replicas === 0 || is.replicas > 0 || is.marked) return;
    const { scaledBy } = is;
    log.info(`${shoot}: ${loweredByOthersWords(shortName(key), was, is)}`, {
      line: 'scaled by others',
      shoot,
      resource: key,
      fromReplicas: was.replicas,
      toReplicas: 0,
      ...(scaledBy === undefined ? {} : { by: scaledBy }),
    });
  }

  function tellFound(shoot: ShootNamespace, key: DependantKey): void {
    const fields = { shoot, resource: key };
    if (troubles.ends(shoot, `missing ${key}`) !== undefined)
      log.info(`${shoot}: ${shortName(key)} exists again`, { line: 'dependant found again', ...fields });
    if (troubles.ends(shoot, `refused ${key}`) !== undefined)
      log.info(`${shoot}: ${shortName(key)} may be read again`, { line: 'dependant may be read again', ...fields });
  }

  function tellVerdict(turn: ShootTurn, verdict: VerdictNote): void {
    const { subject: shoot, at } = turn;
    const failed = troubles.ends(shoot, 'probes');
    if (failed !== undefined) {
      const { times: failures, since } = failed;
      for (const path of ['internal', 'external'] as const) troubles.ends(shoot, path);
      const fields = { line: 'probe tells again', shoot, failures, failedForMs: at - since };
      const again = verdict.external === undefined ? 'answers again' : 'can be judged again';
      log.info(`${shoot} ${again}, after ${seconds(at - since)} and ${counted(failures, 'failed probe')}`, fields);
    }
    // The only node of a shoot is always too few; there is news in it only while its lease is expired.
    if (verdict.external !== undefined || verdict.verdict !== 'tooFew' || verdict.expired === 0)
      troubles.ends(shoot, 'tooFew');
    else if (troubles.begins(shoot, 'tooFew', at)) {
      const account = accounts.of(turn);
      const fields = {
        line: 'too few candidates to tell',
        shoot,
        ...numbersOf(verdict, at),
        ...accountFields(account),
      };
      log.info(
        `${shoot} has too few leases to tell whether it is cut off: ${verdictWords.cause(verdict, { account })}`,
        fields,
      );
    }
  }

  function tellNote(turn: ShootTurn, note: ShootNote): void {
    const { subject: shoot, at } = turn;
    if (note.kind === 'dependantMissing' && !troubles.begins(shoot, `missing ${note.key}`, at)) return;
    if (note.kind === 'dependantRefused') troubles.begins(shoot, `refused ${note.key}`, at);
    const told = noteLine(note);
    if (told === null) return;
    const { level, line } = told;
    (isEarlyWarning(note) ? warnings : log)[level](`${shoot}: ${shootNoteWords(note, at)}`, {
      line,
      shoot,
      ...told.fields?.(note, at),
    });
  }
}

function isEarlyWarning({ kind }: ShootNote): boolean {
  return kind.startsWith('partialOutage') || kind.startsWith('renewalsLate');
}
