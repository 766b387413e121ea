import { isAbsolute, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import type { BuildOrder } from './build-package.ts';
import { oneByteTexts } from './one-byte-texts.ts';
import { leanClientNode, leanHttp, leanUndici } from './lean-imports.ts';

/** The file to start, in the folder of a build. */
export const programFile = 'main.js';

/**
 * Bundles the program with all that it needs: one file to start, and chunks, so that a command loads only what it needs. Each file has a
 * source map. Returns the files of which something is in the bundle.
 */
export async function bundleProgram({ root, dir, version, commit }: BuildOrder): Promise<readonly string[]> {
  const bundle = await rolldown({
    input: join(root, 'src/main.ts'),
    cwd: root,
    platform: 'node',
    plugins: [leanHttp, leanClientNode, leanUndici, oneByteTexts],
    // Of client-node we use one class. Its package does not say that its other files can be left out, and they are nine tenths of it.
    treeshake: { moduleSideEffects: (id) => !id.includes('/@kubernetes/client-node/') },
    transform: {
      define: {
        // src/commands/build.ts asks for these.
        bakedVersion: JSON.stringify(version),
        bakedCommit: JSON.stringify(commit),
        // undici leaves out its experimental second parser of HTTP then, as in Node itself: 165 KB.
        esbuildDetection: 'true',
      },
    },
  });
  try {
    const { output } = await bundle.write({
      dir,
      format: 'esm',
      minify: true,
      entryFileNames: programFile,
      chunkFileNames: '[name]-[hash].js',
      banner: ({ isEntry }) => (isEntry ? '#!/usr/bin/env node' : ''),
      sourcemap: true,
      // The lines are what a stack trace needs; the texts are in the repository.
      sourcemapExcludeSources: true,
      sourcemapPathTransform: (source, map) => pathFrom(root, join(map, '..', source)),
    });
    return output.flatMap((file) =>
      file.type === 'chunk' ? Object.entries(file.modules).flatMap(([id, { code }]) => (code ? [id] : [])) : [],
    );
  } finally {
    await bundle.close();
  }
}

/** `src/main.ts`, wherever the build was written to: a map names no path of the machine. */
function pathFrom(root: string, path: string): string {
  const inside = relative(root, path);
  if (inside.startsWith('..') || isAbsolute(inside)) throw new Error(`${path} is not in the checkout`);
  return inside.split(sep).join('/');
}
