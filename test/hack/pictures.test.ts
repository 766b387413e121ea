import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { palettePng } from '../../hack/docs/palette-png.ts';
import { mostBytes, pictureFaults } from '../../hack/docs/pictures.ts';
import { readPng } from '../../hack/docs/read-png.ts';

describe('the pictures of docs/inspector.md and README.md', () => {
  test('are there, are small, and are shown', () => {
    expect(pictureFaults(join(import.meta.dirname, '../..'))).toEqual([]);
  });

  test('one that is missing, too large, or shown nowhere is named', () => {
    const root = mkdtempSync(join(tmpdir(), 'dwd-pictures-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    mkdirSync(join(root, 'docs/inspector'), { recursive: true });
    writeFileSync(join(root, 'docs/inspector.md'), '![the seed](inspector/seed.png)\n');
    for (const [name, bytes] of [
      ['seed', mostBytes + 1],
      ['turn', mostBytes],
    ] as const)
      writeFileSync(join(root, `docs/inspector/${name}.png`), Buffer.alloc(bytes));
    const faults = pictureFaults(root);
    expect(faults).toContain('docs/inspector/night.png is missing: npm run docs -- --pictures takes it');
    expect(faults).toContain('docs/simulator/outage.svg is missing: npm run docs -- --pictures takes it');
    expect(faults.filter((fault) => /seed|turn/.test(fault))).toEqual([
      `docs/inspector/seed.png has ${mostBytes + 1} bytes, more than ${mostBytes}`,
      'docs/inspector.md does not show inspector/turn.png',
    ]);
  });
});

/** 5 by 4 pixels as browsers write them, each row filtered in another way: the one at column x and row y is red 10x, green 20y, blue 200. */
const browsers = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAECAYAAABGM/VAAAAAKElEQVR4nGNkYDjxn4uBgQEZMzGIMDCgY2YGuZQGVi4GBmTMApZFAwDgkAOwhedTsAAAAABJRU5ErkJggg==',
  'base64',
);
const colours = Array.from({ length: 20 }, (_, pixel) => [10 * (pixel % 5), 20 * Math.floor(pixel / 5), 200]);

/** The colours of the pixels of a PNG with a palette, in rows that are not filtered. */
function coloursOf(png: Buffer): readonly (readonly number[])[] {
  const width = png.readUInt32BE(16);
  const palette = png.subarray(41, 41 + png.readUInt32BE(33));
  const data = 41 + palette.length + 4;
  const rows = inflateSync(png.subarray(data + 8, data + 8 + png.readUInt32BE(data)));
  return [...rows]
    .filter((_, at) => at % (width + 1) !== 0)
    .map((index) => [...palette.subarray(index * 3, index * 3 + 3)]);
}

describe('a small PNG', () => {
  test('has the pixels that the browser’s has', () => {
    expect(readPng(browsers)).toEqual({ width: 5, height: 4, rgb: Buffer.from(colours.flat()) });
    expect(coloursOf(palettePng(readPng(browsers)))).toEqual(colours);
  });

  test('has the nearest of the 256 most used colours where there are more', () => {
    // 256 greys and blues twice each, and a shade that is nearly one of them.
    const used = Array.from({ length: 256 }, (_, index) => [index, index, index % 2 === 0 ? index : 255]);
    const rgb = Buffer.from([...used, ...used, [100, 101, 100], [0, 1, 0]].flat());
    const small = coloursOf(palettePng({ width: 257, height: 2, rgb }));
    expect(small.slice(0, 512)).toEqual([...used, ...used]);
    expect(small.slice(512)).toEqual([
      [100, 100, 100],
      [0, 0, 0],
    ]);
  });

  test.each([
    ['no PNG', Buffer.alloc(40)],
    ['another form', palettePng(readPng(browsers))],
  ])('is not made of %s', (_, png) => {
    expect(() => readPng(png)).toThrow(/this is no PNG|this PNG is of a form/);
  });
});
