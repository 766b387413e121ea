import { shootCommandWords, shootEventWords } from 'dependency-watchdog/adapters/record/words/shoot-words.ts';
import { shortName } from 'dependency-watchdog/adapters/record/words/write-words.ts';
import { counted, seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { WriteAnswer, ResourceView } from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { ShootNote } from 'dependency-watchdog/machines/shoot-language.ts';
import type { SpanFace, SpanLane } from './lanes.ts';
import type { Tone } from '../states.ts';
import { requests, track, type Requests, type Track } from './track.ts';
import type { ReplayedTurn } from '../replayed-turn.ts';

type Turn = ReplayedTurn<ShootLanguage>['turn'];

type Raised = Extract<ShootNote, { kind: 'raised' }>;

/** `raised`: somebody else raised it while the shoot is cut off, and it is not at 0 again (SPEC 6.9). */
type LaneState = { readonly seen: Track; readonly writes: Requests; view: ResourceView | null; raised: Raised | null };

export type DependantLanes = Readonly<{
  take(replayedTurn: ReplayedTurn<ShootLanguage>): void;
  stop(at: Instant): void;
  lanes(): readonly SpanLane[];
}>;

/** A lane for each dependant: its replicas as they were known, and the writes on their way. */
export function dependantLanes(): DependantLanes {
  const states = new Map<DependantKey, LaneState>();

  return {
    take({ turn, after }) {
      for (const note of turn.notes) if (note.kind === 'raised') stateOf(note.key).raised = note;
      // The turns of a machine that went another way tell of its dependants all the same.
      if (after === undefined) see(turn.at, viewTold(turn.event));
      else
        for (const { key } of after.context.config.dependants)
          see(turn.at, { key, view: after.context.known[key]?.view ?? null });
      write(turn);
    },
    stop(at) {
      for (const state of states.values()) {
        state.seen.show(at, null);
        state.writes.drop(at);
        state.view = null;
      }
    },
    lanes: () =>
      [...states].map(([key, { seen, writes }]) => ({
        id: `dependant ${key}`,
        name: shortName(key),
        shows: 'dependant',
        spans: seen.spans,
        under: writes.spans,
      })),
  };

  function see(at: Instant, told: Readonly<{ key: DependantKey; view: ResourceView | null }> | undefined): void {
    if (told === undefined) return;
    const state = stateOf(told.key);
    if (state.view === told.view) return;
    state.view = told.view;
    if (!isRunning(told.view)) state.raised = null;
    state.seen.show(at, told.view === null ? null : faceOf(told.view, state.raised));
  }

  function write({ at, event, commands }: Turn): void {
    if (event.type === 'scale.answered') {
      const { writes } = stateOf(event.asked.key);
      const { outcome } = event.answer;
      const words = `${shootEventWords(event)}; it took ${seconds(at - event.askedAt)}`;
      if (writes.awaits(event.asked.number)) writes.answer(at, { tone: answerTones[outcome], label: outcome, words });
    }
    for (const command of commands) {
      if (command.type !== 'scale') continue;
      const { key, number } = command.params;
      stateOf(key).writes.ask(at, number, {
        tone: 'busy',
        label: 'writes',
        words: shootCommandWords(command, at),
      });
    }
  }

  function stateOf(key: DependantKey): LaneState {
    const known = states.get(key);
    if (known !== undefined) return known;
    const state: LaneState = { seen: track(), writes: requests(), view: null, raised: null };
    states.set(key, state);
    return state;
  }
}

const answerTones: Readonly<Record<WriteAnswer['outcome'], Tone>> = {
  written: 'busy',
  undone: 'refused',
  conflict: 'failed',
  missing: 'failed',
  withdrawn: 'quiet',
  failed: 'refused',
};

function viewTold(event: Turn['event']): Readonly<{ key: DependantKey; view: ResourceView }> | undefined {
  if (event.type === 'dependant.changed') return { key: event.key, view: event.view };
  if (event.type === 'scale.answered' && (event.answer.outcome === 'written' || event.answer.outcome === 'undone'))
    return { key: event.asked.key, view: event.answer.view };
  if (event.type === 'read.answered' && event.answer.outcome === 'read')
    return { key: event.asked.key, view: event.answer.view };
  return undefined;
}

function isRunning(view: ResourceView | null): boolean {
  return view?.found === true && view.replicas > 0;
}

function faceOf(view: ResourceView, raised: Raised | null): SpanFace {
  if (!view.found) return { tone: 'unknown', label: 'missing', words: 'it does not exist' };
  const { replicas, readyReplicas, marked, record, ignored } = view;
  const marks = [
    marked ? 'marked' : '',
    record === undefined ? '' : `record ${record}`,
    ignored ? 'ignored' : '',
  ].filter((mark) => mark !== '');
  const told = replicasFace(readyReplicas, replicas);
  if (raised !== null) {
    const who = `raised by ${raised.by ?? 'somebody else'}`;
    return {
      tone: 'refused',
      label: `${told.label}, ${who}`,
      short: who,
      words: [told.words, who, ...marks].join(', '),
    };
  }
  const tone = ignored ? 'quiet' : replicas === 0 || marked ? 'down' : 'calm';
  return { tone, label: told.label, short: told.short, words: [told.words, ...marks].join(', ') };
}

/** `2 ready`, `2 ready → 0 wanted`, `at 0`: how many there are, and how many there shall be where that differs. */
function replicasFace(ready: number, wanted: number): Readonly<Record<'label' | 'short' | 'words', string>> {
  const words = `${counted(wanted, 'replica')} wanted, ${ready} ready`;
  if (ready !== wanted) return { label: `${ready} ready → ${wanted} wanted`, short: `${ready} → ${wanted}`, words };
  return wanted === 0 ? { label: 'at 0', short: '0', words } : { label: `${ready} ready`, short: String(ready), words };
}
