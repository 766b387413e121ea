import { shootMachine } from '../src/machines/shoot.ts';
import { weederMachine } from '../src/machines/weeder.ts';

type Target = Readonly<{ key: string }>;
type Transition = Readonly<{
  eventType: string;
  target: readonly Target[] | undefined;
  guard?: unknown;
}>;
type StateNode = Readonly<{
  key: string;
  type: string;
  states: Readonly<Record<string, StateNode>>;
  initial: Readonly<{ target: readonly Target[] }>;
  transitions: ReadonlyMap<string, readonly Transition[]>;
  always?: readonly Transition[] | undefined;
}>;

export function shootDiagramPage(): string {
  return diagramPage(
    '# The shoot machine',
    'Drawn from `src/machines/shoot.ts` by `npm run docs`; a test fails when it is stale. Both regions run side by side. What happens without a change of state (views kept, flows moved) is not drawn.',
    shootMachine.root,
  );
}

export function weederDiagramPage(): string {
  return diagramPage(
    '# The weeder machine',
    'Drawn from `src/machines/weeder.ts` by `npm run docs`; a test fails when it is stale. There is one machine for each service and namespace. What happens without a change of state (pods kept, deletions asked for and answered) is not drawn.',
    weederMachine.root,
  );
}

/** A machine's chart as a page with a Mermaid diagram for each region; only transitions that change the state are drawn. */
function diagramPage(title: string, words: string, root: StateNode): string {
  const regions = root.type === 'parallel' ? Object.values(root.states) : [root];
  const pictures = regions.flatMap((region) => [
    ...(region === root ? [] : [`## ${region.key}`, '']),
    '```mermaid',
    'stateDiagram-v2',
    ...regionLines(region),
    '```',
    '',
  ]);
  return [title, '', words, '', ...pictures].join('\n');
}

function regionLines(region: StateNode): readonly string[] {
  const first = region.initial.target[0]?.key ?? '';
  const states = Object.values(region.states);
  const own = states.flatMap((state) => [
    ...arrows(state, state.key),
    ...(state.always ?? []).flatMap((one) => arrow(one, state.key)),
  ]);
  // What the region itself listens for leads out of every state that it does not already name.
  const shared = states.flatMap((state) =>
    arrows(region, state.key).filter(
      (line) => !own.includes(line) && !line.startsWith(`  ${state.key} --> ${state.key} `),
    ),
  );
  return [`  [*] --> ${first}`, ...own, ...shared];
}

function arrows(node: StateNode, from: string): readonly string[] {
  return [...node.transitions.values()]
    .flat()
    .filter(({ eventType }) => eventType !== '')
    .flatMap((one) => arrow(one, from));
}

function arrow({ eventType, target, guard }: Transition, from: string): readonly string[] {
  const to = target?.[0]?.key;
  if (to === undefined) return [];
  const words = [eventType, typeof guard === 'string' ? `[${guard}]` : ''].filter((word) => word !== '').join(' ');
  return [`  ${from} --> ${to} : ${words}`];
}
