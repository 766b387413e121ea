import type { AnyStateMachine } from 'xstate';
import type { TransitionName } from '../explanation/explanation.ts';

/** A transition without a target: something is done, and the state stays. */
export type Stay = TransitionName & Readonly<{ guard?: string }>;

/** A transition that leads to a state. */
export type Arrow = Stay &
  Readonly<{
    /** The state that it leaves, without its region; null where it leaves each one, since the region itself listens. */
    from: string | null;
    to: string;
  }>;

/** `name`: empty for a machine without regions. */
export type Region = Readonly<{
  name: string;
  initial: string;
  states: readonly string[];
  arrows: readonly Arrow[];
  stays: readonly Stay[];
}>;

type Transition = Readonly<{ target?: string; guard?: unknown }>;
type Written = string | Transition | readonly (string | Transition)[];
type Node = Readonly<{
  type?: string;
  initial?: string;
  on?: Readonly<Record<string, Written>>;
  always?: Written;
  states?: Readonly<Record<string, Node>>;
}>;

/** The chart of a machine, read from its own config: what is drawn, and what a drawing is compared with. */
export function chartModel(machine: AnyStateMachine): readonly Region[] {
  const root = machine.config as Node;
  return root.type === 'parallel'
    ? Object.entries(root.states ?? {}).map(([name, node]) => regionOf(name, node))
    : [regionOf('', root)];
}

function regionOf(name: string, node: Node): Region {
  const states = Object.entries(node.states ?? {});
  const all = [
    ...states.flatMap(([state, of]) => transitionsOf(of, name === '' ? state : `${name}.${state}`, state)),
    ...transitionsOf(node, name, null),
  ];
  return {
    name,
    initial: node.initial ?? '',
    states: states.map(([state]) => state),
    arrows: all.filter(isArrow),
    stays: all.filter((one) => !isArrow(one)),
  };
}

function transitionsOf(node: Node, state: string, from: string | null): readonly (Arrow | Stay)[] {
  const always = node.always === undefined ? [] : [['', node.always] as const];
  return [...Object.entries(node.on ?? {}), ...always].flatMap(([event, written]) =>
    list(written).map((one, index) => {
      const { target, guard } = typeof one === 'string' ? { target: one, guard: undefined } : one;
      const stay: Stay = { state, event, index, ...(typeof guard === 'string' ? { guard } : {}) };
      return target === undefined ? stay : { ...stay, from, to: target.replace(/^\./, '') };
    }),
  );
}

function isArrow(one: Arrow | Stay): one is Arrow {
  return 'to' in one;
}

function list(written: Written): readonly (string | Transition)[] {
  return typeof written === 'object' && 'length' in written ? written : [written];
}

/** `small`: without labels, for a place beside other things. */
export type DrawnChart = Readonly<{ large: readonly DrawnRegion[]; small: readonly DrawnRegion[] }>;

/** A region of a chart with its coordinates, in CSS pixels from its upper left corner. */
export type DrawnRegion = Readonly<{
  /** Empty for a machine without regions. */
  name: string;
  initial: string;
  width: number;
  height: number;
  states: readonly DrawnState[];
  /** Stands for all states, where the region itself listens. */
  anyState: Box | null;
  edges: readonly DrawnEdge[];
}>;

export type Point = readonly [x: number, y: number];

export type Box = Readonly<{ x: number; y: number; width: number; height: number }>;

export type DrawnState = Box & Readonly<{ name: string }>;

/** All transitions from one state to another: one line with several labels. */
export type DrawnEdge = Readonly<{
  path: readonly Point[];
  /** Around the labels; a small chart has none. */
  label?: Box;
  arrows: readonly Arrow[];
}>;

/**
 * Of the labels, in CSS pixels. Their letters are monospaced, so that the layout knows how wide a label is, whatever font a reader has;
 * `width` is the widest of the usual ones.
 */
export const letters = { size: 12, width: 7.25, row: 15, gap: 5, padding: 4 } as const;

/** In letters. A longer label has two rows, so that states need not stand far apart. */
const longestRow = 24;

/** The rows of a transition's label: `verdict.reached [isCutOff]`, in two where that is long. */
export function arrowRows({ event, guard }: Pick<Arrow, 'event' | 'guard'>): readonly string[] {
  const words = [event, guard === undefined ? '' : `[${guard}]`].filter((word) => word !== '');
  const row = words.join(' ');
  return row.length > longestRow ? words : [row];
}

/** How far below the first label's top the `index`-th one begins. */
export function topOfLabel(arrows: readonly Arrow[], index: number): number {
  return arrows.slice(0, index).reduce((top, arrow) => top + arrowRows(arrow).length * letters.row + letters.gap, 0);
}

/** The size of the box around all labels of an edge. */
export function labelSize(arrows: readonly Arrow[]): Readonly<{ width: number; height: number }> {
  const longest = Math.max(...arrows.flatMap(arrowRows).map(({ length }) => length));
  return {
    width: Math.ceil(longest * letters.width) + 2 * letters.padding,
    height: topOfLabel(arrows, arrows.length) - letters.gap + letters.padding,
  };
}

/** In CSS pixels. */
const cornerRadius = 6;
const origin: Point = [0, 0];
const head = { length: 8, halfWidth: 3.5 } as const;

/** The line of an edge for SVG's `d`, with round corners; it ends where its arrowhead begins. */
export function linePath(points: readonly Point[]): string {
  const shortened = [...points.slice(0, -1), along(points.at(-1), points.at(-2), head.length - 1)];
  return shortened
    .map((point, index) => {
      const [before, after] = [shortened[index - 1], shortened[index + 1]];
      if (before === undefined) return `M${text(point)}`;
      if (after === undefined) return `L${text(point)}`;
      const radius = Math.min(cornerRadius, length(before, point) / 2, length(point, after) / 2);
      return `L${text(along(point, before, radius))}Q${text(point)} ${text(along(point, after, radius))}`;
    })
    .join('');
}

/** The arrowhead at an edge's end, for SVG's `points`; `times` as large as usual. */
export function headPoints(points: readonly Point[], times = 1): string {
  const [before, tip = origin] = points.slice(-2);
  const [x, y] = along(tip, before, head.length * times);
  const [dx, dy] = [(tip[0] - x) / head.length, (tip[1] - y) / head.length];
  const side = (by: number): Point => [x - dy * by, y + dx * by];
  return [tip, side(head.halfWidth), side(-head.halfWidth)].map(text).join(' ');
}

/** The point that is `far` away from `from` in the direction of `to`. */
function along(from: Point = origin, to: Point = from, far = 0): Point {
  const whole = length(from, to);
  if (whole === 0) return from;
  return [from[0] + ((to[0] - from[0]) * far) / whole, from[1] + ((to[1] - from[1]) * far) / whole];
}

function length([x, y]: Point, [toX, toY]: Point): number {
  return Math.hypot(toX - x, toY - y);
}

function text([x, y]: Point): string {
  return `${Number(x.toFixed(1))} ${Number(y.toFixed(1))}`;
}

/** The words beside a line of a small chart: a guard's name, spelled apart: `cut off` of `isCutOff`; the event's where there is none. */
export function shortLabel({ event, guard }: Pick<Arrow, 'event' | 'guard'>): string {
  const name = guard?.replace(/^(?:is|verdictMeets)(?=[A-Z])/, '') ?? event;
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
}

/** In CSS pixels, of a small chart's labels. A letter is as wide as the widest of the usual fonts has them on average. */
export const shortLetters = { width: 6.6, height: 16, gap: 3 } as const;

/**
 * Where the words of a line stand in a small chart, which keeps no room for them: on the line, where it is longest, or beside it, such that they lie over no state and
 * over none of `others`. Undefined where no place is left.
 */
export function placeLabel(
  region: DrawnRegion,
  edge: DrawnEdge,
  words: string,
  others: readonly Box[],
): Box | undefined {
  const [width, height] = [words.length * shortLetters.width + 2 * shortLetters.gap, shortLetters.height];
  const taken = [...region.states, ...(region.anyState === null ? [] : [region.anyState]), ...others];
  const pieces = edge.path.slice(1).flatMap((to, index) => {
    const from = edge.path[index];
    return from === undefined ? [] : [{ from, to }];
  });
  for (const { from, to } of pieces.toSorted((one, other) => length(other.from, other.to) - length(one.from, one.to)))
    for (const share of [0.5, 0.3, 0.7, 0.15, 0.85])
      for (const aside of [0, width / 2, -width / 2]) {
        const [x, y] = along(from, to, length(from, to) * share);
        const box = { x: x - width / 2 + aside, y: y - height / 2, width, height };
        const isWithin = box.x >= 0 && box.y >= 0 && box.x + width <= region.width && box.y + height <= region.height;
        if (isWithin && !taken.some((one) => overlap(one, box))) return box;
      }
  return undefined;
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
