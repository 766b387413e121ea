import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

const text = readFileSync(new URL('differences.yaml', import.meta.url), 'utf8');
const difference = z.strictObject({ contract: z.string(), test: z.string(), real: z.string(), embedded: z.string() });

/** Between the embedded seed and a real API server: the file says what they are. */
export const { mended: differences, tolerated: toleratedDifferences } = z
  .strictObject({ mended: z.array(difference), tolerated: z.array(z.string()) })
  .parse(parse(text));
