/** One object of the seed as a stream keeps it: where it is, which version was seen, and what was made of it. */
export type KeptObject<Value> = Readonly<{
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
