import { isEnded, isStarted } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import type { JournalTurnOf } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { ProbeFailure } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import type { ServedDate } from 'dependency-watchdog/domain/prober/node-lease.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { ShootEvent, ShootEventOf, ShootInput } from 'dependency-watchdog/machines/shoot-language.ts';
import type { PlainOf } from 'dependency-watchdog/machines/pure-machine.ts';
import { outageCourses, type OutageCourse } from './outage-courses.ts';
import { lastUntil } from '../timeline/lanes.ts';
import { recordedLeases, type RecordedLeases } from './recorded-leases.ts';
import { recordedSeed, type RecordedSeed } from './recorded-seed.ts';

/** A turn of a shoot as the journal has it, and of which run it is. */
export type RecordedTurn = JournalTurnOf<ShootLanguage> & Readonly<{ run: string }>;

/** A process took the shoot up: its machine begins, at its first turn, or where its record does. */
export type Begin = Readonly<{
  at: Instant;
  run: string;
  /** It ended, or was not heard of any more, then. */
  until: Instant;
  from: Readonly<{ input: ShootInput }> | Readonly<{ place: PlainOf<ShootLanguage> }>;
  /** What the machine had asked before its record begins, answered as it was. */
  answers: readonly ShootEvent[];
}>;

/** `took`: from the question to the answer. */
type Recorded<Answer> = Readonly<{ at: Instant; took: Millis; answer: Answer }>;

type ProbeRecorded = Recorded<ProbeFailure | Readonly<{ served?: ServedDate; leftOut?: number }>>;
type LookRecorded = Recorded<ShootEventOf<'candidates.answered'> | ShootEventOf<'candidates.failed'>>;

/** What surrounded a shoot, as its turns tell it: all that its machine needs to be played again, and to be played otherwise. */
export type RecordedShoot = Readonly<{
  shoot: string;
  take(turn: RecordedTurn): void;
  turns(): number;
  /** When its last turn was. */
  endsAt(): Instant;
  outages(): readonly OutageCourse[];
  begins: readonly Begin[];
  leases: RecordedLeases;
  seed: RecordedSeed;
  /** Clusters and watches, in order. */
  events: readonly ShootEvent[];
  /** The probe, or the look, that was asked at about that time; undefined where none is recorded. */
  probeAt(at: Instant): ProbeRecorded | undefined;
  lookAt(at: Instant): LookRecorded | undefined;
  pathAt(path: ShootPath, at: Instant): Recorded<ProbeFailure | undefined> | undefined;
}>;

export function recordedShoot(shoot: string): RecordedShoot {
  const [leases, seed, courses] = [recordedLeases(), recordedSeed(), outageCourses()];
  const begins: (Begin & { until: Instant; readonly answers: ShootEvent[] })[] = [];
  const events: ShootEvent[] = [];
  const probes: ProbeRecorded[] = [];
  const looks: LookRecorded[] = [];
  const paths: Record<ShootPath, Recorded<ProbeFailure | undefined>[]> = { internal: [], external: [] };
  let askedAt: Instant = 0;
  let count = 0;

  function begin({ event, run, at, before }: RecordedTurn): void {
    const last = begins.at(-1);
    if (event.type === 'started') begins.push({ at, run, until: Infinity, from: { input: event.input }, answers: [] });
    else if (before !== undefined && last?.run !== run)
      begins.push({ at, run, until: Infinity, from: { place: before }, answers: [] });
    else return;
    // What came before ended some time in between.
    if (last !== undefined) last.until = Math.min(last.until, lastAt);
  }
  let lastAt: Instant = 0;

  function answered({ event }: RecordedTurn): void {
    const last = begins.at(-1);
    if (last === undefined || !('place' in last.from) || isStarted(event) || isEnded(event)) return;
    const number = numberOf(event);
    if (number !== undefined && number <= last.from.place.context.numbered) last.answers.push(event);
  }

  return {
    shoot,
    begins,
    events,
    leases,
    seed,
    turns: () => count,
    endsAt: () => lastAt,
    outages: () => courses.all(),
    take(turn) {
      const { event, commands, at } = turn;
      begin(turn);
      answered(turn);
      count += 1;
      courses.take(turn, turn.run);
      lastAt = at;
      seed.take(turn);
      for (const command of commands) if (command.type === 'probe') askedAt = at;
      const last = begins.at(-1);
      if (event.type === 'ended' && event.because === 'gone' && last !== undefined) last.until = at;
      if (event.type === 'probe.answered') {
        const { served, leftOut } = event;
        leases.take(event.askedAt, event.leases, served);
        const answer = { ...(served && { served }), ...(leftOut === undefined ? {} : { leftOut }) };
        probes.push({ at: event.askedAt, took: at - event.askedAt, answer });
        askedAt = event.askedAt;
      }
      if (event.type === 'probe.failed')
        probes.push({ at: event.askedAt, took: at - event.askedAt, answer: event.failure });
      if (event.type === 'candidates.answered' || event.type === 'candidates.failed')
        looks.push({ at: askedAt, took: at - lookedFrom(askedAt, at), answer: event });
      if (event.type === 'path.answered')
        paths[event.path].push({ at: event.askedAt, took: at - event.askedAt, answer: event.failure });
      if (!isStarted(event) && !isEnded(event) && ofCluster.has(event.type)) events.push(event);
    },
    probeAt: (at) => nearest(probes, at),
    lookAt: (at) => nearest(looks, at),
    pathAt: (path, at) => nearest(paths[path], at),
  };

  /** The look began when the leases had been answered. */
  function lookedFrom(asked: Instant, at: Instant): Instant {
    const probe = probes.at(-1);
    return probe?.at === asked ? asked + probe.took : at;
  }
}

/** Of what it answers. */
function numberOf(event: ShootEvent): number | undefined {
  if ('number' in event) return event.number;
  return event.type === 'scale.answered' || event.type === 'read.answered' ? event.asked.number : undefined;
}

function nearest<One extends Readonly<{ at: Instant }>>(list: readonly One[], at: Instant): One | undefined {
  const index = lastUntil(list, at);
  const [before, after] = [list[index], list[index + 1]];
  if (before === undefined || after === undefined) return before ?? after;
  return after.at - at < at - before.at ? after : before;
}

/** What a machine hears of its Cluster and of its watches, whatever it asks. */
const ofCluster: ReadonlySet<ShootEvent['type']> = new Set([
  'cluster.changed',
  'cluster.gone',
  'cluster.watched',
  'dependant.watched',
]);
