import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage } from '../../../../hack/build/build-package.ts';
import { sources } from '@dwd/testing/program.ts';
import { flagsWithin, runtimeEnvironment } from '../../../../hack/build/runtime-flags.ts';

const root = join(import.meta.dirname, '../../../..');

/** What Gardener requests for prober and weeder; the aims are meant in a container of this size. */
const containerMiB = 256;

/** What V8 takes in that container. */
export const shippedFlags: readonly string[] = flagsWithin(containerMiB);

// The measured process is told V8's flags on its command line.
const { NODE_OPTIONS: _, ...allocator } = runtimeEnvironment;
/** What the image sets beside V8's flags. */
export const shippedEnvironment: Readonly<Record<string, string>> = allocator;

/** The value of `--program`: which of the two are measured. Throws at any other word, which would measure something else in silence. */
export function programsOf(text: string): readonly ('sources' | 'built')[] {
  return text.split(',').map((word) => {
    if (word === 'sources' || word === 'built') return word;
    throw new Error(`--program ${word}: it is sources, built, or both with a comma between`);
  });
}

/** What V8 takes by itself within 512 MiB, Gardener's limit until March 2026; on this machine it would let the garbage lie. */
const heap: readonly string[] = ['--max-old-space-size=256', '--max-semi-space-size=4'];

/** How a `StartedRole` starts the sources. */
export const asSources = { start: [...heap, sources] } as const;

/** The program as it ships, built anew into a folder that goes with it. */
export class ShippedProgram implements Disposable {
  readonly #dir = mkdtempSync(join(tmpdir(), 'dwd-shipped-'));
  /** The file to start. */
  readonly file: string = join(this.#dir, 'main.js');
  /** How a `StartedRole` starts it as the image does. */
  readonly asImage = { start: [...shippedFlags, this.file], env: shippedEnvironment } as const;

  static async build(): Promise<ShippedProgram> {
    const program = new ShippedProgram();
    await buildPackage({ root, dir: program.#dir, version: '0.0.0', commit: 'unknown' });
    return program;
  }

  [Symbol.dispose](): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
