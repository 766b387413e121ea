import type { KubeObject } from './kube-object.ts';
import { objectKey } from './object-key.ts';

/** One state of one object. Its JSON is made once, however many lists and watches send it. */
export class Revision {
  readonly object: KubeObject;
  readonly key: string;
  #json: string | undefined;

  constructor(object: KubeObject, resourceVersion: number) {
    const { apiVersion, kind, ...rest } = object;
    // Kind and version lead, as Kubernetes writes them, so that a list can leave them out without a second JSON.
    this.object = {
      kind,
      apiVersion,
      ...rest,
      metadata: { ...object.metadata, resourceVersion: String(resourceVersion) },
    };
    this.key = objectKey(object.metadata.namespace, object.metadata.name);
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.object);
    return this.#json;
  }
}
