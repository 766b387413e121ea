import { join } from 'node:path';
import process from 'node:process';
import { runProgram } from '@dwd/lab/control-plane/run-program.ts';

/** Builds the image of this checkout on stand-ins for its bases, and leaves it as an OCI layout, whose only tag is `image`. */
export async function buildStandInImage(layout: string, say: (line: string) => void): Promise<void> {
  say('building the image, on stand-ins for its bases: seconds where they are cached, else two minutes');
  const script = join(import.meta.dirname, '../../image.ts');
  await runProgram(process.execPath, [script, '--stand-in', '--tag', 'dependency-watchdog:test', '--oci', layout]);
}
