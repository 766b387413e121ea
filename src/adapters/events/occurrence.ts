/** Something that happened to an object of the seed, as a Kubernetes event tells it (SPEC 9.5). */
export type Occurrence = Readonly<{
  namespace: string;
  ref: Readonly<{ apiVersion: string; kind: string; name: string }>;
  /** Of the object; absent where only its name is known. */
  uid?: string;
  type: 'Normal' | 'Warning';
  reason:
    | 'ScaledDown'
    | 'ScaledUp'
    | 'ScalingFailed'
    | 'ScalingTimedOut'
    | 'ReplicasRecordUnreadable'
    | 'Weeded'
    | 'WeedingFailed';
  message: string;
}>;
