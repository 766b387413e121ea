import { electionStates } from './election-state.ts';
import type { Flow } from './flow.ts';
import { byTwoPaths, proberFlow } from './prober-flow.ts';
import { weederFlow } from './weeder-flow.ts';

const marking = dependant('apps/v1', 'Deployment', 'kube-controller-manager', 1, 0);

const twoLevels = marking + dependant('apps/v1', 'Deployment', 'machine-controller-manager', 0, 1, '2s');

/** What is scaled beside the controller-manager whose pods mark nodes: each kind of dependant that the program tells apart. */
const dependants: Readonly<Record<string, string>> = {
  'one Deployment': dependant('apps/v1', 'Deployment', 'kube-controller-manager', 0, 0),
  'two levels of Deployments': twoLevels,
  'a StatefulSet': marking + dependant('apps/v1', 'StatefulSet', 'machine-store', 0, 1),
  'a custom kind': marking + dependant('example.org/v1', 'Widget', 'widget', 0, 1),
  'an optional one that is there':
    marking + dependant('apps/v1', 'Deployment', 'cluster-autoscaler', 0, 1).replace('false', 'true'),
  'an optional one that is missing':
    marking + dependant('apps/v1', 'Deployment', 'missing-controller', 0, 1).replace('false', 'true'),
};

/** Every flow, in each state of the election. */
export const flows: readonly Flow[] = [
  ...Object.entries(dependants).flatMap(([name, yaml]) => electionStates.map((state) => proberFlow(name, yaml, state))),
  ...electionStates.map((state) => proberFlow('two levels by two paths', twoLevels, state, byTwoPaths)),
  ...electionStates.map((state) => weederFlow(state)),
];

function dependant(apiVersion: string, kind: string, name: string, down: number, up: number, delay = '0s'): string {
  return `- {ref: {apiVersion: ${apiVersion}, kind: ${kind}, name: ${name}}, optional: false, scaleUp: {level: ${up}, initialDelay: ${delay}}, scaleDown: {level: ${down}}}\n`;
}
