import { join } from 'node:path';
import process from 'node:process';

/** What tests start: the sources; in CI what is built of them, which is what ships, and takes half the CPU to start. */
export const program = process.env['DWD_PROGRAM'] ?? join(import.meta.dirname, '../../src/main.ts');
