import elk, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk.bundled.js';
import {
  labelSize,
  type Box,
  type DrawnChart,
  type DrawnEdge,
  type DrawnRegion,
  type Point,
  type Arrow,
  type Region,
} from '@dwd/inspector/model/charts/chart-model.ts';

const anyState = ' any state';

/** In CSS pixels. A large state has room for the name of an event below its own. */
const sizes = {
  large: { state: { width: 150, height: 40 }, anyState: { width: 84, height: 24 } },
  small: { state: { width: 128, height: 34 }, anyState: { width: 80, height: 22 } },
} as const;

/**
 * What was tried until the pictures were good. From top to bottom, since labels are wide and low. The order of states in the machine is the order in which
 * they usually follow each other, so it decides which edges lead back up. Labels stand on their lines, with a layer of their own, so that none can overlap.
 */
const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.randomSeed': '1',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.nodePlacement.favorStraightEdges': 'true',
  'elk.layered.thoroughness': '40',
} as const;

const spacings = {
  large: {
    'elk.spacing.nodeNode': '24',
    'elk.spacing.edgeNode': '14',
    'elk.spacing.edgeEdge': '10',
    'elk.layered.spacing.nodeNodeBetweenLayers': '16',
    'elk.layered.spacing.edgeNodeBetweenLayers': '13',
    'elk.layered.spacing.edgeEdgeBetweenLayers': '8',
  },
  small: {
    'elk.spacing.nodeNode': '18',
    'elk.spacing.edgeNode': '12',
    'elk.spacing.edgeEdge': '11',
    'elk.layered.spacing.nodeNodeBetweenLayers': '30',
    'elk.layered.spacing.edgeNodeBetweenLayers': '15',
    'elk.layered.spacing.edgeEdgeBetweenLayers': '8',
  },
} as const;

/** Gives a region of a chart its coordinates. The same region always gets the same ones. */
export async function layOutRegion(
  { name, initial, states, arrows }: Region,
  size: keyof DrawnChart,
): Promise<DrawnRegion> {
  const edges = [...Map.groupBy(arrows, ({ from, to }) => `${from ?? anyState}\n${to}`).values()];
  const hasAnyState = arrows.some(({ from }) => from === null);
  const graph: ElkNode = {
    id: 'region',
    // The name of a region stands above it.
    layoutOptions: { ...options, ...spacings[size], 'elk.padding': padding(name === '' ? 8 : 26) },
    children: [
      ...states.map((id) => ({ id, ...sizes[size].state })),
      ...(hasAnyState ? [{ id: anyState, ...sizes[size].anyState }] : []),
    ],
    edges: edges.map((each, index) => edgeOf(each, String(index), size)),
  };
  const laid = await new elk.default().layout(graph);
  return {
    name,
    initial,
    width: Math.ceil(laid.width ?? 0),
    height: Math.ceil(laid.height ?? 0),
    states: states.map((state) => ({ name: state, ...boxOf(nodeOf(laid, state)) })),
    anyState: hasAnyState ? boxOf(nodeOf(laid, anyState)) : null,
    edges: edges.map((each, index) => drawnEdge(laid.edges?.[index], each)),
  };
}

function padding(top: number): string {
  return `[top=${top},left=8,bottom=8,right=8]`;
}

/** The edge of any state is laid out the other way round: so it stands beside the second state, and not above the first one. */
function edgeOf(arrows: readonly Arrow[], id: string, size: keyof DrawnChart): ElkExtendedEdge {
  const ends = [arrows[0]?.from ?? anyState, arrows[0]?.to ?? ''];
  const [source = '', target = ''] = isOfAnyState(arrows) ? ends.toReversed() : ends;
  const layoutOptions = { 'elk.edgeLabels.placement': 'CENTER', 'elk.edgeLabels.inline': 'true' };
  const labels = size === 'large' ? [{ text: id, ...labelSize(arrows), layoutOptions }] : [];
  return { id, sources: [source], targets: [target], labels };
}

function drawnEdge(edge: ElkExtendedEdge | undefined, arrows: readonly Arrow[]): DrawnEdge {
  const [section, label] = [edge?.sections?.[0], edge?.labels?.[0]];
  if (section === undefined) throw new Error(`elkjs lost ${JSON.stringify(arrows[0])}`);
  const { startPoint, bendPoints = [], endPoint } = section;
  const laid = [startPoint, ...bendPoints, endPoint].map(({ x, y }): Point => [Math.round(x), Math.round(y)]);
  const path = straightened(laid);
  return {
    path: isOfAnyState(arrows) ? path.toReversed() : path,
    ...(label === undefined ? {} : { label: boxOf(label) }),
    arrows,
  };
}

/** In CSS pixels. */
const smallestBend = 6;

/** A line that leaves its state a few pixels beside the way that it then takes leaves it there. */
function straightened(path: readonly Point[]): readonly Point[] {
  const [from, bend, way, ...rest] = path;
  if (from === undefined || bend === undefined || way === undefined || rest.length === 0) return path;
  const aside = Math.abs(way[0] - from[0]);
  return aside > 0 && aside <= smallestBend ? [[way[0], from[1]], ...rest] : path;
}

function isOfAnyState([arrow]: readonly Arrow[]): boolean {
  return arrow?.from === null;
}

function nodeOf(laid: ElkNode, id: string): ElkNode {
  const node = laid.children?.find((one) => one.id === id);
  if (node === undefined) throw new Error(`elkjs lost ${id}`);
  return node;
}

function boxOf({ x = 0, y = 0, width = 0, height = 0 }: Partial<Box>): Box {
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}
