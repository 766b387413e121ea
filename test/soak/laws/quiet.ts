import type { Law } from '../law.ts';
import { seedWriteOf } from './seed-write.ts';

/** Once all is as before, nobody writes any more. */
export const quiet: Law = {
  name: '6.2 quiet after calm',
  begin() {
    let isSettled = false;
    return {
      hear(observation) {
        if (!isSettled) return undefined;
        const write = seedWriteOf(observation);
        return write && `${write.process} wrote ${write.path}`;
      },
      settled() {
        isSettled = true;
        return undefined;
      },
    };
  },
};
