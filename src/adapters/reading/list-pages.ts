import { ListReader } from './list-reader.ts';
import { garbled, ProbeFailed, tooLarge } from './probe-failed.ts';
import { keptCharacters, longestContinue, mostItems, mostPages, pageItems } from './shoot-limits.ts';

/** The query of one page; `continue` is not encoded yet. */
type PageQuery = Readonly<{ limit: string; continue?: string }>;

export type ListQuestion<Item> = Readonly<{
  /** The kind of the answer: `LeaseList`. */
  kind: string;
  /** Undefined where the object cannot be an item of the list. */
  read: (object: unknown) => Item | undefined;
  /** As of ListReader. */
  keeps: ReadonlySet<string>;
  /** Values that may be parsed, in all items together. */
  mostValues: number;
  /** Roughly how many characters the item holds. */
  sizeOf: (item: Item) => number;
  /** Asks for a page, and passes its body to `take`, which may throw. Where the server refuses, it rejects with an error that has the `status`. */
  ask: (query: PageQuery, take: (piece: Buffer) => void) => Promise<void>;
}>;

/**
 * Reads every item of a list, page by page (SPEC 4.7). Rejects with ProbeFailed, or as `ask` does. A continue token is valid for five
 * minutes, or until a compaction. A list whose next page has expired is asked for once more, from its beginning.
 */
export async function listPages<Item>(question: ListQuestion<Item>): Promise<readonly Item[]> {
  for (let tries = 0; tries < 2; tries++) {
    const items = await listOnce(question);
    if (items !== 'expired') return items;
  }
  throw new ProbeFailed({ reason: 'refused', detail: `the next page of the ${question.kind} expired twice` });
}

async function listOnce<Item>(question: ListQuestion<Item>): Promise<readonly Item[] | 'expired'> {
  const { kind, keeps, mostValues, read, sizeOf, ask } = question;
  const items: Item[] = [];
  const tokens = new Set<string>();
  let kept = 0;
  let parsed = 0;
  const take = (object: unknown): void => {
    const item = read(object);
    // No API server has objects without a name. So this came from something else, which must not count as an answer without nodes.
    if (item === undefined) throw garbled(`the ${kind} has an item without a usable name`);
    if (items.length === mostItems) throw tooLarge(`the ${kind} has more than ${mostItems} items`);
    kept += sizeOf(item);
    if (kept > keptCharacters)
      throw tooLarge(`the names and conditions in the ${kind} have more than ${keptCharacters} characters`);
    items.push(item);
  };
  const count = (values: number): void => {
    parsed += values;
    if (parsed > mostValues) throw tooLarge(`the ${kind} has more than ${mostValues} values`);
  };

  for (let token = ''; ;) {
    const reader = new ListReader({ kind, take, keeps, count });
    try {
      await ask({ limit: String(pageItems), ...(token === '' ? {} : { continue: token }) }, (piece) =>
        reader.feed(piece),
      );
    } catch (error) {
      if (token !== '' && error instanceof Error && 'status' in error && error.status === 410) return 'expired';
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
