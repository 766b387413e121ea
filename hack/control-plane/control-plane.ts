/** A directory with the programs of a real control plane. */
export type ControlPlane = Readonly<{
  /** Holds `etcd` and `kube-apiserver`. */
  directory: string;
  /** Whether it holds `kube-controller-manager` too; KUBEBUILDER_ASSETS do not. */
  hasControllerManager: boolean;
  from: 'KUBEBUILDER_ASSETS' | 'the cache' | 'the official archives' | 'a build from its Go modules';
}>;

/** Where one of the ways to the programs leads: to them, or to a sentence that says why it does not. */
export type Way =
  | Readonly<{ found: ControlPlane }>
  /** What the operator asked for and cannot be had is said, even where another way leads on. */
  | Readonly<{ why: string; isOperators?: boolean }>;

/** No way led to the programs; the message says what was tried, and what to do. */
export class ControlPlaneMissing extends Error {
  override readonly name = 'ControlPlaneMissing';
}
