import type { MachineView } from './candidates.ts';
import { longestName } from '../longest-texts.ts';
import { textAt } from '../value-at.ts';

/** The machine-controller-manager's longest, InPlaceUpdateSuccessful, has 23 characters. What is longer is none that is known, and says as little as an empty one. */
const longestPhase = 63;

/**
 * Keeps of a Machine of `machine.sapcloud.io/v1alpha1` what makes its node a candidate (SPEC 5.2). Undefined where it
 * names no node: a machine that has not joined yet, or never will; or one that no node can have.
 */
export function readMachine(object: unknown): MachineView | undefined {
  const node = textAt(object, 'metadata', 'labels', 'node');
  if (node === '' || node.length > longestName) return undefined;
  const phase = textAt(object, 'status', 'currentStatus', 'phase');
  return { node, phase: phase.length > longestPhase ? '' : phase };
}
