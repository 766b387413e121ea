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
        if (file.map)
          file.map.mappings = encode(
            decode(file.map.mappings).map((segments, line) => {
              const wide = [...(lines[line] ?? '').matchAll(wideCharacters)].map(({ index }) => index);
              return segments.map(
                ([column, ...rest]) =>
                  [column + 5 * wide.filter((at) => at < column).length, ...rest] as (typeof segments)[number],
              );
            }),
          );
        file.code = lines.map((line) => line.replaceAll(wideCharacters, escaped)).join('\n');
      }
    },
  },
};

/** UTF-16 units: a character beyond them is two escapes. */
const wideCharacters = /[\u0100-\uffff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
