import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A bundle lies in one folder, and this file with it. */
const ownFolder = dirname(fileURLToPath(import.meta.url));

/** Kept once it was read: a bug that meets all shoots at once must not cost a map's reading for each. */
const maps = new Map<string, SourceMap | undefined>();

/**
 * A trace of the bundle with the lines that were written in place of the bundle's; any other text as it is. Node could do this by itself, and would for
 * each error whose trace is asked for. Its own streams ask for that of each error that ends them, so a seed that is away would cost CPU, and 15 MiB for the maps.
 */
export function writtenTrace(trace: string, folder = ownFolder): string {
  return trace.replaceAll(
    /file:\/\/\S*\/([\w.-]+\.js):(\d+):(\d+)/g,
    (place: string, file: string, ...at: string[]) => {
      const origin = mapOf(`${folder}/${file}.map`)?.findOrigin(Number(at[0]), Number(at[1]));
      return origin !== undefined && 'fileName' in origin
        ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
        : place;
    },
  );
}

function mapOf(path: string): SourceMap | undefined {
  if (!maps.has(path)) maps.set(path, read(path));
  return maps.get(path);
}

/** Undefined where there is none: the sources have no maps. */
function read(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
