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
const colon = 0x3a;
const space = 0x20;
const itemsKey = ['items'];
const placeholder = Buffer.from('0');
/** Braces and brackets around a member of a member of an item, such as a Node's `metadata.labels`. Deeper ones are no longer looked at, unless `deep`. */
const lookedAt = 4;
/** Around a member of an element of such a member, such as `spec.containers[].env` of a Pod. */
const lookedAtDeep = 6;
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
  /** `keeps` holds for the members of what stands in their lists, too: what is passed over there is most of a Pod. */
  deep?: boolean | undefined;
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
  readonly #lookedAt: number;
  #taken = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inItems = false;
  #inItem = false;
  /** Within what is passed over, the braces and brackets around it. */
  #passedOver = Infinity;
  /** Roughly how many values the item has, or else the frame: keys, texts, objects and lists, and what is between commas; without what is passed over. */
  #values = 0;
  #frameValues = 0;
  #valuesBefore = 0;

  constructor(options: ListReaderOptions) {
    this.#options = options;
    this.#limits = options.limits ?? shootItem;
    this.#lookedAt = options.deep === true ? lookedAtDeep : lookedAt;
    this.#item = new BoundedBytes(this.#limits.bytes, 'an item');
  }

  /** Throws ProbeFailed where an item is no JSON, or something is above its limit. */
  feed(chunk: Buffer): void {
    // Every byte of every answer passes here. A separate loop for texts, and state in local variables, make it twice as fast.
    const length = chunk.length;
    const deepest = this.#lookedAt;
    let depth = this.#depth;
    let inString = this.#inString;
    let values = this.#values;
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
        values++;
      } else if (byte === comma) {
        values++;
      } else if (byte === openBrace || byte === openBracket) {
        if (depth <= deepest) {
          this.#values = values;
          start = this.#open(chunk, start, at - 1, depth);
          values = this.#values;
        }
        values++;
        depth++;
      } else if (byte === closeBrace || byte === closeBracket) {
        depth--;
        if (depth <= deepest) {
          this.#values = values;
          start = this.#close(chunk, start, at, depth);
          values = this.#values;
        }
      }
    }
    // The byte after a backslash is skipped, even where it has not come yet.
    this.#escaped = at > length;
    this.#depth = depth;
    this.#inString = inString;
    this.#values = values;
    if (this.#passedOver === Infinity) (this.#inItem ? this.#item : this.#frame).add(chunk, start);
  }

  /** Throws ProbeFailed where the answer was no such list, or not a whole one. */
  end(): ListEnd {
    const { kind } = this.#options;
    this.#options.count?.(this.#values);
    const frame = parsed(this.#frame.take(), 'the answer is no JSON');
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
    if (depth === 1) this.#inItems = endsWithKey(this.#frame.tail(longestKey), itemsKey);
    else if (chunk[at] === openBrace) {
      this.#inItem = true;
      this.#frameValues = this.#values;
      this.#values = 0;
    }
    return at;
  }

  #openInItem(chunk: Buffer, start: number, at: number, depth: number): number {
    const { keeps } = this.#options;
    if (keeps === undefined || depth < 3 || this.#passedOver !== Infinity) return start;
    // Four times for each lease: where the key came in this piece, nothing is copied to look at it.
    const isWhole = at >= longestKey;
    if (isWhole && isKept(chunk, keeps, depth, at)) return start;
    this.#item.add(chunk, start, at);
    if (!isWhole && isKept(this.#item.tail(longestKey), keeps, depth)) return at;
    this.#item.add(placeholder);
    this.#passedOver = depth;
    this.#valuesBefore = this.#values;
    return at;
  }

  /** A brace or bracket has closed just before `at`, and `depth` others are still open. Returns the same as `#open`. */
  #close(chunk: Buffer, start: number, at: number, depth: number): number {
    if (depth === this.#passedOver) {
      this.#passedOver = Infinity;
      this.#values = this.#valuesBefore;
      return at;
    }
    if (depth !== 2 || !this.#inItem) return start;
    this.#inItem = false;
    this.#taken++;
    this.#frame.add(placeholder);
    const most = this.#limits.values;
    if (this.#values > most) throw tooLarge(`an item has more than ${most} values`);
    this.#options.count?.(this.#values);
    this.#values = this.#frameValues;
    this.#options.take(parsed(this.#itemText(chunk, start, at), 'an item is no JSON'));
    return at;
  }

  #itemText(chunk: Buffer, start: number, end: number): string {
    if (this.#item.length === 0) return chunk.toString('utf8', start, end);
    this.#item.add(chunk, start, end);
    return this.#item.take();
  }
}

function parsed(text: string, problem: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // V8 quotes the text in its message, so that message is dropped.
    throw garbled(problem);
  }
}

/** Whether what begins at `end` is the member of such a name, or an element of a list that is. */
function isKept(bytes: Buffer, keys: Iterable<string>, depth: number, end = bytes.length): boolean {
  return endsWithKey(bytes, keys, end) || (depth > lookedAt && bytes[beforeSpace(bytes, end) - 1] !== colon);
}

/** Whether one of the keys, with its colon, is the last thing before `end`. */
function endsWithKey(bytes: Buffer, keys: Iterable<string>, end = bytes.length): boolean {
  let at = beforeSpace(bytes, end);
  if (bytes[at - 1] !== colon) return false;
  at = beforeSpace(bytes, at - 1);
  if (bytes[at - 1] !== quote) return false;
  for (const key of keys) if (isQuoted(bytes, key, at - 1)) return true;
  return false;
}

function beforeSpace(bytes: Buffer, end: number): number {
  let at = end;
  // A newline and a tabulator are below it.
  while (at > 0 && (bytes[at - 1] ?? 0) <= space) at--;
  return at;
}

/** Whether the key stands before `end`, after a quote. */
function isQuoted(bytes: Buffer, key: string, end: number): boolean {
  const start = end - key.length;
  if (bytes[start - 1] !== quote) return false;
  for (let at = 0; at < key.length; at++) if (bytes[start + at] !== key.charCodeAt(at)) return false;
  return true;
}
