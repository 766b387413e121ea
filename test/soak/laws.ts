import type { Law } from './law.ts';
import { storeWrites } from './laws/store-writes.ts';

/** All laws of simulated lives. */
export const laws: readonly Law[] = [storeWrites];
