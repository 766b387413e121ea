import { useRef, useState } from 'preact/hooks';
import { chartModels, drawnCharts, litRegion, type LitRegion } from '../../model/charts/charts.ts';
import { machineJson, mermaidOf } from '../../model/charts/chart-texts.ts';
import { CopyButton } from '../format/controls.tsx';
import type { TakenTransition } from '../../model/explanation/explanation.ts';
import type { Kind } from '../../wire/wire.ts';
import type { TargetedKeyboardEvent } from 'preact';
import type { DrawnRegion } from '../../model/charts/chart-model.ts';
import { edgeWords, RegionPicture } from './region-picture.tsx';

/**
 * The statechart of a machine (view 4): small, with what was done in words below it, and large, with all labels, on request. `value`: the active states, as the snapshot
 * has them. `taken`: the transitions of the turn that is shown.
 */
export function Chart(props: Readonly<{ kind: Kind; value: unknown; taken: readonly TakenTransition[] }>) {
  const { kind, value, taken } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const lit = chartModels[kind].map((region) => litRegion(region, value, taken));
  return (
    <figure class="chart">
      <ChartPicture kind={kind} drawn={drawnCharts[kind].small} lit={lit} />
      <figcaption class="chart-caption">
        <ChartWords lit={lit} />
        <button type="button" class="chart-enlarge" onClick={() => dialog.current?.showModal()}>
          Whole chart
        </button>
      </figcaption>
      <dialog ref={dialog} class="chart-dialog" aria-label={`The statechart of the ${kind} machine`}>
        <form method="dialog" class="chart-close">
          <button type="submit">Close</button>
        </form>
        <ChartPicture kind={kind} drawn={drawnCharts[kind].large} lit={lit} />
        <div class="chart-caption">
          <ChartWords lit={lit} />
          <CopyButton
            label="Copy JSON"
            what="of the machine, as XState and Stately's editor take it"
            text={machineJson[kind]}
          />
          <CopyButton label="Copy Mermaid" what="of the chart" text={() => mermaidOf(kind)} />
        </div>
      </dialog>
    </figure>
  );
}

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
 * The regions side by side. The edge under the pointer, or that has the focus, says what it asks. Up and down lead from edge to edge, so that all of them
 * are one stop on the way of the tabulator.
 */
function ChartPicture(props: Readonly<{ kind: Kind; drawn: readonly DrawnRegion[]; lit: readonly LitRegion[] }>) {
  const { kind, drawn, lit } = props;
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | undefined>(undefined);
  const [stop, setStop] = useState(0);
  const edges = drawn.flatMap((region) => region.edges);
  const edge = pointed === undefined ? undefined : edges[pointed];

  function walk(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0 || edges[stop + by] === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    place.current?.querySelector<SVGElement>(`[data-edge="${stop + by}"]`)?.focus();
  }

  function focused(event: FocusEvent): void {
    const index = edgeAt(event);
    if (index !== undefined) setStop(index);
    setPointed(index);
  }

  return (
    <div class="chart-picture" ref={place} onKeyDown={walk}>
      <div
        class="chart-regions"
        onMouseOver={(event) => setPointed(edgeAt(event))}
        onMouseLeave={() => setPointed(undefined)}
        onFocusIn={focused}
        onFocusOut={() => setPointed(undefined)}
      >
        {drawn.map((region, index) => (
          <RegionPicture
            key={region.name}
            kind={kind}
            drawn={region}
            lit={lit[index]}
            first={drawn.slice(0, index).reduce((sum, { edges: before }) => sum + before.length, 0)}
            stop={stop}
          />
        ))}
      </div>
      {edge !== undefined && (
        <ul class="chart-pointed" aria-hidden="true">
          {edgeWords(kind, edge).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The place of the edge that an event comes from; undefined where it comes from none. */
function edgeAt({ target }: Event): number | undefined {
  const edge = target instanceof Element ? target.closest<SVGElement>('[data-edge]') : null;
  return edge === null ? undefined : Number(edge.dataset['edge']);
}
