import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

/** A directory with the programs of a real control plane. */
export type ControlPlane = Readonly<{
  /** Holds `etcd` and `kube-apiserver`. */
  directory: string;
  /** Whether it holds `kube-controller-manager` too; KUBEBUILDER_ASSETS do not. */
  hasControllerManager: boolean;
  from: 'KUBEBUILDER_ASSETS' | 'the cache' | 'the official archives' | 'a build from its Go modules';
}>;

/** The result of one way to get the programs: where they are, or a sentence that says why it failed. */
export type Way =
  | Readonly<{ found: ControlPlane }>
  /** If the operator's own choice failed, that is reported even if another way succeeds. */
  | Readonly<{ why: string; isOperators?: boolean }>;

/** No way led to the programs; the message says what was tried, and what to do. */
export class ControlPlaneMissing extends Error {
  override readonly name = 'ControlPlaneMissing';
}

export const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;

/** Those of the programs that a directory lacks. */
export function lacking(directory: string): readonly (typeof programs)[number][] {
  return programs.filter((program) => {
    try {
      const path = join(directory, program);
      accessSync(path, constants.X_OK);
      return !statSync(path).isFile();
    } catch {
      return true;
    }
  });
}
