import { shortName, shootCommandWords, shootEventWords } from '../../../adapters/words/shoot-words.ts';
import { counted, seconds } from '../../../adapters/words/plain-words.ts';
import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { WriteAnswer } from '../../../domain/prober/resource-change.ts';
import type { ResourceView } from '../../../domain/prober/resource-view.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ShootLanguage } from '../../../machines/kinds.ts';
import type { SpanFace, SpanLane, Tone } from './lanes.ts';
import { track, type Track } from './track.ts';
import type { RetakenTurn } from '../replayed-turn.ts';

type Turn = RetakenTurn<ShootLanguage>['turn'];

type Course = {
  readonly seen: Track;
  readonly writes: Track;
  view: ResourceView | null;
  /** The number of the write that is under way. */
  writing: number | null;
};

export type DependantLanes = Readonly<{
  take(retaken: RetakenTurn<ShootLanguage>): void;
  stop(at: Instant): void;
  lanes(): readonly SpanLane[];
}>;

/** A lane for each dependant: its replicas as they were known, and the writes on their way. */
export function dependantLanes(): DependantLanes {
  const courses = new Map<DependantKey, Course>();

  return {
    take({ turn, after }) {
      // The turns of a machine that went another way tell of its dependants all the same.
      if (after === undefined) see(turn.at, viewTold(turn.event));
      else
        for (const { key } of after.context.config.dependants)
          see(turn.at, { key, view: after.context.known[key]?.view ?? null });
      write(turn);
    },
    stop(at) {
      for (const course of courses.values()) {
        course.seen.show(at, null);
        course.writes.show(at, null);
        [course.view, course.writing] = [null, null];
      }
    },
    lanes: () =>
      [...courses].map(([key, { seen, writes }]) => ({
        id: `dependant ${key}`,
        name: shortName(key),
        shows: 'dependant',
        spans: seen.spans,
        under: writes.spans,
      })),
  };

  function see(at: Instant, told: Readonly<{ key: DependantKey; view: ResourceView | null }> | undefined): void {
    if (told === undefined) return;
    const course = courseOf(told.key);
    if (course.view === told.view) return;
    course.view = told.view;
    course.seen.show(at, told.view === null ? null : faceOf(told.view));
  }

  function write({ at, event, commands }: Turn): void {
    if (event.type === 'scale.answered') {
      const course = courseOf(event.asked.key);
      // An answer to what was asked before these turns begin ends nothing that is shown.
      if (course.writing === event.asked.number) {
        course.writing = null;
        const words = `${shootEventWords(event)}; it took ${seconds(at - event.askedAt)}`;
        course.writes.end(at, { tone: answerTones[event.answer.outcome], label: event.answer.outcome, words });
      }
    }
    for (const command of commands) {
      if (command.type !== 'scale') continue;
      const { key, number } = command.params;
      const course = courseOf(key);
      course.writing = number;
      course.writes.show(at, { tone: 'busy', label: 'writes', words: shootCommandWords(command, at) });
    }
  }

  function courseOf(key: DependantKey): Course {
    const known = courses.get(key);
    if (known !== undefined) return known;
    const course: Course = { seen: track(), writes: track(), view: null, writing: null };
    courses.set(key, course);
    return course;
  }
}

const answerTones: Readonly<Record<WriteAnswer['outcome'], Tone>> = {
  written: 'busy',
  conflict: 'failed',
  missing: 'failed',
  withdrawn: 'quiet',
  failed: 'refused',
};

function viewTold(event: Turn['event']): Readonly<{ key: DependantKey; view: ResourceView }> | undefined {
  if (event.type === 'dependant.changed') return { key: event.key, view: event.view };
  if (event.type === 'scale.answered' && event.answer.outcome === 'written')
    return { key: event.asked.key, view: event.answer.view };
  if (event.type === 'read.answered' && event.answer.outcome === 'read')
    return { key: event.asked.key, view: event.answer.view };
  return undefined;
}

function faceOf(view: ResourceView): SpanFace {
  if (!view.found) return { tone: 'unknown', label: 'missing', words: 'it does not exist' };
  const { replicas, readyReplicas, marked, record, ignored } = view;
  const marks = [
    marked ? 'marked' : '',
    record === undefined ? '' : `record ${record}`,
    ignored ? 'ignored' : '',
  ].filter((mark) => mark !== '');
  return {
    tone: ignored ? 'quiet' : replicas === 0 || marked ? 'down' : 'calm',
    label: [`${readyReplicas}/${replicas}`, ...marks].join(' '),
    words: [`${counted(replicas, 'replica')} wanted, ${readyReplicas} ready`, ...marks].join(', '),
  };
}
