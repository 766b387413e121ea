import type { MachineView } from './candidates.ts';
import { textAt } from './value-at.ts';

/**
 * Keeps of a Machine of `machine.sapcloud.io/v1alpha1` what makes its node a candidate (SPEC 5.2). Undefined where it
 * names no node: a machine that has not joined yet, or never will.
 */
export function readMachine(object: unknown): MachineView | undefined {
  const node = textAt(object, 'metadata', 'labels', 'node');
  return node === '' ? undefined : { node, phase: textAt(object, 'status', 'currentStatus', 'phase') };
}
