/** A line beyond the limit: what it belongs to cannot be trusted any further. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
}

/**
 * The lines of a byte stream, decoded, without their ends; empty ones are left out, a last one without an end counts.
 * Split at bytes, so that a character which lies across two chunks is never torn. Throws LineTooLong where a line has more
 * than `longest` bytes.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const take = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > longest) throw new LineTooLong(`a line is longer than ${longest} bytes`);
    pieces.push(piece);
  };
  const line = (): string => {
    const text = Buffer.concat(pieces).toString('utf8').trim();
    pieces = [];
    length = 0;
    return text;
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      take(chunk.subarray(start, end));
      const text = line();
      if (text !== '') yield text;
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  const last = line();
  if (last !== '') yield last;
}

const newline = 0x0a;
