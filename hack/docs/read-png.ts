import { inflateSync } from 'node:zlib';

/** Rows of pixels from the top, three bytes each: red, green, blue. */
export type Pixels = Readonly<{ width: number; height: number; rgb: Buffer }>;

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Bytes of a pixel, by the kind of colours: plain, or with transparency. */
const pixelBytes = new Map([
  [2, 3],
  [6, 4],
]);

/** Reads a PNG as browsers write it: 8 bits a channel, not interlaced; transparency is left out. Throws on other forms. */
export function readPng(png: Buffer): Pixels {
  if (!png.subarray(0, 8).equals(pngSignature)) throw new Error('this is no PNG');
  const [width, height, bits, colours, , , interlaced] = [
    png.readUInt32BE(16),
    png.readUInt32BE(20),
    ...png.subarray(24, 29),
  ];
  const depth = pixelBytes.get(colours ?? 0);
  if (bits !== 8 || interlaced !== 0 || depth === undefined) throw new Error('this PNG is of a form that is not read');
  const parts = [...chunksOf(png)].flatMap(({ type, body }) => (type === 'IDAT' ? [body] : []));
  const bytes = unfiltered(inflateSync(Buffer.concat(parts)), width * depth, depth);
  const rgb = Buffer.alloc(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) bytes.copy(rgb, pixel * 3, pixel * depth, pixel * depth + 3);
  return { width, height, rgb };
}

function* chunksOf(png: Buffer): Generator<Readonly<{ type: string; body: Buffer }>> {
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), body: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

/** Each row begins with the number of what was taken off its bytes so that it compresses better: the byte on the left, above, or both. */
function unfiltered(raw: Buffer, rowBytes: number, depth: number): Buffer {
  const height = raw.length / (rowBytes + 1);
  const bytes = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x;
      const left = x < depth ? 0 : (bytes[at - depth] ?? 0);
      const above = bytes[at - rowBytes] ?? 0;
      const corner = x < depth ? 0 : (bytes[at - rowBytes - depth] ?? 0);
      bytes[at] = (raw[y * (rowBytes + 1) + 1 + x] ?? 0) + guess(filter, left, above, corner);
    }
  }
  return bytes;
}

function guess(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const sum = left + above - corner;
  const [byLeft, byAbove, byCorner] = [Math.abs(sum - left), Math.abs(sum - above), Math.abs(sum - corner)];
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}
