import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** The image under test, as the set-up of this tier left it. */
export type ImageUnderTest = Readonly<{
  /** An OCI layout, as skopeo names it. */
  layout: string;
  /** Its files, as umoci has unpacked them; no container has touched these. */
  files: string;
  /** The same once more, for containers: a runtime adds the places at which something is mounted. */
  bundle: string;
  /** Where the programs are: runc, skopeo. */
  programs: Readonly<Record<'runc' | 'skopeo', string>>;
  /** Takes a line of JSON for each figure of the table. */
  figures: string;
}>;

declare module 'vitest' {
  interface ProvidedContext {
    image: ImageUnderTest;
  }
}

export function imageUnderTest(): ImageUnderTest {
  return inject('image');
}

/** What the image says how it is started, as umoci translates it for a runtime. */
export function startOf(bundle: string): Readonly<{
  process: Readonly<{ args: string[]; env: string[]; cwd: string; user: Readonly<{ uid: number; gid: number }> }>;
}> {
  return JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8')) as ReturnType<typeof startOf>;
}
