import type { KubeClient } from '../kube/kube-client.ts';
import { listPages, takePages } from './list-pages.ts';
import { readingShare } from './reading-share.ts';
import { machinesProbeValues } from './shoot-limits.ts';
import { pacer } from './pacer.ts';

/** Of an object, beside what is kept of its texts. */
const roughSize = 100;
const listTimeout = 30_000;

/** A seed with 250 shoots has 20 pages of pods. */
const mostSeedPages = 2_000;

type Asked = Readonly<{
  path: string;
  kind: string;
  keeps?: ReadonlySet<string>;
  labelSelector?: string;
  signal?: AbortSignal | undefined;
}>;
type Listed<Item> = Asked & Readonly<{ read: (object: unknown) => Item; rankOf?: (item: Item) => number }>;

/** Reads a list of the seed to its end. Rejects with KubeError, or ProbeFailed where it is too large. */
export async function listOnSeed<Item>(client: KubeClient, asked: Listed<Item>): Promise<readonly Item[]> {
  const { items } = await listPages({
    ...asked,
    mostValues: machinesProbeValues,
    sizeOf: () => roughSize,
    ask: pagesOf(client, asked),
  });
  return items;
}

/** Reads a list of the seed of any length, and keeps none of it, as `takePages`. */
export async function takeOnSeed<By extends Readonly<{ take(object: unknown): void }>>(
  client: KubeClient,
  asked: Asked,
  begin: () => By,
): Promise<By> {
  return await takePages({ ...asked, mostValues: Infinity, pages: mostSeedPages, ask: pagesOf(client, asked) }, begin);
}

function pagesOf(
  client: KubeClient,
  { path, labelSelector = '', signal }: Asked,
): Parameters<typeof takePages>[0]['ask'] {
  // A long list must not hold up whoever guards shoots meanwhile.
  const share = readingShare({ whose: path, mostBytes: Infinity, turn: pacer(1) });
  return async (query, take) => {
    const wanted = { ...query, ...(labelSelector === '' ? {} : { labelSelector }) };
    const request = { method: 'GET', path, query: wanted, timeout: listTimeout, ...(signal && { signal }) } as const;
    for await (const piece of client.pieces(request)) await share.read(piece, take);
  };
}
