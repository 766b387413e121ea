import process from 'node:process';
import { findProgram, onPath, ProgramMissing, type FindOptions } from './find-program.ts';

/** Other names under which a Chromium is installed. */
const others = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];

/** The path of a Chromium: Debian's, which has no screen and is small, or whatever other one is there. Rejects with ProgramMissing. */
export async function findBrowser(options: FindOptions = {}): Promise<string> {
  try {
    return await findProgram('chromium-headless-shell', options);
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    const other = others.map((name) => onPath(name, options.env ?? process.env)).find((path) => path !== undefined);
    if (other === undefined) throw error;
    return other;
  }
}
