import { ListReader } from './list-reader.ts';
import { garbled, ProbeFailed, tooLarge } from './probe-failed.ts';
import { keptCharacters, longestContinue, mostItems, mostPages, pageItems } from './shoot-limits.ts';

/** The query of one page, or, without a limit, of all; `continue` is not encoded yet. */
type PageQuery = Readonly<{ limit?: string; continue?: string }>;

type PagesQuestion = Readonly<{
  /** The kind of the answer: `LeaseList`. */
  kind: string;
  /** As of ListReader. */
  keeps?: ReadonlySet<string>;
  /** Values that may be parsed, in all items together. */
  mostValues: number;
  /** Those of a shoot's list, unless given. */
  pages?: number;
  /** Asks for a page, and passes its body to `take`, which may throw. Where the server refuses, it rejects with an error that has the `status`, and the token that came with a 410 as `next`. */
  ask: (query: PageQuery, take: (piece: Buffer) => void) => Promise<void>;
}>;

export type ListQuestion<Item> = PagesQuestion &
  Readonly<{
    /** Undefined where the object cannot be an item of the list. */
    read: (object: unknown) => Item | undefined;
    /** Roughly how many characters the item holds. */
    sizeOf: (item: Item) => number;
    /** Where there are more items than are kept, those with the greatest rank are. Absent: then the list is too large. */
    rankOf?: (item: Item) => number;
  }>;

/** `leftOut`: how many items are not kept, since there were too many. */
export type ListAnswer<Item> = Readonly<{ items: readonly Item[]; leftOut: number }>;

/** Takes the objects of a list one by one. */
type Taker = Readonly<{ take(object: unknown): void }>;

/**
 * Reads a list page by page (SPEC 4.7). Rejects with ProbeFailed, or as `ask` does. A continue token is valid for five
 * minutes, or until a compaction. A page that has expired is asked for by the token that comes with the refusal, as it is now; what tells
 * of the present does not need all pages of one version. Without such a token, all is asked for in one.
 */
export async function listPages<Item>(question: ListQuestion<Item>): Promise<ListAnswer<Item>> {
  return (await takePages(question, () => keptItems(question))).answer();
}

/** The same for a list of any length, of which no item is kept. `begin`: who takes its objects; another one if the list is asked for once more. */
export async function takePages<By extends Taker>(question: PagesQuestion, begin: () => By): Promise<By> {
  for (const inOne of [false, true]) {
    const taker = begin();
    if ((await takeOnce(question, taker, inOne)) === 'whole') return taker;
  }
  throw new ProbeFailed({ reason: 'refused', detail: `the ${question.kind} goes on where it was asked for in one` });
}

async function takeOnce(question: PagesQuestion, { take }: Taker, inOne: boolean): Promise<'whole' | 'expired'> {
  const { kind, keeps, mostValues, pages = mostPages, ask } = question;
  const tokens = new Set<string>();
  let parsed = 0;
  const count = (values: number): void => {
    parsed += values;
    if (parsed > mostValues) throw tooLarge(`the ${kind} has more than ${mostValues} values`);
  };
  const isUsable = (token: string): boolean =>
    token.length <= longestContinue && /^[\x21-\x7e]+$/.test(token) && !tokens.has(token);

  for (let token = ''; ;) {
    const reader = new ListReader({ kind, take, count, ...(keeps && { keeps }) });
    const limit = inOne ? {} : { limit: String(pageItems) };
    let next: string | undefined;
    try {
      await ask({ ...limit, ...(token === '' ? {} : { continue: token }) }, (piece) => reader.feed(piece));
    } catch (error) {
      next = token === '' ? undefined : tokenOf(error);
      if (next === undefined) throw error;
      if (!isUsable(next)) return 'expired';
    }
    next ??= reader.end().next;
    if (next === '') return 'whole';
    if (inOne) return 'expired';
    if (!isUsable(next)) throw garbled(`the ${kind} goes on at no usable page`);
    token = next;
    tokens.add(token);
    if (tokens.size === pages) throw tooLarge(`the ${kind} has more than ${pages} pages`);
  }
}

/** Of a 410 the token that came with it, empty where none did; undefined for every other error. */
function tokenOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'status' in error && error.status === 410)) return undefined;
  return 'next' in error && typeof error.next === 'string' ? error.next : '';
}

/** Keeps items up to the limits of a shoot. If they have a rank, twice as many are held before the lowest are dropped: sorting for each item would be slow. */
function keptItems<Item>({ kind, read, sizeOf, rankOf }: ListQuestion<Item>): {
  take(object: unknown): void;
  answer(): ListAnswer<Item>;
} {
  const slack = rankOf === undefined ? 1 : 2;
  let items: Item[] = [];
  let characters = 0;
  let leftOut = 0;

  const isBeyond = (times: number): boolean => items.length > times * mostItems || characters > times * keptCharacters;

  function leaveOut(rank: (item: Item) => number): void {
    const all = items;
    characters = 0;
    const best = new Set<Item>();
    for (const item of all.toSorted((a, b) => rank(b) - rank(a))) {
      if (best.size === mostItems || characters + sizeOf(item) > keptCharacters) break;
      characters += sizeOf(item);
      best.add(item);
    }
    // In the order of the server, which the next answer has as well.
    items = all.filter((item) => best.has(item));
    leftOut += all.length - items.length;
  }

  return {
    take(object) {
      const item = read(object);
      // No API server has objects without a name. So this came from something else, which must not count as an answer without nodes.
      if (item === undefined) throw garbled(`the ${kind} has an item without a usable name`);
      items.push(item);
      characters += sizeOf(item);
      if (!isBeyond(slack)) return;
      if (rankOf !== undefined) leaveOut(rankOf);
      else if (items.length > mostItems) throw tooLarge(`the ${kind} has more than ${mostItems} items`);
      else throw tooLarge(`the names and conditions in the ${kind} have more than ${keptCharacters} characters`);
    },
    answer() {
      if (rankOf !== undefined && isBeyond(1)) leaveOut(rankOf);
      return { items, leftOut };
    },
  };
}
