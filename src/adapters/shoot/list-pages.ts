import { ListReader } from './list-reader.ts';
import { garbled, ProbeFailed, tooLarge } from './probe-failed.ts';
import type { ShootConnection } from './shoot-connection.ts';
import { longestContinue, mostItems, mostPages, pageItems } from './shoot-limits.ts';

export type ListQuestion<Item> = Readonly<{
  path: string;
  /** Of the answer: `LeaseList`. */
  kind: string;
  /** Undefined where the object cannot be one of the list's. */
  read: (object: unknown) => Item | undefined;
}>;

/**
 * Every item of a list, page by page (SPEC 4.7). Rejects with ProbeFailed. A continue token lives five minutes and dies with a compaction; a
 * list whose next page has expired is asked for once more, from its beginning.
 */
export async function listPages<Item>(
  connection: ShootConnection,
  question: ListQuestion<Item>,
): Promise<readonly Item[]> {
  for (let tries = 0; tries < 2; tries++) {
    const items = await listOnce(connection, question);
    if (items !== 'expired') return items;
  }
  throw new ProbeFailed({ reason: 'refused', detail: `the next page of the ${question.kind} expired twice` });
}

async function listOnce<Item>(
  connection: ShootConnection,
  { path, kind, read }: ListQuestion<Item>,
): Promise<readonly Item[] | 'expired'> {
  const items: Item[] = [];
  const tokens = new Set<string>();
  const take = (object: unknown): void => {
    const item = read(object);
    // No API server has nameless objects: whatever sent this, its silence on nodes must not count as an answer.
    if (item === undefined) throw garbled(`the ${kind} has an item without a usable name`);
    if (items.length === mostItems) throw tooLarge(`the ${kind} has more than ${mostItems} items`);
    items.push(item);
  };

  for (let token = ''; ;) {
    const reader = new ListReader(kind, take);
    const next = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
    try {
      await connection.get(`${path}?limit=${pageItems}${next}`, (chunk) => reader.feed(chunk));
    } catch (error) {
      if (token !== '' && error instanceof ProbeFailed && error.status === 410) return 'expired';
      throw error;
    }
    token = reader.end();
    if (token === '') return items;
    if (token.length > longestContinue || !/^[\x21-\x7e]+$/.test(token) || tokens.has(token))
      throw garbled(`the ${kind} goes on at no usable page`);
    tokens.add(token);
    if (tokens.size === mostPages) throw tooLarge(`the ${kind} has more than ${mostPages} pages`);
  }
}
