const newline = 0x0a;

/**
 * The lines of a byte stream, decoded, each with its line break, which the last one may lack. The stream is split as bytes, so that a
 * character which lies across two chunks stays whole. Throws the error of `tooLong` where a line has more than `longest` bytes.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  longest: number,
  tooLong: () => Error,
): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const take = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > longest) throw tooLong();
    pieces.push(piece);
  };
  const line = (): string => {
    const text = Buffer.concat(pieces).toString('utf8');
    pieces = [];
    length = 0;
    return text;
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      take(chunk.subarray(start, end + 1));
      yield line();
      start = end + 1;
    }
    if (start < chunk.length) take(chunk.subarray(start));
  }
  if (length > 0) yield line();
}

/** The text of a body, or its beginning: with `cutShort` it has more than `largest` bytes, and the rest is not read. */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  largest: number,
): Promise<Readonly<{ text: string; cutShort: boolean }>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let cutShort = false;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    cutShort = length > largest;
    if (cutShort) break;
  }
  return { text: Buffer.concat(chunks).toString('utf8'), cutShort };
}
