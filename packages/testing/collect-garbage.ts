import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all that nobody holds, at once. Node gives the function to new contexts only. */
export const collectGarbage = runInNewContext('gc') as () => void;
