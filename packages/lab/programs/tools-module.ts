import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FromTools } from './wanted-programs.ts';

/** The directory of the module that pins a program. */
export const toolsModule = ({ directory }: Pick<FromTools, 'directory'>): string =>
  join(import.meta.dirname, '../../../hack/tools', directory);

/** What such a program is built from, as twelve digits: other sources, other modules or other flags make another program. */
export function toolsHash({ directory, package: path, modfile = 'go.mod', tags = '', linker = '' }: FromTools): string {
  const module = toolsModule({ directory });
  const own = path.startsWith('./') ? readdirSync(join(module, path)).map((file) => join(path, file)) : [];
  const sum = createHash('sha256').update([path, tags, linker].join('\n'));
  for (const file of [modfile, modfile.replace(/\.mod$/, '.sum'), ...own.filter((one) => one.endsWith('.go'))])
    sum.update(readFileSync(join(module, file)));
  return sum.digest('hex').slice(0, 12);
}
