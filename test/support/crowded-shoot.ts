import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';

/** A shoot of whose leases so many are left out at each probe (SPEC 4.7). */
export function crowdedShoot(leftOut: () => number): GuardedWorld {
  return new GuardedWorld({ ...gardenerConfig, backoffJitterFactor: 0 }, 5, {
    instead: (world) => ({
      shoots: {
        askPath: (shoot, path, deadlineAt, signal) => world.askPath(shoot, path, deadlineAt, signal),
        listNodes: (...args) => world.listNodes(...args),
        listLeases: async (shoot, deadlineAt, signal) => {
          const answer = await world.listLeases(shoot, deadlineAt, signal);
          return answer.ok && leftOut() > 0 ? { ...answer, value: { ...answer.value, leftOut: leftOut() } } : answer;
        },
      },
    }),
  });
}
