/** One object of the seed as a stream keeps it: where it is, which version was seen, and what was made of it. */
export type StoredObject<Value> = Readonly<{
  /** Empty for what lives in no namespace. */
  namespace: string;
  name: string;
  resourceVersion: string;
  value: Value;
}>;

/** How a stream's store names an object. */
export function objectKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** An object that is new, or newer than `before`. */
export type Applied<Value> = Readonly<{ object: StoredObject<Value>; before: StoredObject<Value> | undefined }>;

/** An object that is no more. `resourceVersion`: of the deletion, or of the list that lacked it. */
export type Deleted = Readonly<{ namespace: string; name: string; resourceVersion: string }>;

/** What a stream tells. Failures are items, never errors: the stream goes on by itself until it is unsubscribed. */
export type StreamItem<Value> =
  /** A list is in whole: what it brought that was not known, and what it no longer holds. The store equals the list. */
  | Readonly<{
      type: 'listed';
      resourceVersion: string;
      applied: readonly Applied<Value>[];
      deleted: readonly Deleted[];
      /** Objects that were not kept, since they are too many. */
      dropped: number;
      /** The seed's history went back since the last list: whatever was known counts no more, however new it looks. */
      rewound: boolean;
    }>
  | (Readonly<{ type: 'applied' }> & Applied<Value>)
  | (Readonly<{ type: 'deleted' }> & Deleted)
  /** An object was not kept, since there are too many. */
  | Readonly<{ type: 'dropped'; namespace: string; name: string }>
  /** Nothing changed up to here. */
  | Readonly<{ type: 'advanced'; resourceVersion: string }>
  /** What is kept follows the seed from here on. */
  | Readonly<{ type: 'live' }>
  /** What is kept may be old from here on. `refused`: the seed does not let us see this kind, or does not serve it. */
  | Readonly<{ type: 'out'; refused: boolean; problem: string }>;
