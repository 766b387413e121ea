/** What `bench/growth.ts` records. */
export type Growth = Readonly<{
  intervalSeconds: number;
  /** The nodes of each shoot stay as they are. */
  byShoots: readonly GrowthPoint[];
  /** The shoots stay. */
  byNodes: readonly GrowthPoint[];
}>;

/** Measured while all shoots are healthy. */
export type GrowthPoint = Readonly<{
  shoots: number;
  nodes: number;
  /** Of CPU. */
  cores: number;
  mebibytes: number;
  /** The event loop, p99. */
  millisLate: number;
}>;
