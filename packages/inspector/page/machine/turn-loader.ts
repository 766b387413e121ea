import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import {
  timelineBuilder,
  type MachineTimeline,
  type TimelineBuilder,
  type Rebuilding,
} from '../../model/timeline/timeline.ts';
import type { Kind, Turns, WireTurnOf } from '../../wire/wire.ts';
import { machinePath } from '../client/address.ts';
import { after, browserNow, type Cancel } from '../browser-clock.ts';
import { NoAnswer } from '../client/no-answer.ts';
import { getJson, followStream, olderThan } from '../client/server.ts';
import { useEffect, useState } from 'preact/hooks';

/** Soon shown: to replay 5,000 turns would let one wait for seconds. */
const firstPage = 1_000;

/** What the server gives at once, and so a page of older turns. */
const pageSize = 5_000;

/** A turn with what came of it takes some kilobytes. Beyond this the oldest page is let go, and can be asked for again. */
const mostHeld = 20_000;

/** Of a linked turn, so much of what followed is loaded as well. */
const shownAfter: Millis = 600_000;

/** The page answers to its reader in between. */
const sliceLength: Millis = 30;

export type Loaded<Of extends Kind> = Readonly<{
  timeline: MachineTimeline<Of>;
  /** There are older turns than these, or younger ones that were not asked for. */
  earlier: boolean;
  later: boolean;
  /** What is being done: in words, for who waits. */
  doing: string | null;
  /** Why the last thing did not work. */
  problem: string | null;
}>;

export type TurnLoader = Readonly<{
  loadEarlier(): void;
  /** Forgets what is shown, and loads the youngest turns. */
  loadLatest(): void;
  /** From now on turns come: the server reads no files. */
  goLive(): void;
  stop: Cancel;
}>;

/** Loads the turns of one machine, around `at` where it is given, and follows those that come once it is live. Each change is `shown`. */
function loadTurns<Of extends Kind>(
  kind: Of,
  subject: string,
  at: Instant | null,
  show: (loaded: Loaded<Of>) => void,
): TurnLoader {
  const path = machinePath(kind, subject);
  let builder: TimelineBuilder<Of> = timelineBuilder(kind);
  let told: Loaded<Of> = {
    timeline: builder.timeline(),
    earlier: false,
    later: false,
    doing: 'loading',
    problem: null,
  };
  let stopped = false;
  let unfollow: Cancel | undefined;
  let live = false;
  let rebuilding = false;
  /** What came meanwhile. The server bounds what one message of it holds, and a rebuilding lasts seconds. */
  const waiting: WireTurnOf<Of>[] = [];
  void load(at === null ? null : at + shownAfter);

  return {
    loadEarlier: () => void loadEarlier(pageSize),
    loadLatest: () => void load(null),
    goLive() {
      live = true;
      follow();
    },
    stop() {
      stopped = true;
      unfollow?.();
    },
  };

  function tell(change: Partial<Loaded<Of>>): void {
    if (stopped) return;
    told = { ...told, ...change };
    show(told);
  }

  async function load(until: Instant | null): Promise<void> {
    unfollow?.();
    tell({ doing: 'loading', problem: null });
    const found = await asked({ until: until === null ? null : Math.ceil(until), most: firstPage });
    if (found === undefined || stopped) return;
    if (!(await rebuild(timelineBuilder(kind).after(found.turns)))) return;
    tell({ earlier: found.earlier, later: found.later });
    follow();
    if (found.earlier) await loadEarlier(pageSize - firstPage);
  }

  async function loadEarlier(most: number): Promise<void> {
    const first = told.timeline.turns[0]?.turn;
    if (first === undefined || told.doing !== null) return;
    tell({ doing: 'loading earlier turns', problem: null });
    // Several turns may share the instant: those that are known come again, and are left out.
    const known = told.timeline.turns.findIndex(({ turn }) => turn.at !== first.at);
    const found = await asked({ until: first.at, most: Math.min(pageSize, most + Math.max(known, 1)) });
    if (found === undefined || stopped) return;
    const older = olderThan(first, found.turns);
    if (await rebuild(builder.after(older))) tell({ earlier: found.earlier && older.length > 0 });
  }

  async function asked({
    until,
    most,
  }: Readonly<{ until: Instant | null; most: number }>): Promise<
    (Turns & Readonly<{ turns: readonly WireTurnOf<Of>[] }>) | undefined
  > {
    try {
      return await getJson(`${path}/turns?most=${most}${until === null ? '' : `&until=${until}`}`);
    } catch (error) {
      const because = error instanceof NoAnswer ? error.message : String(error);
      const isUnknown = error instanceof NoAnswer && error.status === 404;
      const problem = isUnknown
        ? 'Nothing of this name is recorded here.'
        : `The turns could not be loaded: ${because}.`;
      tell({ doing: null, problem });
      return undefined;
    }
  }

  /** Replays in slices, so that the page stays responsive: thousands of turns take a second. False if cancelled. */
  async function rebuild({ steps, step, builder: next }: Rebuilding<Of>): Promise<boolean> {
    let begun = browserNow();
    rebuilding = true;
    for (let index = 0; index < steps; index++) {
      step(index);
      if (browserNow() - begun < sliceLength) continue;
      tell({ doing: `replaying turn ${index + 1} of ${steps}` });
      await new Promise<void>((go) => after(0, go));
      if (stopped) return false;
      begun = browserNow();
    }
    builder = next;
    rebuilding = false;
    for (const turn of waiting.splice(0)) builder.take(turn);
    tell({ timeline: builder.timeline(), doing: null });
    return true;
  }

  function follow(): void {
    // No turn may be lost between the loaded turns and the live stream.
    if (!live || stopped || told.later || told.timeline.turns.length === 0) return;
    unfollow?.();
    const last = told.timeline.turns.at(-1)?.turn.at ?? browserNow();
    unfollow = followStream<'turns'>(
      `${path}/events?from=${Math.floor(last)}`,
      { turns: ({ turns }) => take(turns as readonly WireTurnOf<Of>[]) },
      // How the page stands to its server is told in the frame.
      { opened: () => undefined, lost: () => undefined },
    );
  }

  function take(turns: readonly WireTurnOf<Of>[]): void {
    // The timeline that is being built has only the earlier turns.
    if (rebuilding) return void waiting.push(...turns);
    for (const turn of turns) builder.take(turn);
    const timeline = builder.timeline();
    tell({ timeline });
    if (timeline.turns.length > mostHeld)
      void rebuild(builder.after([], pageSize)).then((done) => done && tell({ earlier: true }));
  }
}

/** The turns of one machine, as they are loaded and come. `at`: where a link leads to; a later link to a turn that is not among these loads other ones. */
export function useTurns<Of extends Kind>(
  kind: Of,
  subject: string,
  at: Instant | null,
  live: boolean,
): Readonly<{ loaded: Loaded<Of>; loader: TurnLoader | undefined }> {
  const [loaded, setLoaded] = useState<Loaded<Of>>(() => nothing(kind));
  const [loader, setLoader] = useState<TurnLoader | undefined>();
  useEffect(() => {
    setLoaded(nothing(kind));
    const made = loadTurns(kind, subject, at, setLoaded);
    setLoader(made);
    return made.stop;
  }, [kind, subject, at]);
  useEffect(() => {
    if (live) loader?.goLive();
  }, [loader, live]);
  return { loaded, loader };
}

function nothing<Of extends Kind>(kind: Of): Loaded<Of> {
  return { timeline: timelineBuilder(kind).timeline(), earlier: false, later: false, doing: 'loading', problem: null };
}
