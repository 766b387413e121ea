import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findProgram } from '@dwd/lab/programs/find-program.ts';
import { writeNights } from './nights.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the browser. */
    browser: string;
    /** The folder of the journals, each of which has a folder of its own. */
    nights: string;
  }
}

/** Finds a browser and plays the nights whose journals the tests read, once for all of them. */
export async function setup(project: TestProject): Promise<() => void> {
  project.provide('browser', await findProgram('chromium-headless-shell'));
  const dir = mkdtempSync(join(tmpdir(), 'dwd-nights-'));
  await writeNights(dir);
  project.provide('nights', dir);
  return () => rmSync(dir, { recursive: true });
}
