/** The kubelets of a real shoot, which reach its API server by a way that may break. */
export interface Kubelets {
  /** Of the nodes whose kubelets run. */
  readonly names: readonly string[];
  /** Renewals that failed, by when that was known. The kubelet tries again. */
  readonly failures: readonly Readonly<{ at: number; error: unknown }>[];
  /** A machine comes up. Resolves once its kubelet runs, whether or not it reaches the API server. A played one renews within 10 s after `from`. */
  start(name: string, from?: number): Promise<void>;
  /** The machine is gone, and its kubelet with it; what it left in the API server stays. */
  end(name: string): Promise<void>;
  /** It stands still: it is there, and says nothing, until it goes on. */
  halt(name: string): void;
  resume(name: string): void;
  /** Whether each has joined and renewed its lease since. */
  haveRenewed(): Promise<boolean>;
  /** Ends all of them for good. */
  stop(): Promise<void>;
}
