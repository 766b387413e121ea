import type { Arrow, Box, DrawnRegion, DrawnState, Stay } from '../../model/charts/chart-model.ts';
import { arrowWords, regionWords, transitionKey, type LitRegion } from '../../model/charts/charts.ts';
import { stateMeaning } from '../../model/states.ts';
import type { Kind } from '../../wire/wire.ts';
import { EdgeLabel, EdgePicture, shortLabels, type Look } from './edge-picture.tsx';

/** What of a chart can be pointed at and clicked: a state, or all transitions from one state to another. */
export type Part = Readonly<{ region: string; state: string }> | Readonly<{ region: string; arrows: readonly Arrow[] }>;

/** What is taken is drawn last, so that no quiet line crosses it. */
const depth: Readonly<Record<Look, number>> = { calm: 0, refused: 1, taken: 2 };

/**
 * One region, as large as its place allows. `parts`: its states, then its lines. `first`: the place of its first part among those of all regions; `stop`: of the part
 * that the tabulator stops at. `tallest`: of all regions, in CSS pixels, so that all are as large.
 */
export function RegionPicture(
  props: Readonly<{
    kind: Kind;
    drawn: DrawnRegion;
    parts: readonly Part[];
    lit: LitRegion | undefined;
    first: number;
    stop: number;
    tallest: number;
    isPicked: (part: Part) => boolean;
  }>,
) {
  const { kind, drawn, parts, lit, first, stop, tallest, isPicked } = props;
  const [took, refused] = [keys(lit?.arrows), keys(lit?.refused)];
  const lookOf = (arrow: Arrow): Look =>
    took.has(transitionKey(arrow)) ? 'taken' : refused.has(transitionKey(arrow)) ? 'refused' : 'calm';
  const edges = drawn.edges
    .map((edge, index) => {
      const looks = edge.arrows.map(lookOf);
      const look = looks.includes('taken') ? 'taken' : looks.includes('refused') ? 'refused' : 'calm';
      return { edge, place: drawn.states.length + index, look } as const;
    })
    .toSorted((one, other) => depth[one.look] - depth[other.look]);
  const named = shortLabels(drawn, edges, lookOf);
  const button = (place: number) => {
    const part = parts[place];
    return {
      role: 'button',
      tabindex: first + place === stop ? 0 : -1,
      'data-part': first + place,
      'aria-pressed': part !== undefined && isPicked(part),
    } as const;
  };
  return (
    <svg
      class="chart-region"
      viewBox={`0 0 ${drawn.width} ${drawn.height}`}
      ref={(picture) => {
        picture?.style.setProperty('--wide', String(drawn.width));
        picture?.style.setProperty('--tallest', String(tallest));
      }}
      role="group"
      aria-label={lit?.words.join('; ')}
    >
      {drawn.name !== '' && (
        <text class="chart-name" x="4" y="16">
          {regionWords(drawn.name)}
        </text>
      )}
      {edges.map(({ edge, place, look }) => {
        const words = edge.arrows.map((arrow) => arrowWords(kind, arrow)).join('; ');
        return (
          <g
            key={place}
            class={`chart-edge chart-${look}`}
            {...button(place)}
            aria-label={look === 'calm' ? words : `${look === 'taken' ? 'taken' : 'said no'}: ${words}`}
          >
            <EdgePicture edge={edge} look={look} />
          </g>
        );
      })}
      {edges.map(({ edge, place, look }) => (
        <EdgeLabel key={place} {...{ edge, look, lookOf }} short={named.get(place)} part={first + place} />
      ))}
      {drawn.anyState !== null && <AnyStatePicture box={drawn.anyState} />}
      {drawn.states.map((state, place) => (
        <StatePicture
          key={state.name}
          state={state}
          initial={state.name === drawn.initial}
          active={state.name === lit?.active}
          stays={state.name === lit?.active && lit.stays.length > 0}
          button={button(place)}
        />
      ))}
      {drawn.states.map((state) =>
        state.name === lit?.active ? <StaySign key={state.name} box={state} stay={lit.stays[0]} /> : null,
      )}
    </svg>
  );
}

/** What a part stands for, in words, a line for each transition. */
export function partWords(kind: Kind, part: Part): readonly string[] {
  if ('arrows' in part) return part.arrows.map((arrow) => arrowWords(kind, arrow));
  const known = stateMeaning(kind, part.state);
  return [known === undefined ? part.state : `${part.state}: ${known.meaning}`];
}

function keys(arrows: readonly Arrow[] = []): ReadonlySet<string> {
  return new Set(arrows.map(transitionKey));
}

/** In CSS pixels: a state that is as high has room for the name of an event. */
const twoRows = 36;

/** A state. The active one has a mark before its name; `stays`: with room for a sign below it. */
function StatePicture(
  props: Readonly<{
    state: DrawnState;
    initial: boolean;
    active: boolean;
    stays: boolean;
    button: Readonly<Record<string, unknown>>;
  }>,
) {
  const {
    state: { name, x, y, width, height },
    initial,
    active,
    stays,
    button,
  } = props;
  const half = y + height / 2;
  return (
    <g
      class={active ? 'chart-state chart-active' : 'chart-state'}
      {...button}
      aria-label={active ? `${name}, the active state` : name}
    >
      {initial ? (
        <>
          <circle class="chart-start" cx={x - 15} cy={half} r="3" />
          <path class="chart-line" d={`M${x - 15} ${half}H${x}`} />
        </>
      ) : null}
      <rect class="chart-box" x={x} y={y} width={width} height={height} rx="6" />
      {active ? <path class="chart-mark" d={`M${x + 5} ${half - 5}l7 5l-7 5z`} /> : null}
      <text class="chart-state-name" x={x + width / 2} y={stays && height >= twoRows ? y + 16 : half + 5}>
        {name}
      </text>
    </g>
  );
}

/** Where something was done in a state without leaving it. */
function StaySign({ box: { x, y, width, height }, stay }: Readonly<{ box: Box; stay: Stay | undefined }>) {
  if (stay === undefined) return null;
  const named = height >= twoRows;
  return (
    <text
      class="chart-stay"
      aria-hidden="true"
      x={named ? x + width / 2 : x + width - 9}
      y={named ? y + 29 : y + height / 2 + 4}
    >
      {named ? `↻ ${stay.event}` : '↻'}
    </text>
  );
}

/** Stands for all states, where the region itself listens. */
function AnyStatePicture({ box: { x, y, width, height } }: Readonly<{ box: Box }>) {
  return (
    <g class="chart-any-state" role="img" aria-label="any state">
      <rect class="chart-box" x={x} y={y} width={width} height={height} rx={height / 2} />
      <text class="chart-any-state-name" x={x + width / 2} y={y + height / 2 + 4}>
        any state
      </text>
    </g>
  );
}
