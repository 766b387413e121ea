import { useMemo, useRef, useState } from 'preact/hooks';
import { chartModels, drawnCharts, litRegion, type LitRegion } from '../../model/charts/charts.ts';
import { machineJson, mermaidOf } from '../../model/charts/chart-texts.ts';
import { CopyButton } from '../format/controls.tsx';
import type { Kind } from '../../wire/wire.ts';
import type { TargetedEvent, TargetedKeyboardEvent } from 'preact';
import type { DrawnRegion } from '../../model/charts/chart-model.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import { explained } from '../turn/turn-panel.tsx';
import { partWords, RegionPicture, type Part } from './region-picture.tsx';
import { PickedPart } from './picked-part.tsx';

type Turns = readonly ReplayedTurn<Languages[Kind]>[];

/**
 * The statechart of a machine at one turn (view 4): where it is, what was taken, and which guards said no. A state or a line that is clicked tells what it means and
 * when it was last so. The whole chart, with all labels, comes on request.
 */
export function Chart({ kind, turns, selected }: Readonly<{ kind: Kind; turns: Turns; selected: number }>) {
  const one = turns[selected];
  const dialog = useRef<HTMLDialogElement>(null);
  const [picked, pick] = useState<Part | undefined>();
  const lit = useMemo(() => {
    if (one === undefined) return [];
    const { taken, guards } = explained(kind, one);
    return chartModels[kind].map((region) => litRegion(region, one.after?.value, taken, guards));
  }, [kind, one]);
  const picture = (drawn: readonly DrawnRegion[]) => (
    <ChartPicture kind={kind} drawn={drawn} lit={lit} picked={picked} pick={pick} />
  );
  return (
    <figure class="chart">
      {picture(drawnCharts[kind].small)}
      <figcaption class="chart-caption">
        {picked !== undefined && (
          <PickedPart kind={kind} part={picked} turns={turns} selected={selected} leave={() => pick(undefined)} />
        )}
        <ChartKey />
        <button type="button" class="chart-enlarge" onClick={() => dialog.current?.showModal()}>
          Whole chart
        </button>
      </figcaption>
      <dialog ref={dialog} class="chart-dialog" aria-label={`The statechart of the ${kind} machine`}>
        <form method="dialog" class="chart-close">
          <CopyButton
            label="Copy JSON"
            what="of the machine, as XState and Stately's editor take it"
            text={machineJson[kind]}
          />
          <CopyButton label="Copy Mermaid" what="of the chart" text={() => mermaidOf(kind)} />
          <button type="submit">Close</button>
        </form>
        {picture(drawnCharts[kind].large)}
        <ChartWords lit={lit} />
      </dialog>
    </figure>
  );
}

/** How to read the picture. */
function ChartKey() {
  return (
    <p class="quiet chart-key">
      <span class="chart-sign chart-sign-taken">taken in this turn</span>{' '}
      <span class="chart-sign chart-sign-refused">asked, and said no</span> Click a state or a line for what it means,
      and when it was last so.
    </p>
  );
}

/** What the turn did, in words. */
function ChartWords({ lit }: Readonly<{ lit: readonly LitRegion[] }>) {
  return (
    <ul class="chart-words">
      {lit
        .flatMap(({ words }) => words)
        .map((word, index) => (
          <li key={index}>{word}</li>
        ))}
    </ul>
  );
}

/**
 * The regions side by side, what scales first. Up and down lead from part to part, so that all of them are one stop on the way of the
 * tabulator; Enter, like a click, picks one.
 */
function ChartPicture(
  props: Readonly<{
    kind: Kind;
    drawn: readonly DrawnRegion[];
    lit: readonly LitRegion[];
    picked: Part | undefined;
    pick: (part: Part | undefined) => void;
  }>,
) {
  const { kind, drawn, lit, picked, pick } = props;
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | undefined>(undefined);
  const [stop, setStop] = useState(0);
  const parts = drawn.map(partsOf).toReversed();
  const all = parts.flat();
  const part = pointed === undefined ? undefined : all[pointed];

  function walk(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter') return chosen(event);
    if (by === 0 || all[stop + by] === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    place.current?.querySelector<SVGElement>(`[data-part="${stop + by}"]`)?.focus();
  }

  function focused(event: FocusEvent): void {
    const index = partAt(event);
    if (index !== undefined) setStop(index);
    setPointed(index);
  }

  function chosen(event: TargetedEvent<HTMLDivElement>): void {
    const index = partAt(event);
    const next = index === undefined ? undefined : all[index];
    pick(next !== undefined && picked !== undefined && isSame(next, picked) ? undefined : next);
  }

  return (
    <div class="chart-picture" ref={place} onKeyDown={walk}>
      <div
        class="chart-regions"
        onMouseOver={(event) => setPointed(partAt(event))}
        onMouseLeave={() => setPointed(undefined)}
        onFocusIn={focused}
        onFocusOut={() => setPointed(undefined)}
        onClick={chosen}
      >
        {drawn.toReversed().map((region, index) => (
          <RegionPicture
            key={region.name}
            kind={kind}
            drawn={region}
            parts={parts[index] ?? []}
            lit={lit.toReversed()[index]}
            first={parts.slice(0, index).reduce((sum, { length }) => sum + length, 0)}
            stop={stop}
            tallest={Math.max(...drawn.map(({ height }) => height))}
            isPicked={(one) => picked !== undefined && isSame(one, picked)}
          />
        ))}
      </div>
      {part !== undefined && (picked === undefined || !isSame(part, picked)) && (
        <ul class="chart-pointed" aria-hidden="true">
          {partWords(kind, part).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What of a region can be pointed at: its states, then its lines. */
function partsOf({ name: region, states, edges }: DrawnRegion): readonly Part[] {
  return [
    ...states.map(({ name }): Part => ({ region, state: name })),
    ...edges.map(({ arrows }): Part => ({ region, arrows })),
  ];
}

/** The small and the large picture have the same parts. */
function isSame(one: Part, other: Part): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The place of the part that an event comes from; undefined where it comes from none. */
function partAt({ target }: Event): number | undefined {
  const part = target instanceof Element ? target.closest<SVGElement>('[data-part]') : null;
  return part === null ? undefined : Number(part.dataset['part']);
}
