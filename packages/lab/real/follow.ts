import { makeInformer, type KubernetesObject, type ListPromise, type V1ObjectMeta } from '@kubernetes/client-node';
import type { OperatorClient } from './operator-client.ts';

/** An object as a server has it: with a name and a UID. */
export type Stored<Item extends KubernetesObject> = Item & { metadata: V1ObjectMeta & { name: string; uid: string } };

/** Hears what a collection has at first, and each change after that. */
type Listeners<Item extends KubernetesObject> = Readonly<{
  changed: (object: Stored<Item>) => void;
  deleted?: (object: Stored<Item>) => void;
}>;

/** Follows a collection until the signal comes; a watch that breaks is begun again. */
export function follow<Item extends KubernetesObject>(
  { config }: OperatorClient,
  path: string,
  list: ListPromise<Item>,
  { changed, deleted }: Listeners<Item>,
  signal: AbortSignal,
): void {
  const informer = makeInformer(config, path, list);
  // Every object that a server sends has a name and a UID.
  informer.on('add', (object) => changed(object as Stored<Item>));
  informer.on('update', (object) => changed(object as Stored<Item>));
  informer.on('delete', (object) => deleted?.(object as Stored<Item>));
  informer.on('error', (error: unknown) => {
    if (signal.aborted) return;
    process.stderr.write(`the watch on ${path} broke: ${String(error)}\n`);
    setTimeout(() => {
      if (!signal.aborted) void informer.start();
    }, 500);
  });
  signal.addEventListener('abort', () => void informer.stop());
  void informer.start();
}
