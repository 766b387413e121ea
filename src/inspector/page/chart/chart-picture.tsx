import { useRef, useState } from 'preact/hooks';
import type { TargetedKeyboardEvent } from 'preact';
import { arrowWords } from '../../told/charts/arrow-questions.ts';
import type { DrawnEdge, DrawnRegion } from '../../told/charts/drawn-chart.ts';
import type { LitRegion } from '../../told/charts/lit-chart.ts';
import type { Kind } from '../../wire/wire.ts';
import { RegionPicture } from './region-picture.tsx';

/**
 * The regions side by side. The edge under the pointer, or that has the focus, says what it asks. Up and down lead from edge to edge, so that all of them
 * are one stop on the way of the tabulator.
 */
export function ChartPicture({
  kind,
  drawn,
  lit,
}: Readonly<{ kind: Kind; drawn: readonly DrawnRegion[]; lit: readonly LitRegion[] }>) {
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<DrawnEdge | undefined>(undefined);
  const edges = drawn.flatMap((region) => region.edges);
  const [stop, setStop] = useState(edges[0]);

  function walk(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const index = edges.findIndex((edge) => edge === stop) + by;
    if (by === 0 || edges[index] === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    place.current?.querySelector<SVGElement>(`[data-edge="${index}"]`)?.focus();
  }

  return (
    <div class="chart-picture" ref={place} onKeyDown={walk}>
      <div class="chart-regions">
        {drawn.map((region, index) => (
          <RegionPicture
            key={region.name}
            drawn={region}
            lit={lit[index]}
            nameOf={(edge) => ({ index: edges.indexOf(edge), words: wordsOf(kind, edge).join('; ') })}
            pointed={pointed}
            stop={stop}
            onPoint={setPointed}
            onStop={(edge) => {
              setStop(edge);
              setPointed(edge);
            }}
          />
        ))}
      </div>
      {pointed === undefined ? null : (
        <ul class="chart-pointed" aria-hidden="true">
          {wordsOf(kind, pointed).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function wordsOf(kind: Kind, { arrows }: DrawnEdge): readonly string[] {
  return arrows.map((arrow) => arrowWords(kind, arrow));
}
