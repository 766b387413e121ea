import { textAt, valueAt } from '../../domain/value-at.ts';
import { BoundedBytes } from './bounded-bytes.ts';
import { garbled, tooLarge } from './probe-failed.ts';
import { frameBytes, itemBytes, itemValues } from './shoot-limits.ts';

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const comma = 0x2c;
const itemsKey = /"items"\s*:\s*$/;
const lastKey = /"(\w+)"\s*:\s*$/;
const placeholder = Buffer.from('0');
/** Braces and brackets around a member of a member of an item, such as a Node's `metadata.labels`. Deeper ones are no longer looked at. */
const lookedAt = 4;
/** More than the longest key that is kept, with what may stand between it and its value. */
const longestKey = 48;

/** What one item of a list may have. */
export type ItemLimits = Readonly<{ bytes: number; values: number }>;

/** Of the lists of a shoot. */
const shootItem: ItemLimits = { bytes: itemBytes, values: itemValues };

export type ListReaderOptions = Readonly<{
  /** That the list must have; absent where any will do. */
  kind?: string;
  /** Where it throws, `feed` throws the same. */
  take: (item: unknown) => void;
  /** The members of an item, and of those members, that are read where they are objects or lists. Absent: all. */
  keeps?: ReadonlySet<string> | undefined;
  /** Is told how many values each text has that is parsed. May throw, as `take` does. */
  count?: (values: number) => void;
  /** Those of a shoot, unless given. */
  limits?: ItemLimits;
}>;

/** `next`: the token of the next page, empty on the last one. `resourceVersion`: of the whole list. */
export type ListEnd = Readonly<{ next: string; resourceVersion: string }>;

/**
 * Takes a Kubernetes list apart while it arrives. Each element of `items` is parsed and passed on by itself; the
 * frame around them, with a 0 in place of each, is parsed at the end. So a page of any length costs the memory of one item, and no
 * long pause of the event loop. Otherwise a hundred shoots that list their nodes in the same second would hold a hundred
 * pages at once, and eight megabytes of `{},{},{}` would become a hundred and fifty megabytes of objects.
 *
 * Of an item only the parts that somebody reads are parsed; what stands in others, such as `managedFields`, is passed over
 * unread, with a 0 in its place. To look at a byte costs the same whatever it is. To parse can cost twenty times as much
 * where each few bytes are a key that was never seen before. So what is parsed is counted in values, and not in bytes alone.
 */
export class ListReader {
  readonly #options: ListReaderOptions;
  readonly #frame = new BoundedBytes(frameBytes, 'a list without its items');
  readonly #item: BoundedBytes;
  readonly #limits: ItemLimits;
  #taken = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inItems = false;
  #inItem = false;
  /** Within what is passed over, the braces and brackets around it. */
  #passedOver = Infinity;

  constructor(options: ListReaderOptions) {
    this.#options = options;
    this.#limits = options.limits ?? shootItem;
    this.#item = new BoundedBytes(this.#limits.bytes, 'an item');
  }

  /** Throws ProbeFailed where an item is no JSON, or something is above its limit. */
  feed(chunk: Buffer): void {
    // Every byte of every answer passes here. A separate loop for texts, and state in local variables, make it twice as fast.
    const length = chunk.length;
    let depth = this.#depth;
    let inString = this.#inString;
    let start = 0;
    let at = this.#escaped ? 1 : 0;
    while (at < length) {
      if (inString) {
        while (at < length) {
          const byte = chunk[at++];
          if (byte === quote) {
            inString = false;
            break;
          }
          if (byte === backslash) at++;
        }
        continue;
      }
      const byte = chunk[at++];
      if (byte === quote) {
        inString = true;
      } else if (byte === openBrace || byte === openBracket) {
        if (depth <= lookedAt) start = this.#open(chunk, start, at - 1, depth);
        depth++;
      } else if (byte === closeBrace || byte === closeBracket) {
        depth--;
        if (depth <= lookedAt) start = this.#close(chunk, start, at, depth);
      }
    }
    // The byte after a backslash is skipped, even where it has not come yet.
    this.#escaped = at > length;
    this.#depth = depth;
    this.#inString = inString;
    if (this.#passedOver === Infinity) (this.#inItem ? this.#item : this.#frame).add(chunk, start);
  }

  /** Throws ProbeFailed where the answer was no such list, or not a whole one. */
  end(): ListEnd {
    const { kind } = this.#options;
    const frame = this.#parsed(this.#frame.take(), 'the answer is no JSON', Infinity);
    if (kind !== undefined && valueAt(frame, 'kind') !== kind) throw garbled(`the answer is no ${kind}`);
    // Go writes a list as null where the server never filled it.
    const items = valueAt(frame, 'items') === null ? [] : valueAt(frame, 'items');
    if (!Array.isArray(items) || items.length !== this.#taken)
      throw garbled(`the ${kind ?? 'answer'} has no list of objects`);
    return {
      next: textAt(frame, 'metadata', 'continue'),
      resourceVersion: textAt(frame, 'metadata', 'resourceVersion'),
    };
  }

  /** A brace or bracket opens within `depth` others. Returns where the bytes begin that are not stored yet. */
  #open(chunk: Buffer, start: number, at: number, depth: number): number {
    if (this.#inItem) return this.#openInItem(chunk, start, at, depth);
    if (depth === 0 || depth > 2 || (depth === 2 && !this.#inItems)) return start;
    this.#frame.add(chunk, start, at);
    if (depth === 1) this.#inItems = itemsKey.test(this.#frame.tail(32));
    else this.#inItem = chunk[at] === openBrace;
    return at;
  }

  #openInItem(chunk: Buffer, start: number, at: number, depth: number): number {
    const { keeps } = this.#options;
    if (keeps === undefined || depth < 3 || this.#passedOver !== Infinity) return start;
    this.#item.add(chunk, start, at);
    const key = lastKey.exec(this.#item.tail(longestKey))?.[1];
    if (key !== undefined && keeps.has(key)) return at;
    this.#item.add(placeholder);
    this.#passedOver = depth;
    return at;
  }

  /** A brace or bracket has closed just before `at`, and `depth` others are still open. Returns the same as `#open`. */
  #close(chunk: Buffer, start: number, at: number, depth: number): number {
    if (depth === this.#passedOver) {
      this.#passedOver = Infinity;
      return at;
    }
    if (depth !== 2 || !this.#inItem) return start;
    this.#inItem = false;
    this.#taken++;
    this.#frame.add(placeholder);
    this.#options.take(this.#parsed(this.#itemText(chunk, start, at), 'an item is no JSON', this.#limits.values));
    return at;
  }

  #itemText(chunk: Buffer, start: number, end: number): string {
    if (this.#item.length === 0) return chunk.toString('utf8', start, end);
    this.#item.add(chunk, start, end);
    return this.#item.take();
  }

  #parsed(text: string, problem: string, most: number): unknown {
    const { count } = this.#options;
    if (count !== undefined || most !== Infinity) {
      const values = valuesIn(text);
      if (values > most) throw tooLarge(`an item has more than ${most} values`);
      count?.(values);
    }
    try {
      return JSON.parse(text);
    } catch {
      // V8 quotes the text in its message, so that message is dropped.
      throw garbled(problem);
    }
  }
}

/** Roughly how many values a JSON text has: keys, texts, objects and lists, and what is between commas. */
function valuesIn(json: string): number {
  let values = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (inString) {
      if (code === backslash) at++;
      else if (code === quote) inString = false;
    } else if (code === quote) {
      inString = true;
      values++;
    } else if (code === comma || code === openBrace || code === openBracket) values++;
  }
  return values;
}
