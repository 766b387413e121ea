import type { KubeClient } from '../../adapters/kube/kube-client.ts';
import { listPages } from '../../adapters/reading/list-pages.ts';
import { machinesProbeValues } from '../../adapters/reading/shoot-limits.ts';

/** Of an object, beside what is kept of its texts. */
const roughSize = 100;
const listTimeout = 30_000;

type Listed<Item> = Readonly<{
  path: string;
  kind: string;
  keeps?: ReadonlySet<string>;
  labelSelector: string;
  read: (object: unknown) => Item;
  rankOf?: (item: Item) => number;
}>;

/** Reads a list of the seed to its end. Rejects with KubeError, or ProbeFailed where it is too large. */
export async function listOnSeed<Item>(
  client: KubeClient,
  { path, labelSelector, ...asked }: Listed<Item>,
): Promise<readonly Item[]> {
  const { items } = await listPages({
    ...asked,
    mostValues: machinesProbeValues,
    sizeOf: () => roughSize,
    ask: async (query, take) => {
      const wanted = { ...query, ...(labelSelector === '' ? {} : { labelSelector }) };
      for await (const piece of client.pieces({ method: 'GET', path, query: wanted, timeout: listTimeout }))
        take(piece);
    },
  });
  return items;
}
