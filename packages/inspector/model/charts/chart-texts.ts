import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import { shootMachine } from 'dependency-watchdog/machines/shoot.ts';
import { weederMachine } from 'dependency-watchdog/machines/weeder.ts';
import { chartModels } from './charts.ts';

type Kind = keyof Languages;

/** The machines as XState's JSON, which Stately's editor takes: guards and actions by their names. */
export const machineJson: Readonly<Record<Kind, string>> = {
  shoot: JSON.stringify(shootMachine.config, functionNames),
  weeder: JSON.stringify(weederMachine.config, functionNames),
};

function functionNames(_key: string, value: unknown): unknown {
  return typeof value === 'function' ? { type: value.name } : value;
}

/** The chart as a state diagram of Mermaid, region beside region. A transition of all states is drawn from each of them. */
export function mermaidOf(kind: Kind): string {
  const regions = chartModels[kind].map(({ name, states, initial, arrows }) => {
    const id = (state: string) => (name === '' ? state : `${name}_${state}`);
    return [
      ...(name === '' ? [] : states.map((state) => `state "${name}: ${state}" as ${id(state)}`)),
      `[*] --> ${id(initial)}`,
      ...arrows.flatMap(({ from, to, event, guard }) =>
        (from === null ? states.filter((state) => state !== to) : [from]).map(
          (state) => `${id(state)} --> ${id(to)}: ${[event, guard].filter(Boolean).join(' · ') || 'always'}`,
        ),
      ),
    ];
  });
  return ['stateDiagram-v2', ...regions.flatMap((lines) => lines.map((line) => `  ${line}`)), ''].join('\n');
}
