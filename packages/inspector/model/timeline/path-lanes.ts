import { pathWords } from 'dependency-watchdog/adapters/record/words/probe-words.ts';
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { shootEventWords } from 'dependency-watchdog/adapters/record/words/shoot-words.ts';
import type { ProbeFailure } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import {
  judgePath,
  type PathCount,
  type PathTold,
  type ShootPath,
} from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';
import type { ShootEventOf } from 'dependency-watchdog/machines/shoot-language.ts';
import type { SpanFace, SpanLane } from './lanes.ts';
import { probeStateOf, type ReplayedTurn } from '../replayed-turn.ts';
import { requests, track, type Requests, type Track } from './track.ts';

type Turn = ReplayedTurn<ShootLanguage>['turn'];

type LaneState = {
  readonly told: Track;
  readonly questions: Requests;
  /** What the external path told while the internal one is waited for, without which it counts for nothing. */
  pending: Pending | null;
};

type Pending = Readonly<{ askedAt: Instant; failure: ProbeFailure | undefined; count: PathCount }>;

export type PathLanes = Readonly<{
  take(replayedTurn: ReplayedTurn<ShootLanguage>): void;
  stop(at: Instant): void;
  /** Empty for a shoot that is judged by its leases. */
  lanes(): readonly SpanLane[];
}>;

const notAsked: SpanFace = {
  tone: 'quiet',
  label: 'not asked',
  words: 'it is not asked while the internal path does not answer',
};

/** A lane for each path to a shoot's API server (SPEC 4.9): what it told, from the question on, and the questions themselves. */
export function pathLanes(): PathLanes {
  const states: Readonly<Record<ShootPath, LaneState>> = { internal: begun(), external: begun() };
  let isSeen = false;

  return {
    stop,
    take({ turn, before, after }) {
      if (turn.event.type === 'path.answered') answer(turn.event, before?.context, after?.context);
      if (probeStateOf(after?.value) === 'off') stop(turn.at);
      ask(turn);
    },
    lanes: () =>
      !isSeen
        ? []
        : (['internal', 'external'] as const).map((path) => ({
            id: `path ${path}`,
            name: `${path} path`,
            shows: 'path',
            spans: states[path].told.spans,
            under: states[path].questions.spans,
          })),
  };

  function stop(at: Instant): void {
    for (const state of Object.values(states)) {
      state.told.show(at, null);
      state.questions.drop(at);
      state.pending = null;
    }
  }

  function ask({ at, commands }: Turn): void {
    for (const command of commands) {
      if (command.type !== 'askPath') continue;
      isSeen = true;
      const { path, number } = command.params;
      // A probe that was lost has no answer, and what one path told of it counts for nothing.
      if (path === 'internal') states.external.pending = null;
      states[path].questions.ask(at, number, { tone: 'busy', label: 'asks', words: `probe ${number} asks it` });
    }
  }

  function answer(
    event: ShootEventOf<'path.answered'>,
    before: ShootContext | undefined,
    after: ShootContext | undefined,
  ): void {
    const { at, askedAt, path, number, failure } = event;
    const state = states[path];
    // The internal path may have ended the probe before.
    if (!state.questions.awaits(number)) return;
    const told = toldOf(path, failure, after);
    const words = `${shootEventWords(event)}; it took ${seconds(at - askedAt)}`;
    const label = failure === undefined ? seconds(at - askedAt) : failure.reason;
    state.questions.answer(at, { tone: told === 'answered' ? 'calm' : 'failed', label, words });
    const count = failuresOf(path, before, after);
    if (path === 'external') {
      state.pending = { askedAt, failure, count };
      if (!states.internal.questions.awaits()) tellExternal(after);
    } else {
      state.told.show(askedAt, faceOf(path, told, failure, count));
      if (told === 'answered') tellExternal(after);
      else leaveOut(at);
    }
  }

  function tellExternal(after: ShootContext | undefined): void {
    const { pending, told } = states.external;
    states.external.pending = null;
    if (pending === null) return;
    const { askedAt, failure, count } = pending;
    told.show(askedAt, faceOf('external', toldOf('external', failure, after), failure, count));
  }

  /** The external path counts for nothing now. */
  function leaveOut(at: Instant): void {
    const { external } = states;
    external.told.show(at, notAsked);
    external.questions.answer(at, { tone: 'quiet', label: 'ignored', words: 'its answer plays no part' });
    external.pending = null;
  }
}

function begun(): LaneState {
  return { told: track(), questions: requests(), pending: null };
}

/** As the machine has it: by itself a time-out does not tell whether the internal path was slow as well. */
function toldOf(path: ShootPath, failure: ProbeFailure | undefined, after: ShootContext | undefined): PathTold {
  const state = after?.paths?.asked[path];
  return state === undefined || state === 'asked' || state === 'notAsked' ? judgePath(failure) : state;
}

function faceOf(path: ShootPath, told: PathTold, failure: ProbeFailure | undefined, count: PathCount): SpanFace {
  const fails = path === 'external' ? 'cutOff' : 'failed';
  const tones = { answered: 'calm', untold: 'unknown', failed: fails } as const;
  return { tone: tones[told], ...pathWords.lane(told, failure, count) };
}

/** How often in a row a path has failed if it fails now, and how often it takes until something follows. */
function failuresOf(path: ShootPath, before: ShootContext | undefined, after: ShootContext | undefined): PathCount {
  const of = after?.config.failureThreshold ?? 1;
  if (path === 'internal') return { count: after?.paths?.internalFailures ?? 1, of };
  return { count: (before?.streak.of === 'cutOff' ? before.streak.count : 0) + 1, of };
}
