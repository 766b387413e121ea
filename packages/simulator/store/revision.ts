import type { JsonObject, KubeObject } from './kube-object.ts';

/** `namespace/name`, or the bare name of what lives in no namespace: as etcd orders them. */
export function objectKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** The run of sorted keys that lie in a namespace; all of them where it is empty. */
export function keysWithin(sortedKeys: readonly string[], namespace: string): readonly string[] {
  if (namespace === '') return sortedKeys;
  const start = firstNotBefore(sortedKeys, `${namespace}/`);
  // The slash's successor ends the namespace.
  return sortedKeys.slice(start, firstNotBefore(sortedKeys, `${namespace}0`));
}

/** Where a sorted list of keys reaches `bound`. */
export function firstNotBefore(sortedKeys: readonly string[], bound: string): number {
  let low = 0;
  let high = sortedKeys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sortedKeys[middle] ?? '') < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One state of one object. Its JSON is made once, however many lists and watches send it. */
export class Revision {
  readonly object: KubeObject;
  readonly key: string;
  #json: string | undefined;

  constructor(object: KubeObject, resourceVersion: number) {
    // Kind and version lead, as Kubernetes writes them, so that a list can leave them out without a second JSON.
    const lead: JsonObject = { kind: object.kind, apiVersion: object.apiVersion };
    this.object = {
      ...lead,
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(resourceVersion) },
    };
    this.key = objectKey(object.metadata.namespace, object.metadata.name);
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.object);
    return this.#json;
  }
}
