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
