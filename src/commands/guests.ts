/**
 * All that the watchdog loads of its guests, each when it is asked for. Nothing else of `src` may import a guest: what one has to know to
 * change a rule ends here.
 */
export const guests = {
  inspect: async () => await import('@dwd/inspector/commands/inspect.ts'),
  replay: async () => await import('@dwd/inspector/commands/replay.ts'),
  simulate: async () => await import('@dwd/simulator/commands/simulate.ts'),
  /** Apart from the command, since completion needs its flags only. */
  simulateFlags: async () => await import('@dwd/simulator/commands/simulate/story/simulate-flags.ts'),
  /** By which a role serves its page. */
  page: async () => ({
    ...(await import('@dwd/inspector/serve/live-history.ts')),
    ...(await import('@dwd/inspector/serve/inspector-routes.ts')),
    ...(await import('@dwd/inspector/serve/page-assets.ts')),
  }),
} as const;

type RolePage = Awaited<ReturnType<typeof guests.page>>;

/** What the page shows, as it grows. */
export type LiveHistory = ReturnType<RolePage['liveHistory']>;

/** How a shoot stands, as `/shoots` has it. */
export type ServedShoot = ReturnType<LiveHistory['rows']>['shoots'][number];

/** What the page shows. */
export type History = Parameters<RolePage['inspectorRoutes']>[0]['history'];
