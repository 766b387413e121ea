/** What real servers stand on. */
export type Ground = Readonly<{
  /** The directory of etcd, kube-apiserver and kube-controller-manager. */
  bin: string;
  /** For logs, journal and credentials. */
  directory: string;
  /** The URL of an etcd; each API server on it has a prefix of its own. */
  etcd: string;
}>;
