import { tracedMachine } from '@dwd/inspector/model/explanation/traced-machine.ts';
import { pureMachines, type Languages } from 'dependency-watchdog/machines/kinds.ts';
import { shootMachine } from 'dependency-watchdog/machines/shoot.ts';
import { weederMachine } from 'dependency-watchdog/machines/weeder.ts';
import type { Observation } from '../observation.ts';

const machines = { shoot: shootMachine, weeder: weederMachine } as const;

/** Turns that look alike are taken again so often, and from then on one in so many: what a guard saw may differ. */
const looks = 5;
const oneIn = 50;

/** What lives have seen of the charts, by name: transitions that were taken, and answers of guards. Plain data, since workers send it. */
export type ChartSeen = Record<string, number>;

const traced = {
  shoot: tracedMachine<Languages['shoot']>(shootMachine),
  weeder: tracedMachine<Languages['weeder']>(weederMachine),
};

/** Takes turns again on a twin of the chart that tells which transitions were enabled and what their guards answered. */
export function watchCharts(seen: ChartSeen): (observation: Observation) => void {
  const alike = new Map<string, number>();
  return (observation) => {
    if (observation.kind !== 'turn') return;
    const { kind, event, before, after, commands } = observation.turn;
    if (event.type === 'started' || event.type === 'ended' || before === undefined || after === undefined) return;
    const look = [kind, event.type, before.value, after.value, commands.map(({ type }) => type)];
    const key = JSON.stringify(look);
    const times = (alike.get(key) ?? 0) + 1;
    alike.set(key, times);
    if (times > looks && times % oneIn !== 0) return;
    const trace = traced[kind] as (typeof traced)['shoot'];
    const { asked, taken } = trace(before as never, event as never);
    for (const { state, event: on, index } of taken) count(seen, transitionName(kind, state, on, index));
    for (const { guard, answer } of asked) count(seen, guardName(kind, guard, answer));
  };
}

/** All that there is to be seen. */
export const chartNames: Readonly<{ transitions: readonly string[]; guards: readonly string[] }> = {
  transitions: kindsOfMachines().flatMap((kind) => [...transitionsOf(kind, machines[kind].config as Node, '')]),
  guards: kindsOfMachines().flatMap((kind) =>
    guardsOf(machines[kind].config as Node)
      .toSorted()
      .flatMap((guard) => [guardName(kind, guard, true), guardName(kind, guard, false)]),
  ),
};

/** How much of the charts was seen, and what was not. */
export function chartLines(seen: Readonly<ChartSeen>): readonly string[] {
  return (['transitions', 'guards'] as const).flatMap((what) => {
    const missing = chartNames[what].filter((name) => seen[name] === undefined);
    const all = chartNames[what].length;
    const words = what === 'transitions' ? 'transitions of the charts taken' : 'answers of guards seen';
    return [`${words}: ${all - missing.length} of ${all}`, ...missing.map((name) => `     never  ${name}`)];
  });
}

type Transition = Readonly<{ guard?: string }>;
type Node = Readonly<{
  on?: Readonly<Record<string, Transition | readonly Transition[] | string>>;
  always?: Transition | readonly Transition[];
  states?: Readonly<Record<string, Node>>;
}>;

function kindsOfMachines(): readonly (keyof typeof machines)[] {
  return Object.keys(pureMachines) as (keyof typeof machines)[];
}

function* transitionsOf(kind: string, { on = {}, always, states = {} }: Node, path: string): Generator<string> {
  for (const [event, of] of Object.entries({ ...on, ...(always === undefined ? {} : { '': always }) }))
    for (const index of (Array.isArray(of) ? of : [of]).keys()) yield transitionName(kind, path, event, index);
  for (const [name, child] of Object.entries(states))
    yield* transitionsOf(kind, child, path === '' ? name : `${path}.${name}`);
}

function guardsOf({ on = {}, always, states = {} }: Node): string[] {
  const own = [...Object.values(on), ...(always === undefined ? [] : [always])]
    .flatMap((of) => of)
    .flatMap((one) => (typeof one === 'string' || one.guard === undefined ? [] : [one.guard]));
  return [...new Set([...own, ...Object.values(states).flatMap(guardsOf)])];
}

function transitionName(kind: string, state: string, event: string, index: number): string {
  return `${kind} ${state || 'anywhere'}, ${event || 'always'} (${index + 1})`;
}

function guardName(kind: string, guard: string, answer: boolean): string {
  return `${kind} ${guard}: ${answer ? 'yes' : 'no'}`;
}

function count(seen: ChartSeen, name: string): void {
  seen[name] = (seen[name] ?? 0) + 1;
}
