import { useCallback, useMemo, useRef, useEffect, useState } from 'preact/hooks';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';
import { nextConsequence } from '../../model/timeline/timeline.ts';
import { askedTurn } from '../../model/timeline/lanes.ts';
import type { Kind } from '../../wire/wire.ts';
import { AskPanel } from '../ask/ask-panel.tsx';
import { Chart } from '../chart/chart.tsx';
import { serverState } from '../client/inspector-client.ts';
import { useShownAgreement } from '../client/replay.ts';
import {
  allTime,
  changedLink,
  otherTurnLink,
  rangeQuery,
  type MachineAddress,
  type TimeRange,
} from '../client/address.ts';
import { goTo, renewAddress } from '../client/browser-address.ts';
import { useStore } from '../client/store.ts';
import { timeText } from '../format/texts.ts';
import { useZone } from '../format/time.tsx';
import { TurnPanel, TurnRest } from '../turn/turn-panel.tsx';
import { MachineHeading, NothingOf } from './machine-heading.tsx';
import { areOfTurns, useKeys } from '../client/keys.ts';
import { Timeline } from './timeline.tsx';
import { TimelineTools } from './timeline-tools.tsx';
import type { TimelineSurface } from './timeline-surface.ts';
import { TurnList, turnText } from './turn-list.tsx';
import { useTurns } from './turn-loader.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { after } from '../browser-clock.ts';

/** One shoot or service in time (views 3 to 6). */
export function MachinePage<Of extends Kind>({ address }: Readonly<{ address: MachineAddress & { kind: Of } }>) {
  const { kind, subject, turn: linked, range, list } = address;
  const zone = useZone();
  const live = useStore(serverState, ({ about }) => about?.live ?? false);
  // Where the page was entered: a turn that is among those that are loaded is shown without loading them again.
  const entered = useRef<Readonly<{ subject: string; at: number | null }>>({ subject: '', at: null });
  const timeline = useRef<readonly ReplayedTurn<Languages[Of]>[]>([]);
  const linkedAt = linked?.at ?? null;
  if (entered.current.subject !== subject || (linkedAt !== null && !isAmong(timeline.current, linkedAt)))
    entered.current = { subject, at: linkedAt };
  const { loaded, loader } = useTurns(kind, subject, entered.current.at, live);
  const { turns, consequences } = loaded.timeline;
  timeline.current = turns;
  useShownAgreement(kind, subject, turns);

  const { selected, missing } = useMemo(() => askedTurn(turns, linked), [turns, linked]);
  const one = turns[selected];
  const text = one === undefined ? '' : `${timeText(one.turn.at, zone)} ${turnText(kind, one.turn)}`;
  const words = one === undefined ? '' : `${text}; turn ${selected + 1} of ${turns.length}`;

  const surface = useRef<TimelineSurface | null>(null);
  const surfaced = useCallback((made: TimelineSurface | null) => (surface.current = made), []);
  const select = (index: number | undefined, how: 'step' | 'jump') => {
    const turn = index === undefined ? undefined : turns[index]?.turn;
    if (turn === undefined) return;
    const link = otherTurnLink(location.hash, turn);
    if (range !== allTime) surface.current?.reveal(turn.at);
    // Steps would fill the browser's history: only jumps are gone back to.
    if (how === 'step') renewAddress(link);
    else goTo(link);
  };
  const step = (direction: 1 | -1) => select(clamped(selected + direction, turns.length), 'step');
  const jump = (direction: 1 | -1) => select(nextConsequence(consequences, selected, direction), 'jump');
  const [playing, play] = usePlay(() => {
    if (selected + 1 >= turns.length) return false;
    step(1);
    return true;
  });
  const keys = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    'Shift+ArrowLeft': () => jump(-1),
    'Shift+ArrowRight': () => jump(1),
    Home: () => select(0, 'jump'),
    End: () => select(turns.length - 1, 'jump'),
    '+': () => surface.current?.zoom(1 / 1.6),
    '=': () => surface.current?.zoom(1 / 1.6),
    '-': () => surface.current?.zoom(1.6),
    '0': () => surface.current?.fit(),
    o: () => seeRange(allTime),
    ' ': play,
  };
  useKeys(keys, areOfTurns);

  if (one === undefined && loaded.problem !== null) return <NothingOf subject={subject} problem={loaded.problem} />;
  return (
    <div class={`machine-page machine-of-${kind}`}>
      <MachineHeading
        kind={kind}
        subject={subject}
        loaded={loaded}
        loader={loader}
        live={live}
        at={one?.turn.at ?? null}
        pinned={linked !== undefined}
        missing={loaded.doing === null ? missing : null}
      />
      {one !== undefined && (
        <div class="machine-view">
          <div class="machine-chart" role="region" aria-label="The machine">
            <Chart kind={kind} turns={turns} selected={selected} />
          </div>
          <div class="machine-why">
            <div class="machine-panel" role="region" aria-label="The turn" tabIndex={0}>
              <TurnPanel kind={kind} replayedTurn={one}>
                {(why) => <AskPanel kind={kind} turns={turns} index={selected} address={address} why={why} />}
              </TurnPanel>
            </div>
          </div>
        </div>
      )}
      <div class="machine-time">
        <TimelineTools keys={keys} playing={playing} frames={kind === 'shoot' ? 'Outage' : 'Recovery'} />
        <Timeline
          timeline={loaded.timeline}
          selected={selected}
          range={range}
          onRange={seeRange}
          words={words}
          onSelect={(index) => select(index, 'jump')}
          surfaced={surfaced}
        />
      </div>
      <div class="machine-below">
        <TurnList
          kind={kind}
          turns={turns}
          consequences={consequences}
          selected={selected}
          onSelect={(index) => select(index, 'step')}
          list={list}
          onList={({ text, consequences: only }) =>
            renewAddress(changedLink(location.hash, { text, only: only ? 'consequences' : '' }))
          }
        />
        {one !== undefined && <TurnRest kind={kind} replayedTurn={one} />}
      </div>
    </div>
  );
}

function seeRange(range: TimeRange): void {
  renewAddress(changedLink(location.hash, rangeQuery(range)));
}

function isAmong<Of extends Kind>(turns: readonly ReplayedTurn<Languages[Of]>[], at: number): boolean {
  const [first, last] = [turns[0], turns.at(-1)];
  return first !== undefined && last !== undefined && at >= first.turn.at && at <= last.turn.at;
}

function clamped(index: number, length: number): number {
  return Math.min(Math.max(index, 0), length - 1);
}

/** So long each turn is shown: its words can be read. */
const stepLength: Millis = 700;

/** Whoever asked for less motion has more time between two pictures. */
const calmStepLength: Millis = 2_000;

/** Calls `step` again and again until it answers false, or somebody does anything. */
function usePlay(step: () => boolean): readonly [playing: boolean, toggle: () => void] {
  const [played, setPlayed] = useState<number | null>(null);
  const latest = useRef(step);
  latest.current = step;
  useEffect(() => {
    if (played === null) return undefined;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    return after(calm ? calmStepLength : stepLength, () => setPlayed(latest.current() ? played + 1 : null));
  }, [played]);
  useEffect(() => {
    if (played === null) return undefined;
    const stop = (event: Event) => {
      // The button, and its key, stop it by themselves.
      const isToggle = event.target instanceof Element && event.target.closest('[data-play]') !== null;
      const isSpace = event instanceof KeyboardEvent && event.key === ' ';
      if (!isToggle && !isSpace) setPlayed(null);
    };
    const names = ['pointerdown', 'keydown', 'wheel'] as const;
    for (const name of names) addEventListener(name, stop, { capture: true });
    return () => {
      for (const name of names) removeEventListener(name, stop, { capture: true });
    };
  }, [played === null]);
  return [played !== null, () => setPlayed((now) => (now === null ? 0 : null))];
}
