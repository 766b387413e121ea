/** Which clusters the scenarios are played on. */
export const providerNames = ['local', 'kubeconfig', 'kind', 'node'] as const;
export type ProviderName = (typeof providerNames)[number];

/** What the scenarios need to know of their clusters. All of it can be passed to another process. */
export type Clusters = Readonly<{
  /** A kubeconfig file of an administrator of the cluster that is the seed. */
  seed: string;
  /** The same for each cluster that a shoot can be in; the scenarios are spread over them. It may be the seed itself. */
  shoots: readonly string[];
  /** Whether real controllers make pods of Deployments and StatefulSets; if not, the test plays them. */
  runsControllers: boolean;
  /** For the one who reads the output: `kube-apiserver v1.36.3, two for shoots`. */
  account: string;
}>;

/** A place to play the scenarios. */
export interface Provider {
  readonly name: ProviderName;
  /**
   * Brings the clusters up, or finds them; `directory` takes files and logs. Rejects with a sentence that says what to do
   * where it cannot, and leaves nothing behind then.
   */
  start(directory: string, say: (line: string) => void): Promise<Clusters>;
  /** Ends what `start` began, and only that. */
  stop(): Promise<void>;
}
