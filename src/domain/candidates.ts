/** What is kept of a shoot's Node (SPEC 5.2). */
export type NodeView = Readonly<{
  name: string;
  /** Label `worker.gardener.cloud/pool`. */
  pool?: string;
  /** Annotation `node.machine.sapcloud.io/not-managed-by-mcm` is there. */
  unmanaged: boolean;
  /** Types of the conditions that are `True`. */
  trueConditions: readonly string[];
  /** Condition `InPlaceUpdate` with reason ReadyForUpdate or UpdateFailed, whatever its status. */
  inPlaceUpdate: boolean;
}>;

/** What is kept of a Machine in the shoot's namespace (SPEC 5.2). */
export type MachineView = Readonly<{
  /** Label `node`. */
  node: string;
  /** `status.currentStatus.phase`, empty where unset. */
  phase: string;
}>;
