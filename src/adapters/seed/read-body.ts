/** The text of a body, or its beginning: `cutShort` says that it goes on beyond `largest` bytes, and the rest is not read. */
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
