import { decode, encode } from '@jridgewell/sourcemap-codec';
import type { Plugin } from 'rolldown';

/**
 * Writes each character that is not Latin-1 as an escape. V8 keeps the text of a file for as long as it runs, two bytes for each character
 * of a file that has a single such one: 1 MiB more. They stand in texts and patterns only, where an escape means the same. Minified code has no other lines than
 * these.
 */
export const oneByteTexts: Plugin = {
  name: 'one-byte-texts',
  generateBundle: {
    order: 'post',
    handler: (_, bundle) => {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const lines = file.code.split('\n');
        const map = bundle[file.sourcemapFileName ?? ''];
        // It is a file of its own by now: `file.map` comes too late.
        if (map?.type === 'asset') map.source = inStep(String(map.source), lines);
        file.code = lines.map((line) => line.replaceAll(wideCharacters, escaped)).join('\n');
      }
    },
  },
};

/** The map of a file that had these lines, with each column behind the escapes before it. */
function inStep(source: string, lines: readonly string[]): string {
  const map = JSON.parse(source) as { mappings: string };
  const mappings = decode(map.mappings).map((segments, line) => {
    const wide = [...(lines[line] ?? '').matchAll(wideCharacters)].map(({ index }) => index);
    return segments.map(
      ([column, ...rest]) =>
        [column + 5 * wide.filter((at) => at < column).length, ...rest] as (typeof segments)[number],
    );
  });
  return JSON.stringify({ ...map, mappings: encode(mappings) });
}

/** UTF-16 units: a character beyond them is two escapes. */
const wideCharacters = /[\u0100-\uffff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
