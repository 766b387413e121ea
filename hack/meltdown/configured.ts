import { oneOfOption } from '../options/read-options.ts';
import { generations, type Configured } from './place.ts';

/** The options by which an operator picks the prober's configuration, for `parseArgs`. */
export const configuredOptions = { generation: { type: 'string' }, 'config-file': { type: 'string' } } as const;

/** What they pick; Gardener's configuration where there is neither. Throws a sentence where they do not fit. */
export function configuredBy({
  generation,
  'config-file': file,
}: Readonly<{ generation?: string | undefined; 'config-file'?: string | undefined }>): Configured {
  if (generation !== undefined && file !== undefined)
    throw new Error('--generation and --config-file do not go together: the file says of which generation it is');
  if (file !== undefined) return { file };
  return generation === undefined ? 'leases' : oneOfOption('generation', generation, generations);
}
