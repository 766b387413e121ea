import process from 'node:process';
import { configureGlobal } from 'fast-check';

/**
 * Random properties draw the same values each time, so that red means a change of ours. `npm run histories` draws new ones, which is
 * `HISTORIES_SEED=new`; a number draws those that belong to it.
 */
const { HISTORIES_SEED: seed = '1' } = process.env;
if (seed !== 'new') {
  if (!/^-?\d{1,10}$/.test(seed)) throw new Error(`HISTORIES_SEED is '${seed}': give an integer, or 'new'`);
  configureGlobal({ seed: Number(seed) });
}
