import { crc32, deflateSync } from 'node:zlib';
import { pngSignature, type Pixels } from './read-png.ts';

/** As many as one byte names. */
const mostColours = 256;

/**
 * A picture as a PNG with a byte a pixel in place of three. Of more than 256 colours those stay that are used most; the others, which are the
 * edges of letters, become the nearest of them.
 */
export function palettePng({ width, height, rgb }: Pixels): Buffer {
  const pixels = Array.from({ length: width * height }, (_, pixel) => rgb.readUIntBE(pixel * 3, 3));
  const palette = coloursByUse(pixels).slice(0, mostColours);
  const indexes = new Map(palette.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((colour, pixel) => {
    let index = indexes.get(colour);
    if (index === undefined) indexes.set(colour, (index = nearest(palette, colour)));
    rows[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = index;
  });
  const colours = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, index) => colours.writeUIntBE(colour, index * 3, 3));
  return Buffer.concat([
    pngSignature,
    chunk('IHDR', header(width, height)),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function coloursByUse(pixels: readonly number[]): readonly number[] {
  const uses = new Map<number, number>();
  for (const colour of pixels) uses.set(colour, (uses.get(colour) ?? 0) + 1);
  return [...uses].toSorted(([, one], [, other]) => other - one).map(([colour]) => colour);
}

function nearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((each) => distance(each, colour));
  return distances.indexOf(Math.min(...distances));
}

function distance(one: number, other: number): number {
  return [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
}

/** 8 bits a pixel, which name colours of the palette; neither filtered nor interlaced. */
function header(width: number, height: number): Buffer {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(width, 0);
  body.writeUInt32BE(height, 4);
  body.set([8, 3, 0, 0, 0], 8);
  return body;
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(body.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
